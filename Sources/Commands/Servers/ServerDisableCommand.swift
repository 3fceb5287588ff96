import CommandKit

/// `tacit server disable`
enum ServerDisableCommand {
    static let leaf: Leaf = .init(
        Command(
            "server disable", "Disable a relay for new queues or files", promise: "the relay is disabled on disk",
            store: .writing,
            positionals: [ServerSwitch.name],
            examples: [
                Example("tacit server disable smp.example", "Create no new queues on a relay"),
                Example("tacit server disable xftp1.simplex.im", "Store no new files on a relay"),
                Example("tacit server disable all", "Disable all relays before adding others"),
            ],
            exits: [67], reports: ServerReport.forms,
            discussion: """
                Conversations on this relay continue, and files that it stores can still be downloaded. 'all' means the relays for \
                messages and those for files.
                """),
        purpose: { "disable \(ServerSwitch.subject($0))" },
        body: { session in try await ServerSwitch.turn(session, isEnabled: false, "disabled") })
}
