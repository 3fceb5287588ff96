import ByteCoding
public import ChatProtocol

/// Reports a message of a group to the moderators. (`/_report #1 7 reason=spam TEXT`)
public struct ReportMessage: ChatCommand {
    public var chat: ChatTarget
    public var item: ChatItemID
    public var reason: ReportReason
    /// What the user says about it; empty for nothing.
    public var text: String

    public init(_ chat: ChatTarget, _ item: ChatItemID, _ reason: ReportReason, _ text: String = "") {
        self.chat = chat
        self.item = item
        self.reason = reason
        self.text = text
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_report", .chat(\.chat), .item(\.item), .reason(\.reason), .lastBeginning(\.text), make: Self.init))

    public func utterances(on core: isolated LocalCore) async throws -> [Utterance] {
        let chat = try core.lookup.chat(chat), content = MessageContent(text, kind: .report(reason))
        return [
            Utterance(
                profile: try core.lookup.profile(chat.profileID), chat: chat, content: content, answers: item,
                isForModerators: true)
        ]
    }

    public func effect(of response: NewChatItems) -> SessionEffect? {
        .visible(response.profile, .newItems(response.items))
    }

    public func perform(on core: isolated LocalCore) async throws -> NewChatItems {
        try core.conversations.report(item, reason, text, in: chat)
    }
}

extension Argument where Value == ReportReason {
    /// `reason=spam`
    fileprivate static func reason(_ value: @escaping @Sendable (Command) -> ReportReason) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.skipExactly("reason", "=") else { throw .invalid("reason") }
                return ReportReason(rawValue: reader.name())
            },
            write: { command in
                let word = value(command).rawValue
                return "reason=" + (ReportReason.plain.contains(word) ? word : CommandText.quoted(word))
            })
    }
}

extension ReportReason {
    /// The words that are written without quotes.
    fileprivate static let plain: Set = ["spam", "content", "community", "profile", "other"]
}
