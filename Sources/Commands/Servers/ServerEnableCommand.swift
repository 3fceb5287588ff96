import CommandKit

/// `tacit server enable`
enum ServerEnableCommand {
    static let leaf: Leaf = .init(
        Command(
            "server enable", "Switch a relay on", promise: "the choice is on disk", store: .writing,
            positionals: [ServerSwitch.name],
            examples: [
                Example("tacit server enable smp.example", "Make new queues there again"),
                Example("tacit server enable all", "All that there are"),
            ],
            exits: [67], reports: ServerReport.forms),
        purpose: { "switch \(ServerSwitch.subject($0)) on" },
        body: { session in try await ServerSwitch.turn(session, isEnabled: true, "switched on") })
}
