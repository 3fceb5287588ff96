import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit group set`
enum GroupSetCommand {
    static let fullName = Option<String?>("full-name", "Longer name of the group; empty for none", .text("NAME"))
    static let description = Option<String?>(
        "description", "Short description of the group; empty for none", .text("TEXT"))
    static let welcome = Option<String?>(
        "welcome", "Welcome message for new members; empty for none", .text("TEXT"), isCommon: true)
    static let image = ProfilePicture.option("Picture of the group, from a file; empty for none")
    static let features = Option<[FeatureChange]>(
        repeated: "feature", "Change a permission: on, off, or the lowest role that has it", .feature(), isCommon: true)
    static let review = Option<OnOff?>(
        "review", "Let moderators admit members that join through the link", .choice(), isCommon: true)
    static let receipts = Option<ContactSetCommand.Receipts?>(
        "receipts", "Send delivery receipts to the members; 'default' follows the profile", .choice())
    static let alias = Option<String?>("alias", "Your own note on the group; empty for none", .text("TEXT"))

    static let leaf: Leaf = .init(
        Command(
            "group set", "Change the profile and settings of a group", promise: GroupDelivery.promise, store: .writing,
            positionals: [GroupCommand.target],
            options: [
                fullName, description, image, welcome, features, review, alias, receipts,
                ContactSetCommand.retention, ContactSetCommand.expires,
            ] + GroupDelivery.options,
            examples: [
                Example(
                    "tacit group set +team --feature files=off --feature links=admin", "Change permissions of members"),
                Example("tacit group set +team --welcome 'Hello! Please read the rules.'", "Greet new members"),
                Example("tacit group set +team --image logo.png", "Set the picture of the group"),
                Example("tacit group set +team --review on", "Let moderators admit new members"),
                Example("tacit group set +team --retention 30d", "Remove messages from this store after 30 days"),
            ],
            exits: [64, 65, 66, 67, 68, 69, 75], reports: GroupReport.forms, topics: ["targets"],
            discussion: """
                --full-name, --description, --image, --welcome, --feature and --review change the group for all members. You need the \
                role owner. The other options change this store only.

                --image takes a JPEG, PNG, GIF or WebP file. Members get a small picture without metadata.

                The features are: \(GroupPreferences.Feature.shown.map(\.word).joined(separator: ", ")). The value of \
                disappearing is off or a time, such as 7d. The features direct, deletion, voice, files and links accept a \
                role: members with this role or a higher one have the permission.

                --receipts sets whether members see that their messages were delivered. Receipts are sent only in groups of \
                up to 20 members. The value default selects the setting of the profile (tacit profile set --group-receipts).
                """),
        purpose: GroupCommand.purpose("change"),
        run: { invocation in
            guard isGiven(invocation) else { throw Failure.noGroupSetting }
            return try StoreOpener(invocation, isWriting: true).run { try await set($0) }
        })

    private static func isGiven(_ invocation: Invocation) -> Bool {
        changesProfile(invocation) || invocation[alias] != nil || invocation[receipts] != nil
            || invocation[ContactSetCommand.retention] != nil || invocation[ContactSetCommand.expires] != nil
    }

    private static func changesProfile(_ invocation: Invocation) -> Bool {
        invocation[fullName] != nil || invocation[description] != nil || invocation[image] != nil
            || invocation[welcome] != nil || !invocation[features].isEmpty || invocation[review] != nil
    }

    private static func set(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        let group = try await session.group(invocation[GroupCommand.target])
        // The one that may fail comes first.
        if changesProfile(invocation) {
            _ = try await session.update(group, profile: try profile(group.profile, invocation))
        }
        if let alias = invocation[alias] { try await session.setAlias(alias, of: group) }
        if let receipts = invocation[receipts] {
            _ = try await session.execute(SetContactReceipts(.reference(.group(group.id)), receipts.isOn))
        }
        try await ContactSetCommand.keep(
            group, expires: invocation[ContactSetCommand.expires], retention: invocation[ContactSetCommand.retention],
            session)
        try invocation.print(done: GroupReport(group: try await session.group(.groupID(group.id)), action: "changed"))
        return changesProfile(invocation) ? try await GroupDelivery.finish(group, session) : .ok
    }

    private static func profile(_ former: GroupProfile, _ invocation: Invocation) throws -> GroupProfile {
        var profile = former
        if let name = invocation[fullName] { profile.fullName = name }
        if let text = invocation[description] { profile.shortDescription = text.isEmpty ? nil : text }
        if let path = invocation[image] { profile.image = try ProfilePicture.uri(of: path) }
        if let text = invocation[welcome] { profile.welcome = text.isEmpty ? nil : text }
        var preferences = profile.preferences ?? GroupPreferences()
        for change in invocation[features] { preferences[change.feature] = change.setting }
        if !invocation[features].isEmpty { profile.preferences = preferences }
        if let review = invocation[review] {
            var admission = profile.admission ?? MemberAdmission()
            admission.review = review == .on ? .all : nil
            profile.admission = admission
        }
        return profile
    }
}
