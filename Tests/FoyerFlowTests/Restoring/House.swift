import FoyerModel
import FoyerApp
import Testing

@testable import FoyerFlow

/// A tab that can hold rooms, each made from a name, and a sample flow.
@FlowActor
final class Floor: NavigationCoordinator<Never>, TabCoordinator {
    struct RoomConfig: Codable, Sendable {
        let name: String
    }

    static let room = ChildSlot(
        "room", make: { (_: Floor, config: RoomConfig) in Room(config.name) },
        then: { floor, outcome in floor.heard.append("\(outcome)") })
    static let sample = ChildSlot(
        "sample",
        make: { (floor: Floor, flow: FlowReference) in
            SampleCoordinator(
                slot: "anything", id: flow.flow, definition: floor.definition, environment: Story.environment)
        },
        then: { floor, outcome in
            switch outcome {
            case .finished(let user): floor.heard.append("finished \(user.userName ?? "")")
            case .cancelled(let reason): floor.heard.append("cancelled \(reason)")
            }
        })

    let tabItem: TabItem
    var rootCoordinator: Floor { self }
    let definition: FlowDefinition
    var knowsRooms = true
    /// What the outcomes of children have led to.
    private(set) var heard: [String] = []

    init(_ name: String, definition: FlowDefinition) {
        self.definition = definition
        tabItem = TabItem(name, title: name, image: name, selectedImage: name)
        super.init(slot: name)
    }

    override var slots: [AnyChildSlot] {
        knowsRooms ? [AnyChildSlot(Self.room), AnyChildSlot(Self.sample)] : [AnyChildSlot(Self.sample)]
    }

    override func start() { replaceStack(with: ["hall"]) }

    override func makeScreen(_ name: String) -> Screen? {
        Screen(
            id: "\(path)/\(name)", title: name, content: .menu(name), actions: [ScreenAction("room", title: "Room")])
    }

    override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        guard visibleScreen == "hall", input.action == "room" else { return super.respond(to: input, at: now) }
        open("north")
        return .taken
    }

    override func destination(of link: ArraySlice<String>) -> Destination? {
        guard let slot = link.first else { return Destination { [weak self] in self?.popToRoot() } }
        if let child = children.first(where: { $0.slot == slot }) { return child.destination(of: link.dropFirst()) }
        guard slot == "room", link.count == 2, let name = link.last else { return nil }
        return Destination { [weak self] in self?.open(name) }
    }

    func open(_ name: String) {
        let room = Self.room.child(of: self, RoomConfig(name: name))
        push(room)
        room.start()
    }
}

/// A room remembers whether its light is on.
@FlowActor
final class Room: NavigationCoordinator<String> {
    let name: String
    @Saved private var isOn = false

    init(_ name: String) {
        self.name = name
        super.init(slot: "room")
    }

    override func start() { replaceStack(with: [isOn ? "lit" : "dark"]) }

    override func makeScreen(_ screen: String) -> Screen? {
        let actions = [ScreenAction("switch", title: "Switch"), ScreenAction("leave", title: "Leave"), .back]
        return Screen(id: "\(path)/\(screen)", title: name, content: .message(name), actions: actions)
    }

    override func respond(to input: ScreenInput, at now: Timestamp) -> Reaction? {
        switch input.action {
        case "switch":
            isOn.toggle()
            replaceStack(with: [isOn ? "lit" : "dark"])
            return .taken
        case "leave": return Reaction { [self] in finish(name) }
        default: return super.respond(to: input, at: now)
        }
    }
}

/// Two floors, of which one is shown.
@FlowActor
final class House: TabBarCoordinator {
    let ground: Floor
    let upper: Floor

    init(definition: FlowDefinition? = nil, knowsRooms: Bool = true) throws {
        let definition = if let definition { definition } else { try FlowDefinition.sample }
        ground = Floor("ground", definition: definition)
        upper = Floor("upper", definition: definition)
        ground.knowsRooms = knowsRooms
        upper.knowsRooms = knowsRooms
        super.init(slot: "house", tabs: [deGenericize(ground), deGenericize(upper)])
    }
}

/// A house, its store, and its host, as one start of the program has them.
@FlowActor
struct Visit {
    let house: House
    let store: MemoryStore
    let host: FlowHost

    init(_ store: MemoryStore, definition: FlowDefinition? = nil, knowsRooms: Bool = true) async throws {
        self.store = store
        house = try House(definition: definition, knowsRooms: knowsRooms)
        host = try await FlowHost.restore(
            house, name: house.slot, flows: store, users: store, environment: Story.environment)
    }

    var place: String? { host.screen?.id }

    @discardableResult
    func press(_ action: ScreenAction.ID, _ text: String? = nil) async throws -> FlowHost.Result {
        let screen = try #require(host.screen)
        let values = text.map { text in Dictionary(uniqueKeysWithValues: screen.fields.map { ($0.key, Secret(text)) }) }
        return try await host.send(
            ScreenInput(screen: screen.id, revision: screen.revision, action: action, values: values ?? [:]))
    }

    /// Opens a sample flow on the ground floor and gives its first answers.
    func beginSample(answering texts: [String]) async throws -> UUIDv7 {
        let id = Story.environment.makeID()
        let child = Floor.sample.child(of: house.ground, FlowReference(flow: id))
        house.ground.push(child)
        child.start()
        for text in texts {
            let input = ScreenInput(
                screen: "", revision: 0, action: "accept",
                values: [try #require(child.visibleScreen): Secret(text)])
            let reaction = try #require(child.respond(to: input, at: Story.environment.now()))
            var change = try #require(reaction.change)
            (change.host, change.tree) = ("house", house.nodes)
            child.committed(try await store.commit(change))
        }
        return id
    }
}
