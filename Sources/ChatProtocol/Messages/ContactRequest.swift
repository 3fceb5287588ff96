public import ByteCoding
public import JSONCoding

/// The parameters of `x.contact`: what somebody sends to an address.
public struct ContactRequest: Hashable, Sendable {
    /// A message that comes with the request.
    public struct Message: Hashable, Sendable {
        public let id: SharedMessageID
        public let content: MessageContent

        public init(id: SharedMessageID, content: MessageContent) {
            self.id = id
            self.content = content
        }
    }

    public var profile: Profile
    /// Random bytes that are the same when the request is sent again; 16 in the official clients.
    public let requestID: Bytes?
    /// The id that the requester gave to the welcome message of the address, so that the owner can update it.
    public let welcomeMessageID: SharedMessageID?
    public let message: Message?
    /// What is not known here.
    public let otherFields: JSONObject

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
    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("profile")
        requestID = try fields.optionalBytes("contactReqId")
        welcomeMessageID = try fields.optionalID("welcomeMsgId")
        let id = try fields.optionalID("msgId")
        let content: MessageContent? = try fields.optional("content")
        // One without the other means nothing.
        if let id, let content { message = Message(id: id, content: content) } else { message = nil }
        otherFields = fields.rest
    }

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
