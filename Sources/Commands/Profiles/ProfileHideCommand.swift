import ChatCore
import CommandKit
import TerminalKit

/// `tacit profile hide`
enum ProfileHideCommand {
    static let leaf: Leaf = .init(
        Command(
            "profile hide", "Have a profile be there only for who knows its password", promise: "the choice is on disk",
            store: .writing, positionals: [ProfileCommand.name],
            examples: [
                Example("tacit profile hide work", "Asks for the password"),
                Example("tacit list --profile work --profile-password-fd 3 3< password", "What is in it"),
            ],
            exits: [66, 67, 69, 77], reports: ProfileReport.forms,
            discussion: """
                No list, no status, no completion and no line of fetch or watch shows that it is there, and no command finds \
                it without --profile and the password. Messages still come to it. The password is asked for at the terminal, \
                or read from the descriptor of --profile-password-fd: there is none for the password itself, because other \
                users see the words of a command line. Who forgets it cannot show the profile again.

                It keeps the profile from whoever looks over a shoulder or types on this machine. Who has the key of the store \
                and other tools finds that it is there. The active profile cannot be hidden.
                """),
        purpose: { "hide the profile \(UntrustedText($0[ProfileCommand.name]).quoted)" },
        run: { invocation in
            let password = try HiddenProfile.password(invocation, isNew: true)
            return try StoreAccess(invocation, isWriting: true).run { session in
                let profile = try await session.profile(named: invocation[ProfileCommand.name])
                let hidden = try await session.execute(HideProfile(profile.id, password: password)).profile
                try invocation.print(done: ProfileReport(profile: hidden, deed: "hidden"))
                return .ok
            }
        })
}
