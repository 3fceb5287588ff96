import ChatCore
import CommandKit
import TerminalKit

/// `tacit profile`
enum ProfileCommand {
    static let command = Command(
        noun: "profile", "Manage profiles",
        verbs: leaves.map(\.command),
        defaultVerb: "list")

    static let leaves = [
        ProfileCreateCommand.leaf, ProfileListCommand.leaf, ProfileShowCommand.leaf, ProfileUseCommand.leaf,
        ProfileSetCommand.leaf, ProfileMuteCommand.leaf, ProfileUnmuteCommand.leaf, ProfileHideCommand.leaf,
        ProfileUnhideCommand.leaf,
        ProfileDeleteCommand.leaf,
    ]

    /// Mutes a profile, or no longer.
    static func mute(_ session: CommandSession, _ isMuted: Bool) async throws -> ExitCode {
        let profile = try await session.profile(named: session.invocation[name])
        let changed = try await session.execute(MuteProfile(profile.id, isMuted)).profile
        try session.invocation.print(done: ProfileReport(profile: changed, action: isMuted ? "muted" : "unmuted"))
        return .ok
    }

    /// The name of a profile that exists.
    static let name = Positional<String>("NAME", "Profile name", .text("NAME", completing: .profile))
}
