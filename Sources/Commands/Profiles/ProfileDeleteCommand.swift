import ChatCore
import CommandKit
import TerminalKit

/// `tacit profile delete`
enum ProfileDeleteCommand {
    static let leaf: Leaf = .init(
        Command(
            "profile delete", "Delete a profile with its contacts and messages",
            promise: "the profile is deleted from disk", store: .writing, positionals: [ProfileCommand.name],
            options: [Consent.yes],
            examples: [Example("tacit profile delete work --yes", "Delete a profile permanently")],
            exits: [64, 67, 69], reports: ProfileReport.forms,
            discussion: """
                Contacts are not told, and the relays reject their later messages. Queues are deleted on relays that are \
                reachable now; the next fetch deletes the others. The active profile can be deleted only if it is the last \
                one. Prompts for confirmation unless --yes is given.
                """),
        purpose: { "delete the profile \(UntrustedText($0[ProfileCommand.name]).quoted)" },
        run: { invocation in
            let name = UntrustedText(invocation[ProfileCommand.name]).quoted
            try Consent.require(
                StyledText("Delete the profile \(name) with all its contacts and messages?"),
                "tacit profile delete \(name) --yes", invocation)
            return try StoreOpener(invocation, isWriting: true).run { session in
                let profile = try await session.profile(named: invocation[ProfileCommand.name])
                session.progress.start { "deleting queues" }
                _ = try await session.execute(DeleteProfile(profile.id))
                session.progress.stop()
                try invocation.print(done: ProfileReport(profile: profile, action: "deleted"))
                return .ok
            }
        })
}
