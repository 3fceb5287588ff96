public import ByteCoding
public import JSONCoding

/// The parameters of `x.msg.new`: what somebody wrote, and how it is to be treated.
public struct MessageContainer: Hashable, Sendable {
    public let content: MessageContent
    /// After how many seconds the message disappears.
    public let ttl: Int64?
    /// Whether the text is still being typed: updates follow.
    public let isLive: Bool
    /// Whether the sender did not write this, but passed it on.
    public let isForwarded: Bool
    public let quote: Quote?
    /// What is not known here: file, mentions, scope and others.
    public let otherFields: JSONObject

    public init(
        _ content: MessageContent, ttl: Int64? = nil, isLive: Bool = false, isForwarded: Bool = false,
        quote: Quote? = nil, otherFields: JSONObject = [:]
    ) {
        self.content = content
        self.ttl = ttl
        self.isLive = isLive
        self.isForwarded = isForwarded
        self.quote = quote
        self.otherFields = otherFields
    }
}

extension MessageContainer: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        content = try fields.required("content")
        ttl = try fields.optionalInteger("ttl")
        isLive = try fields.optionalBool("live") ?? false
        isForwarded = try MessageContainer.isForwarded(fields.value("forward"))
        quote = try fields.optional("quote")
        otherFields = fields.rest
    }

    /// Old clients wrote an object about the origin where there is now only `true`.
    private static func isForwarded(_ value: JSONValue?) throws(DecodeError) -> Bool {
        switch value {
        case nil: false
        case .bool(let value): value
        case .object: true
        default: throw .invalid("forward")
        }
    }

    public var fields: JSONObject {
        var fields = otherFields
        fields.set("content", content)
        fields.set("ttl", ttl)
        fields.set("live", isLive ? true : nil)
        fields.set("forward", isForwarded ? true : nil)
        fields.set("quote", quote)
        return fields
    }
}
