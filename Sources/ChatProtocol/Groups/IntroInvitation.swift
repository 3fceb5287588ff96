public import ByteCoding
public import JSONCoding

/// The links of a new member for a member to which the host introduces it (chat.md 4.4).
public struct IntroInvitation: Hashable, Sendable {
    /// The full link of the connection between the two members.
    public let groupLink: String
    /// The full link of a direct contact; only old clients send one.
    public let directLink: String?
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates an intro invitation from its parts.
    public init(groupLink: String, directLink: String? = nil, otherFields: JSONObject = [:]) {
        self.groupLink = groupLink
        self.directLink = directLink
        self.otherFields = otherFields
    }
}

extension IntroInvitation: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        groupLink = try fields.text("groupConnReq")
        directLink = try fields.optionalText("directConnReq")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("groupConnReq", groupLink)
        fields.set("directConnReq", directLink)
        return fields
    }
}

/// The invitation of a member to a direct contact (`x.grp.direct.inv`, chat.md 4.6).
public struct MemberContactInvitation: Hashable, Sendable {
    /// The full link of the direct connection.
    public let connectionLink: String
    /// The first message.
    public let content: MessageContent?
    /// The part of the group in which the invitation was sent.
    public let scope: MessageScope?

    /// Creates a member contact invitation from its parts.
    public init(connectionLink: String, content: MessageContent? = nil, scope: MessageScope? = nil) {
        self.connectionLink = connectionLink
        self.content = content
        self.scope = scope
    }
}

extension MemberContactInvitation: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        connectionLink = try fields.text("connReq")
        content = try fields.optional("content")
        scope = try fields.optional("scope")
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("connReq", connectionLink)
        fields.set("content", content)
        fields.set("scope", scope)
        return fields
    }
}
