import ChatCore
import CommandKit
import TerminalKit

/// `tacit profile unhide`
enum ProfileUnhideCommand {
    static let leaf: Leaf = .init(
        Command(
            "profile unhide", "Unhide a profile", promise: "the profile is visible on disk", store: .writing,
            positionals: [ProfileCommand.name],
            examples: [
                Example("tacit profile unhide work --profile-password-fd 3 3< password", "Unhide a profile in a script")
            ],
            exits: [66, 67, 77], reports: ProfileReport.forms,
            discussion: "With a wrong password, the profile is reported as unknown."),
        purpose: { "show the profile \(UntrustedText($0[ProfileCommand.name]).quoted) again" },
        run: { invocation in
            let name = invocation[ProfileCommand.name], password = try HiddenProfile.password(invocation, isNew: false)
            return try StoreOpener(invocation, isWriting: true).run { session in
                let found = try await session.execute(OpenProfile(name: name, password: password)).profiles
                guard let id = found.first?.id else {
                    let known = try await session.profiles().map(\.name)
                    throw Reason.unknownProfile(name, known: known, invocation.parsed.command)
                }
                let shown = try await session.execute(UnhideProfile(id, password: password)).profile
                try invocation.print(done: ProfileReport(profile: shown, action: "unhidden"))
                return .ok
            }
        })
}
