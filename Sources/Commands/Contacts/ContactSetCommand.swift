import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact set`
enum ContactSetCommand {
    static let chat = Positional<Target>("CHAT", "The contact, or 'notes'", .target())
    static let retention = Option<KeepingTime?>(
        "retention", "Remove messages here after this time; 'off' keeps them", KeepingTime.kind(hasDefault: true),
        isCommon: true)
    static let expires = Option<KeepingTime?>(
        "expires", "Let own messages disappear after this time by default", KeepingTime.kind(), isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "contact set", "Set how long messages of a chat are kept", promise: "the settings are on disk",
            store: .writing, positionals: [chat], options: [retention, expires],
            examples: [
                Example("tacit contact set @bob --retention 30d", "Keep a month of messages here"),
                Example("tacit contact set @bob --retention default", "As the profile has it"),
                Example("tacit contact set @bob --expires 7d", "Send messages that disappear after a week"),
            ],
            exits: [64, 67, 69], reports: ContactReport.forms, topics: ["targets"],
            discussion: """
                --retention removes messages here, from both sides and whether they were read or not, once they have been in \
                the store for that time. Older ones are removed at once. Messages in the outbox stay. The contact keeps its \
                copies. The value default stands for the retention of the profile (tacit profile set --retention).

                --expires sets the time of 'tacit send --expires' for messages that name none: they disappear for both sides. \
                Both sides must allow it. 'tacit send --expires off' sends one that stays.
                """),
        purpose: { "change the settings of \(UntrustedText($0[chat].word).quoted)" },
        run: { invocation in
            guard invocation[retention] != nil || invocation[expires] != nil else {
                throw Failure.noContactSetting
            }
            return try StoreAccess(invocation, isWriting: true).run { try await set($0) }
        })

    private static func set(_ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation
        let contact = try await session.chat(invocation[chat])
        let reference = ChatTarget.reference(.direct(contact.id))
        // The one that may fail comes first.
        if let expires = invocation[expires] {
            let seconds: Int64? = if case .seconds(let seconds) = expires { seconds } else { nil }
            _ = try await session.execute(SetExpiry(reference, seconds))
        }
        if let retention = invocation[retention] {
            let profile = try await session.profileID()
            _ = try await session.execute(SetRetention(profile, in: reference, retention.retention))
        }
        let changed = try await session.chat(.contactID(contact.id))
        try invocation.print(done: ContactReport(contact: changed, deed: "changed"))
        return .ok
    }
}
