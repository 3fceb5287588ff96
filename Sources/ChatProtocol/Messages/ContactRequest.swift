public import ByteCoding
public import JSONCoding

/// The parameters of `x.contact`: a contact request to an address (chat.md 3.4).
public struct ContactRequest: Hashable, Sendable {
    /// A message in the request.
    public struct Message: Hashable, Sendable {
        /// The id of the message.
        public let id: SharedMessageID
        /// The content of the message.
        public let content: MessageContent

        /// Creates a message from its parts.
        public init(id: SharedMessageID, content: MessageContent) {
            self.id = id
            self.content = content
        }
    }

    /// The profile of the requester.
    public var profile: Profile
    /// Random bytes that identify repeated requests, 16 in the official clients.
    public let requestID: Bytes?
    /// The requester's id of the welcome message, with which the owner can update it.
    public let welcomeMessageID: SharedMessageID?
    /// The message in the request.
    public let message: Message?
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a contact request from its parts.
    public init(
        profile: Profile, requestID: Bytes? = nil, welcomeMessageID: SharedMessageID? = nil, message: Message? = nil,
        otherFields: JSONObject = [:]
    ) {
        self.profile = profile
        self.requestID = requestID
        self.welcomeMessageID = welcomeMessageID
        self.message = message
        self.otherFields = otherFields
    }
}

extension ContactRequest: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("profile")
        requestID = try fields.optionalBytes("contactReqId")
        welcomeMessageID = try fields.optionalID("welcomeMsgId")
        let id = try fields.optionalID("msgId")
        let content: MessageContent? = try fields.optional("content")
        // The id or the content alone has no meaning.
        if let id, let content { message = Message(id: id, content: content) } else { message = nil }
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("profile", profile)
        fields.set("contactReqId", requestID.map { Base64URL.encode($0) })
        fields["welcomeMsgId"] = welcomeMessageID?.json
        fields["msgId"] = message?.id.json
        fields.set("content", message?.content)
        return fields
    }
}
