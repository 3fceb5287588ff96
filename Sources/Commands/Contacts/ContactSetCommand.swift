import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact set`
enum ContactSetCommand {
    enum Receipts: String, CaseIterable, Sendable {
        case on, off
        case standard = "default"

        /// Nil for the setting of the profile.
        var isOn: Bool? {
            switch self {
            case .on: true
            case .off: false
            case .standard: nil
            }
        }
    }

    static let chat = Positional<Target>("CHAT", "Contact, group or 'notes'", .target())
    static let retention = Option<KeepingTime?>(
        "retention", "Remove messages from this store after this time; 'off' keeps them",
        KeepingTime.kind(hasDefault: true),
        isCommon: true)
    static let expires = Option<KeepingTime?>(
        "expires", "Default time after which sent messages disappear on both sides", KeepingTime.kind(), isCommon: true)
    static let receipts = Option<Receipts?>(
        "receipts", "Send delivery receipts to this contact; 'default' follows the profile", .choice(), isCommon: true)
    static let postQuantum = Option<OnOff?>(
        "post-quantum", "Protect messages with post-quantum keys too", .choice(), isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "contact set", "Set retention, expiry, receipts and keys of a chat", promise: "the settings are on disk",
            store: .writing, positionals: [chat], options: [retention, expires, receipts, postQuantum],
            examples: [
                Example("tacit contact set @bob --retention 30d", "Remove bob's messages after 30 days"),
                Example("tacit contact set @bob --expires 7d", "Send messages to bob that disappear after a week"),
                Example("tacit contact set @bob --receipts off", "Send no delivery receipts to bob"),
            ],
            exits: [64, 67, 69], reports: ContactReport.forms + GroupReport.forms, topics: ["targets"],
            discussion: """
                --retention removes sent and received messages from this store once they are older than this time, whether \
                read or not. Older messages are removed immediately. Messages in the outbox stay. The contact keeps its \
                copies. The value default selects the retention of the profile (tacit profile set --retention).

                --expires sets the default of 'tacit send --expires': these messages disappear on both sides. Both sides must \
                allow it. 'tacit send --expires off' sends a permanent message.

                --receipts sets whether this contact sees that its messages were delivered. The value default selects the \
                setting of the profile (tacit profile set --receipts). Notes have no receipts.

                --post-quantum off removes the post-quantum keys from the encryption with this contact, starting with the next \
                message of each side. Messages stay end-to-end encrypted. The value on offers these keys again.
                """),
        purpose: { "change the settings of \(UntrustedText($0[chat].word).quoted)" },
        run: { invocation in
            guard
                invocation[retention] != nil || invocation[expires] != nil || invocation[receipts] != nil
                    || invocation[postQuantum] != nil
            else {
                throw Failure.noContactSetting
            }
            return try StoreOpener(invocation, isWriting: true).run { try await set($0) }
        })

    private static func set(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        // Notes have neither receipts nor keys, and are refused before any setting changes.
        if let group = try await group(session) { return try await set(group, session) }
        let known: Chat =
            invocation[receipts] == nil && invocation[postQuantum] == nil
            ? try await session.chat(invocation[chat]) : .direct(try await session.contact(invocation[chat]))
        let reference = ChatTarget.reference(known.reference)
        // The one that may fail comes first.
        if let expires = invocation[expires] {
            let seconds: Int64? = if case .seconds(let seconds) = expires { seconds } else { nil }
            _ = try await session.execute(SetExpiry(reference, seconds))
        }
        if let retention = invocation[retention] {
            let profile = try await session.profileID()
            _ = try await session.execute(SetRetention(profile, in: reference, retention.retention))
        }
        if let receipts = invocation[receipts] {
            _ = try await session.execute(SetContactReceipts(reference, receipts.isOn))
        }
        if let keys = invocation[postQuantum] {
            _ = try await session.execute(SetPostQuantum(reference, keys == .on))
        }
        let changed = try await session.execute(FindChat(reference, of: try await session.profileID())).chat
        try invocation.print(done: ContactReport(chat: changed, action: "changed"))
        return .ok
    }

    /// The group that is meant; nil for another chat.
    private static func group(_ session: CommandSession) async throws -> Group? {
        try await session.chat(session.invocation[chat]).group
    }

    /// Sets what groups and contacts have alike.
    private static func set(_ group: Group, _ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        guard invocation[postQuantum] == nil else { throw Reason.isGroup(group.target) }
        try await keep(
            group, expires: invocation[expires], retention: invocation[retention], session)
        if let receipts = invocation[receipts] {
            _ = try await session.execute(SetContactReceipts(.reference(.group(group.id)), receipts.isOn))
        }
        let changed = try await session.group(.groupID(group.id))
        try invocation.print(done: GroupReport(group: changed, action: "changed"))
        return .ok
    }

    /// Sets how long messages of a group are kept and shown.
    static func keep(
        _ group: Group, expires: KeepingTime?, retention: KeepingTime?, _ session: CommandSession
    ) async throws {
        let reference = ChatReference.group(group.id)
        if let expires {
            let seconds: Int64? = if case .seconds(let seconds) = expires { seconds } else { nil }
            _ = try await session.execute(SetExpiry(.reference(reference), seconds))
        }
        if let retention {
            let profile = try await session.profileID()
            _ = try await session.execute(SetRetention(profile, in: .reference(reference), retention.retention))
        }
    }
}
