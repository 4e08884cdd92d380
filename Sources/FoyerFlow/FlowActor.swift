/// The actor on which coordinators live: not the main one, so that an app may block its main thread.
@globalActor
public actor FlowActor {
    /// The one actor.
    public static let shared = FlowActor()
}
