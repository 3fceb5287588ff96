import CommandKit

/// `tacit server enable`
enum ServerEnableCommand {
    static let leaf: Leaf = .init(
        Command(
            "server enable", "Enable a relay for new queues or files", promise: "the relay is enabled on disk",
            store: .writing,
            positionals: [ServerSwitch.name],
            examples: [
                Example("tacit server enable smp.example", "Create new queues on a relay again"),
                Example("tacit server enable all", "Enable all relays"),
            ],
            exits: [67], reports: ServerReport.forms),
        purpose: { "enable \(ServerSwitch.subject($0))" },
        body: { session in try await ServerSwitch.turn(session, isEnabled: true, "enabled") })
}
