import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit profile set`
enum ProfileSetCommand {
    static let name = Option<String?>("name", "Another name", .text("NAME"), isCommon: true)
    static let fullName = Option<String?>("full-name", "A longer name; empty for none", .text("NAME"), isCommon: true)
    static let bio = Option<String?>("bio", "Some words about oneself; empty for none", .text(), isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "profile set", "Change what a profile says about you", promise: "the change is on disk", store: .writing,
            options: [name, fullName, bio],
            examples: [
                Example("tacit profile set --bio 'on holiday until May'", "Say something about oneself"),
                Example("tacit profile set --name 'Ann Lee' --full-name ''", "Take another name"),
            ],
            exits: [64, 73], reports: ProfileReport.forms,
            discussion: """
                Contacts are told, and what the address and unused invitations show follows. Those who cannot be told now are \
                told by a later fetch.
                """),
        purpose: { _ in "change the profile" },
        body: { session in
            let invocation = session.invocation
            let id = try await session.profileID()
            let known = try await session.profiles()
            guard let chosen = known.first(where: { id == nil ? $0.isActive : $0.id == id }) else {
                throw ChatError.noActiveProfile
            }
            var profile = chosen.profile
            if let name = invocation[name] { profile.displayName = name }
            if let fullName = invocation[fullName] { profile.fullName = fullName }
            if let bio = invocation[bio] { profile.shortDescription = bio.isEmpty ? nil : bio }
            switch try await session.execute(.updateProfile(chosen.id, profile)) {
            case .profileUpdated(_, let changed, _):
                try invocation.print(done: ProfileReport(profile: changed, deed: "changed"))
            case .profileUnchanged(let same):
                try invocation.print(done: ProfileReport(profile: same, deed: "as before"))
            default: throw UnexpectedResponse()
            }
            return .ok
        })
}
