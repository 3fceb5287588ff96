public import ByteCoding
public import JSONCoding

/// An emoji that somebody gave a message, or something of a later version.
public struct Reaction: Hashable, Sendable {
    /// As it stands in messages.
    public let fields: JSONObject

    /// What may be given. Each is one Unicode scalar: the heart has no variation selector.
    public static let choices = ["👍", "👎", "😀", "😂", "😢", "❤", "🚀", "✅"]

    /// How many of them one side can give a message. Source: the reference implementation.
    public static let most = 3

    /// One of the ``choices``, however its presentation is chosen; nil for anything else.
    public init?(emoji: String) {
        let plain = String(String.UnicodeScalarView(emoji.unicodeScalars.filter { $0 != "\u{FE0F}" }))
        guard Reaction.choices.contains(plain) else { return nil }
        fields = ["type": "emoji", "emoji": .string(plain)]
    }

    /// What was kept.
    public init(stored fields: JSONObject) throws(DecodeError) {
        var fields = JSONFields(fields)
        try self.init(from: &fields)
    }

    /// What people see: the emoji, or a question mark for what is not known here.
    public var text: String {
        guard fields["type"]?.string == "emoji", let emoji = fields["emoji"]?.string, Reaction.choices.contains(emoji)
        else { return "?" }
        return emoji
    }
}

extension Reaction: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.fields = fields.rest
        _ = try fields.text("type")
    }
}
