import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit profile create`
enum ProfileCreateCommand {
    static let name = Positional<String>("NAME", "Name that contacts see", .text("NAME"))
    static let fullName = Option<String?>("full-name", "Full name in the profile", .text("NAME"))
    static let bio = Option<String?>("bio", "Short description", .text())
    static let use = Option<Bool>(flag: "use", "Make the new profile active", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "profile create", "Create a profile", promise: "the profile is on disk", store: .writing,
            positionals: [name], options: [fullName, bio, use],
            examples: [
                Example("tacit profile create alice", "Create a second profile"),
                Example(
                    "tacit profile create 'Ann Lee' --full-name 'Ann B. Lee' --use",
                    "Create a profile and make it active"),
            ],
            exits: [64, 73], reports: ProfileReport.forms,
            discussion:
                "The first profile of a store becomes active. A new profile uses the relays of the active profile."),
        purpose: { "create the profile \(UntrustedText($0[name]).quoted)" }, body: create)

    private static func create(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        let former = try await session.profiles().first { $0.isActive }
        let profile = Profile(
            displayName: invocation[name], fullName: invocation[fullName] ?? "", shortDescription: invocation[bio])
        let created = try await session.execute(CreateProfile(profile)).profile
        // The core makes a new profile the active one.
        if let former, !invocation[use] { _ = try await session.execute(ActivateProfile(former.id)) }
        let shown = try await session.profiles().first { $0.id == created.id } ?? created
        try invocation.print(
            done: ProfileReport(profile: shown, action: shown.isActive ? "created and active:" : "created"))
        return .ok
    }
}
