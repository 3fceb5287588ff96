import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit profile create`
enum ProfileCreateCommand {
    static let name = Positional<String>("NAME", "What contacts will see", .text("NAME"))
    static let fullName = Option<String?>("full-name", "A longer name", .text("NAME"))
    static let bio = Option<String?>("bio", "Some words about oneself", .text())
    static let use = Option<Bool>(flag: "use", "Make it the active profile", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "profile create", "Make a profile", promise: "the profile is on disk", store: .writing,
            positionals: [name], options: [fullName, bio, use],
            examples: [
                Example("tacit profile create alice", "A profile"),
                Example("tacit profile create 'Ann Lee' --full-name 'Ann B. Lee' --use", "Act as it from now on"),
            ],
            exits: [64, 73], reports: ProfileReport.forms,
            discussion:
                "The first profile of a store is active at once. A new profile uses the relays of the active one."),
        purpose: { "make the profile \(UntrustedText($0[name]).quoted)" }, body: create)

    private static func create(_ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation
        let former = try await session.profiles().first { $0.isActive }
        let profile = Profile(
            displayName: invocation[name], fullName: invocation[fullName] ?? "", shortDescription: invocation[bio])
        let created = try await session.execute(CreateProfile(profile)).profile
        // The core makes a new profile the active one.
        if let former, !invocation[use] { _ = try await session.execute(ActivateProfile(former.id)) }
        let shown = try await session.profiles().first { $0.id == created.id } ?? created
        try invocation.print(
            done: ProfileReport(profile: shown, deed: shown.isActive ? "made, and now acting as" : "made"))
        return .ok
    }
}
