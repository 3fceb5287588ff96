import ChatCore
import CommandKit
import TerminalKit

/// `tacit profile hide`
enum ProfileHideCommand {
    static let leaf: Leaf = .init(
        Command(
            "profile hide", "Hide a profile behind a password", promise: "the profile is hidden on disk",
            store: .writing, positionals: [ProfileCommand.name],
            examples: [
                Example("tacit profile hide work", "Hide a profile; prompts for a password"),
                Example(
                    "tacit list --profile work --profile-password-fd 3 3< password",
                    "List the chats of a hidden profile"),
            ],
            exits: [66, 67, 69, 77], reports: ProfileReport.forms,
            discussion: """
                A hidden profile appears in no list, status, completion, or output of fetch and watch. Commands find it only \
                with --profile and its password. It still receives messages. The password is read from the terminal or from \
                the descriptor of --profile-password-fd; there is no option for the password itself, because other users can \
                see command lines. Without the password, the profile cannot be shown again.

                Hiding protects against people who look at the screen or type on this machine. With the store key and other \
                tools, the profile can be found. The active profile cannot be hidden.
                """),
        purpose: { "hide the profile \(UntrustedText($0[ProfileCommand.name]).quoted)" },
        run: { invocation in
            let password = try HiddenProfile.password(invocation, isNew: true)
            return try StoreOpener(invocation, isWriting: true).run { session in
                let profile = try await session.profile(named: invocation[ProfileCommand.name])
                // The active profile is what everybody sees.
                guard !profile.isActive else { throw ChatError.profileActive(profile.id, profile.name) }
                let hidden = try await session.execute(HideProfile(profile.id, password: password)).profile
                try invocation.print(done: ProfileReport(profile: hidden, action: "hidden"))
                return .ok
            }
        })
}
