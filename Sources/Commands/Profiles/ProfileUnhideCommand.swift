import ChatCore
import CommandKit
import TerminalKit

/// `tacit profile unhide`
enum ProfileUnhideCommand {
    static let leaf: Leaf = .init(
        Command(
            "profile unhide", "Show a hidden profile again", promise: "the choice is on disk", store: .writing,
            positionals: [ProfileCommand.name],
            examples: [Example("tacit profile unhide work --profile-password-fd 3 3< password", "In a script")],
            exits: [66, 67, 77], reports: ProfileReport.forms,
            discussion: "With another password it is as if there were no such profile."),
        purpose: { "show the profile \(UntrustedText($0[ProfileCommand.name]).quoted) again" },
        run: { invocation in
            let name = invocation[ProfileCommand.name], password = try HiddenProfile.password(invocation, isNew: false)
            return try StoreAccess(invocation, isWriting: true).run { session in
                let found = try await session.execute(OpenProfile(name: name, password: password)).profiles
                guard let id = found.first?.id else {
                    let known = try await session.profiles().map(\.name)
                    throw Reason.unknownProfile(name, known: known, invocation.parsed.command)
                }
                let shown = try await session.execute(UnhideProfile(id, password: password)).profile
                try invocation.print(done: ProfileReport(profile: shown, deed: "not hidden any more:"))
                return .ok
            }
        })
}
