import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit profile set`
enum ProfileSetCommand {
    static let name = Option<String?>("name", "New name", .text("NAME"), isCommon: true)
    static let fullName = Option<String?>("full-name", "New full name; empty for none", .text("NAME"), isCommon: true)
    static let bio = Option<String?>("bio", "Short description; empty for none", .text(), isCommon: true)

    static let domain = Option<String?>(
        "domain", "Registered name that leads to the address; empty for none", .text("NAME"))

    static let image = ProfilePicture.option("Picture, from a file; empty for none")

    static let home = Option<String?>(
        "home", "First screen of a session: 'chats', or the conversation with one contact",
        .text("chats|@NAME", completing: .contact), isCommon: true)

    static let retention = Option<KeepingTime?>(
        "retention", "Remove messages from this store after this time; 'off' keeps them", KeepingTime.kind(),
        isCommon: true)
    static let receipts = Option<OnOff?>("receipts", "Send delivery receipts to contacts", .choice(), isCommon: true)
    static let groupReceipts = Option<OnOff?>(
        "group-receipts", "Send delivery receipts in groups of up to 20 members", .choice())

    static let leaf: Leaf = .init(
        Command(
            "profile set", "Change the name, description and settings of a profile", promise: "the change is on disk",
            store: .writing,
            options: [name, fullName, bio, domain, image, home, retention, receipts, groupReceipts],
            examples: [
                Example("tacit profile set --name 'Ann Lee' --full-name ''", "Change the name, remove the full name"),
                Example("tacit profile set --retention 90d", "Remove messages after 90 days"),
                Example("tacit profile set --receipts off", "Send no delivery receipts to contacts"),
            ],
            exits: [64, 65, 66, 67, 68, 69, 73, 75], reports: ProfileReport.forms,
            discussion: """
                With --home @NAME, a session starts in the conversation with this contact instead of the list of chats. \
                Contacts are not told.

                --retention removes messages from this store once they are older than this time, whether read or not. Older \
                messages are removed immediately. Messages in the outbox stay, and contacts keep their copies. 'tacit contact \
                set --retention' sets another time for one chat. Notes stay unless they have their own retention.

                --receipts sets whether contacts see that their messages were delivered. 'tacit contact set --receipts' \
                overrides this for one contact. --group-receipts does the same for groups of up to 20 members; 'tacit group \
                set --receipts' overrides it for one group.

                --domain takes a registered name, such as alice.simplex, once it leads to the short link of your address. A relay \
                resolves it to check that. Contacts see the name; others connect with it.

                --image takes a JPEG, PNG, GIF or WebP file. Contacts get a small picture without metadata.

                Contacts are told of a new name, description or picture, and the address and unused invitations show it. Contacts that \
                cannot be told now are told by a later fetch.
                """),
        purpose: { _ in "change the profile" },
        body: { session in
            let invocation = session.invocation
            let id = try await session.profileID()
            let known = try await session.profiles()
            guard let chosen = known.first(where: { id == nil ? $0.isActive : $0.id == id }) else {
                throw ChatError.noActiveProfile
            }
            let homed = try await setHome(of: chosen, session)
            let limited = try await setRetention(of: chosen, session)
            let confirmed = try await setReceipts(of: chosen, session)
            let described = try await describe(chosen, session)
            let named = try await setDomain(of: chosen, session)
            guard let profile = try await session.profiles().first(where: { $0.id == chosen.id }) else {
                throw ChatError.profileNotFound(chosen.id)
            }
            try invocation.print(
                done: ProfileReport(
                    profile: profile,
                    action: homed || limited || confirmed || described || named ? "changed" : "unchanged"))
            return .ok
        })

    /// Chooses what a session shows first. Returns whether that is something else than before.
    private static func setHome(of profile: OwnProfile, _ session: CommandSession) async throws -> Bool {
        guard let word = session.invocation[home] else { return false }
        var contact: ContactID?
        if word != "chats" {
            guard let target = Target(word) else {
                throw Failure.homeIsNoContact
            }
            contact = try await session.contact(target).id
        }
        guard contact != profile.home else { return false }
        _ = try await session.execute(SetHome(profile.id, contact))
        return true
    }

    /// Sets how long messages are kept. Returns whether that is something else than before.
    private static func setRetention(of profile: OwnProfile, _ session: CommandSession) async throws -> Bool {
        guard let retention = session.invocation[retention]?.retention else { return false }
        guard retention != profile.retention.map({ .limited(seconds: $0) }) ?? .unlimited else { return false }
        _ = try await session.execute(SetRetention(profile.id, retention))
        return true
    }

    /// Enables or disables delivery receipts. Returns true if that changed a setting. Contacts and groups with an own setting
    /// keep it.
    private static func setReceipts(of profile: OwnProfile, _ session: CommandSession) async throws -> Bool {
        var isChanged = false
        if let isOn = session.invocation[receipts].map({ $0 == .on }), isOn != profile.sendsReceipts {
            _ = try await session.execute(SetReceipts(profile.id, isOn, clearsContacts: false))
            isChanged = true
        }
        if let isOn = session.invocation[groupReceipts].map({ $0 == .on }), isOn != profile.sendsGroupReceipts {
            _ = try await session.execute(SetGroupReceipts(profile.id, isOn, clearsGroups: false))
            isChanged = true
        }
        return isChanged
    }

    /// Takes a registered name, or gives it up. Returns whether that is something else than before.
    private static func setDomain(of profile: OwnProfile, _ session: CommandSession) async throws -> Bool {
        guard let text = session.invocation[domain] else { return false }
        session.progress.start { "resolving the name" }
        defer { session.progress.stop() }
        switch try await session.execute(SetProfileName(profile.id, try SimplexName.fullDomain(.contact, text))) {
        case .updated: return true
        case .unchanged: return false
        }
    }

    /// Changes what contacts see. Returns whether that is something else than before.
    private static func describe(_ chosen: OwnProfile, _ session: CommandSession) async throws -> Bool {
        let invocation = session.invocation
        var profile = chosen.profile
        if let name = invocation[name] { profile.displayName = name }
        if let fullName = invocation[fullName] { profile.fullName = fullName }
        if let bio = invocation[bio] { profile.shortDescription = bio.isEmpty ? nil : bio }
        if let path = invocation[image] { profile.image = try ProfilePicture.uri(of: path) }
        switch try await session.execute(UpdateProfile(chosen.id, profile)) {
        case .updated: return true
        case .unchanged: return false
        }
    }
}
