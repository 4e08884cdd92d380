public import Foyer

/// Leads through the membership form: everything about order, saving and going back is the base class's.
public final class MembershipCoordinator: StepCoordinator<User> {
    /// Goes on with a saved form; without one it begins anew.
    public init(resuming flow: SavedFlow? = nil, in foyer: AccountStore) {
        super.init(
            slot: "membership", resuming: flow, definition: foyer.definition(for: .register),
            environment: foyer.environment)
    }

    public override var title: String { "Join the reading club" }

    /// What the last answer makes, in the same transaction: a person, and what the club is asked.
    public override func makeFinish(at now: Timestamp) -> FlowChange.Finish? {
        let answers = draft.clearAnswers
        let member = User(
            id: environment.makeID(), email: answers["email"], firstName: answers["name"], status: .pending,
            createdAt: now, updatedAt: now)
        return FlowChange.Finish(user: member, submission: makeSubmission(lane: member.id.text))
    }

    /// What whoever waits for the end is told, once the club has said yes.
    public override func makeOutput(user: User?) -> User? { user }
}
