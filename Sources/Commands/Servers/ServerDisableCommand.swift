import CommandKit

/// `tacit server disable`
enum ServerDisableCommand {
    static let leaf: Leaf = .init(
        Command(
            "server disable", "Switch a relay off", promise: "the choice is on disk", store: .writing,
            positionals: [ServerSwitch.name],
            examples: [
                Example("tacit server disable smp.example", "Make no new queues there"),
                Example("tacit server disable all", "Before choosing others"),
            ],
            exits: [67], reports: ServerReport.forms,
            discussion: "Conversations that use the relay go on."),
        purpose: { "switch \(ServerSwitch.subject($0)) off" },
        body: { session in try await ServerSwitch.turn(session, isEnabled: false, "switched off") })
}
