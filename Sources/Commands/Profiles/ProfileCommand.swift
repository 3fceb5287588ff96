import CommandKit

/// `tacit profile`
enum ProfileCommand {
    static let command = Command(
        noun: "profile", "Make and choose the profiles that contacts see",
        verbs: [
            ProfileCreateCommand.leaf.command, ProfileListCommand.leaf.command, ProfileShowCommand.leaf.command,
            ProfileUseCommand.leaf.command, ProfileSetCommand.leaf.command,
        ],
        defaultVerb: "list")

    static let leaves = [
        ProfileCreateCommand.leaf, ProfileListCommand.leaf, ProfileShowCommand.leaf, ProfileUseCommand.leaf,
        ProfileSetCommand.leaf,
    ]

    /// The name of a profile that exists.
    static let name = Positional<String>("NAME", "The profile", .text("NAME", completing: .profile))
}
