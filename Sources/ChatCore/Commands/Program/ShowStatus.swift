public import AgentProtocol
public import ByteCoding
public import JSONCoding
public import SMPProtocol

/// Shows the status of the store, as the active profile or another one sees it. (`/_status [1]`)
public struct ShowStatus: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID? = nil) {
        self.profile = profile
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_status", .optionalProfile(\.profile), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> StatusReport {
        let store = core.store
        let profiles = try core.lookup.visibleProfiles()
        let profile = try profile.map { try core.lookup.profile($0) } ?? profiles.first { $0.isActive }
        let outbox = try store.outboxCounts(of: Set(profiles.map(\.id)))
        let troubled = try store.contactsInTrouble().compactMap { contact in
            profiles.first { $0.id == contact.profileID }.map { LocatedContact(profile: $0, contact: contact) }
        }
        return StatusReport(
            profile: profile, profileCount: profiles.count,
            contactCount: try profile.map { try store.contactCount(of: $0.id) } ?? 0,
            unreadCount: profiles.reduce(0) { $0 + $1.unreadCount }, waiting: outbox.waiting,
            heldUp: outbox.heldUp, uploads: try store.unfinishedUploads(of: Set(profiles.map(\.id))).count,
            unconfirmed: try store.unconfirmedCount(of: Set(profiles.map(\.id))),
            servers: try profile.map { try core.servers.choice(for: $0.id).servers.map(\.address) } ?? [],
            fileServers: try profile.map { try core.servers.usedFileServers(of: $0.id).map(\.address) } ?? [],
            onboarding: try core.profiles.begunOnboardingStage(), lastExport: try store.lastExport(),
            freezingExport: try store.freezingExport(),
            isCopy: try store.isCopy(in: core.folder, on: core.machine), contactsInTrouble: troubled,
            // SECURITY: a hidden profile may have a relay that no other profile has.
            unreachable: try store.unreachableRelays().filter { relay in profiles.contains { $0.id == relay.profileID }
            },
            files: try FileSpace(of: core.folder.files))
    }
}

/// The status of a store.
public struct StatusReport: SimpleResponse {
    /// The profile to which the numbers of contacts and servers belong.
    public let profile: OwnProfile?
    public let profileCount: Int
    public let contactCount: Int
    /// Unread entries of all profiles.
    public let unreadCount: Int
    /// Own messages in the outbox.
    public let waiting: Int
    /// Those of them that are held up by something that does not pass by itself.
    public let heldUp: Int
    /// Own files of all profiles that file relays do not have yet.
    public let uploads: Int
    /// Own messages that were sent, and not confirmed although later ones were, or that arrived altered.
    public let unconfirmed: Int
    /// The relays for new queues.
    public let servers: [ServerAddress]
    /// The relays for new files.
    public let fileServers: [ServerAddress]
    /// The first onboarding step that is not done; nil if onboarding never began, as in a store that `init` has made with a
    /// profile and relays.
    public let onboarding: OnboardingStage?
    /// The newest archive that was made of the store, or of which it was made.
    public let lastExport: ExportMark?
    /// The export that froze the store, or the backup that it is, if it is frozen.
    public let freezingExport: ExportMark?
    /// True if the store was copied from another machine by hand, and no one has confirmed that only this copy goes on.
    public let isCopy: Bool
    /// The contacts of all profiles whose ratchets are out of step, or whose security code changed after it was compared.
    public let contactsInTrouble: [LocatedContact]
    /// The relays that profiles could not reach when they received last, or cannot reach now.
    public let unreachable: [UnreachableRelay]
    /// The files in the store.
    public let files: FileSpace

    public static let type = "status"
}

extension StatusReport {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            profile: try fields.optional("user"), profileCount: try fields.count("users"),
            contactCount: try fields.count("contacts"), unreadCount: try fields.count("unreadCount"),
            waiting: try fields.count("waiting"), heldUp: try fields.count("heldUp"),
            uploads: try fields.count("uploads"),
            unconfirmed: try fields.count("unconfirmed"),
            servers: try StatusReport.addresses("servers", .smp, &fields),
            fileServers: try StatusReport.addresses("fileServers", .xftp, &fields),
            onboarding: try fields.optionalWord("onboarding", OnboardingStage.init(rawValue:)),
            lastExport: try fields.optional("lastExport"), freezingExport: try fields.optional("freezingExport"),
            isCopy: try fields.bool("copy"), contactsInTrouble: try fields.list("contactsInTrouble"),
            unreachable: try fields.list("unreachable"),
            files: try fields.required("files"))
    }

    private static func addresses(
        _ name: StaticText, _ scheme: ServerScheme, _ fields: inout JSONFields
    ) throws(DecodeError) -> [ServerAddress] {
        try fields.elements(name).map { server throws(DecodeError) in
            guard let text = server.string else { throw .invalid(name) }
            return try ServerAddress(text: text, scheme: scheme)
        }
    }

    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("user", profile)
        fields.set("users", profileCount)
        fields.set("contacts", contactCount)
        fields.set("unreadCount", unreadCount)
        fields.set("waiting", waiting)
        fields.set("servers", servers.map(\.description))
        fields.set("fileServers", fileServers.map { $0.text(scheme: .xftp) })
        fields.set("onboarding", onboarding?.rawValue)
        fields.set("heldUp", heldUp)
        fields.set("uploads", uploads)
        fields.set("unconfirmed", unconfirmed)
        fields.set("lastExport", lastExport)
        fields.set("freezingExport", freezingExport)
        fields.set("copy", isCopy)
        fields["contactsInTrouble"] = .array(contactsInTrouble.map(\.json))
        fields["unreachable"] = .array(unreachable.map(\.json))
        fields["files"] = files.json
        return fields
    }
}

/// A contact, and the profile that it belongs to.
public struct LocatedContact: Hashable, Sendable, JSONObjectCodable {
    public let profile: OwnProfile
    public let contact: Contact
}

extension LocatedContact {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), contact: try fields.required("contact"))
    }

    public var fields: JSONObject { ["user": profile.json, "contact": contact.json] }
}
