public import ByteCoding
public import JSONCoding

/// A message of a member that an admin forwards to a member without a connection to the author (`x.grp.msg.forward`,
/// chat.md 4.5). The history for new members consists of such messages too.
public struct ForwardedMessage: Hashable, Sendable {
    /// The author; nil for the posts of channels.
    public let memberID: MemberID?
    /// The display name of the author, for members who do not know it.
    public let memberName: String?
    /// The time of the original at the relay of the forwarding member.
    public let time: WireTime
    /// The message as the author sent it.
    public let original: JSONObject
    /// The signature of the author, of a signed message in a binary payload only.
    public let signature: ElementSignature?

    /// Creates a forwarded message from a received one.
    public init(_ original: JSONObject, of memberID: MemberID?, named name: String? = nil, at time: WireTime) {
        self.memberID = memberID
        memberName = name
        self.time = time
        self.original = original
        signature = nil
    }

    /// Creates a forwarded message from an element of a binary payload. Returns nil if the original is no message.
    public init?(_ element: ForwardedElement, _ original: ChatElement) {
        guard case .success(.message) = original.content,
            let object = try? JSONValue(decoding: original.bytes).object
        else { return nil }
        memberID = element.memberID
        memberName = element.memberName
        time = WireTime(element.time)
        self.original = object
        signature = original.signature
    }

    /// Creates a forwarded message from a chat message, such as one of the history.
    public init(_ message: ChatMessage, of memberID: MemberID?, named name: String? = nil, at time: WireTime) {
        self.init(message.fields, of: memberID, named: name, at: time)
    }

    /// Reads the original message.
    ///
    /// - Throws: ``DecodeError``, also for an original that is forwarded itself.
    public func message() throws(DecodeError) -> ChatMessage {
        try ForwardedMessage.check(original)
        var fields = JSONFields(original)
        return try ChatMessage(from: &fields)
    }

    /// Throws if an original is forwarded itself: a member could otherwise hide behind another one.
    private static func check(_ original: JSONObject) throws(DecodeError) {
        guard original["event"]?.string != GroupEvent.Name.forwarded.rawValue else { throw .invalid("msg") }
    }
}

extension ForwardedMessage: JSONObjectCodable {
    /// Reads the JSON form. The original is not read, except that it must not be forwarded itself.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        memberID = try fields.optionalMemberID("memberId")
        memberName = try fields.optionalText("memberName")
        original = try fields.object("msg").rest
        try ForwardedMessage.check(original)
        signature = nil
        time = try fields.word("msgTs") { try WireTime(text: $0) }
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = JSONObject()
        fields["memberId"] = memberID?.json
        fields.set("memberName", memberName)
        fields["msg"] = .object(original)
        fields.set("msgTs", time.text)
        return fields
    }
}
