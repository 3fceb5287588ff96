public import ByteCoding
public import JSONCoding

/// One message of the chat protocol, `{"v":...,"msgId":...,"event":...,"params":{...}}`.
public struct ChatMessage: Hashable, Sendable {
    /// The versions that the sender speaks.
    public let versions: VersionRange
    /// Absent in the handshake of a connection.
    public let id: SharedMessageID?
    public let event: Event

    public init(versions: VersionRange = ChatVersion.supported, id: SharedMessageID? = nil, event: Event) {
        self.versions = versions
        self.id = id
        self.event = event
    }
}

extension ChatMessage: JSONObjectCodable {
    /// Fields next to the known ones are ignored.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        if let range = try fields.optionalText("v") {
            guard let versions = try? VersionRange(text: range) else { throw .invalid("v") }
            self.versions = versions
        } else {
            versions = ChatVersion.initial
        }
        id = try fields.optionalID("msgId")
        let name = try fields.text("event")
        event = try Event(name: name, parameters: try fields.object("params"))
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["v": .string(versions.description)]
        fields["msgId"] = id?.json
        return fields.merging(["event": .string(event.name), "params": .object(event.parameters)])
    }
}

extension ChatMessage {
    /// What happened on the other side.
    ///
    /// Parameters that are not known are kept, except where an event has none.
    ///
    /// To give another event a type: a case here, its name in ``Name``, and its line in each of the three switches.
    public enum Event: Hashable, Sendable {
        /// Something was written (`x.msg.new`).
        case message(MessageContainer)
        /// The author changed what was written (`x.msg.update`).
        case update(MessageUpdate)
        /// The author takes back what was written (`x.msg.del`).
        case deletion(MessageDeletion)
        /// Something written got an emoji, or lost it (`x.msg.react`).
        case reaction(MessageReaction)
        /// The profile of the sender, in a handshake or because it changed (`x.info`).
        case profile(Profile, otherFields: JSONObject = [:])
        /// Somebody wants to be a contact (`x.contact`).
        case contactRequest(ContactRequest)
        /// Nothing to say, but the handshake needs a message (`x.ok`).
        case ok
        /// The sender deleted this contact (`x.direct.del`).
        case contactDeleted
        /// Somebody calls, or a call goes on (`x.call.*`).
        case call(CallMessage)
        /// An event that has no type here.
        case other(name: String, parameters: JSONObject)
    }
}

extension ChatMessage.Event {
    /// The names of the events that have a type.
    private enum Name: String {
        case message = "x.msg.new"
        case update = "x.msg.update"
        case deletion = "x.msg.del"
        case reaction = "x.msg.react"
        case profile = "x.info"
        case contactRequest = "x.contact"
        case ok = "x.ok"
        case contactDeleted = "x.direct.del"
    }

    /// The event of this name. A required field that is missing is an error; an unknown name is none.
    init(name: String, parameters: JSONFields) throws(DecodeError) {
        var fields = parameters
        switch Name(rawValue: name) {
        case .message: self = .message(try MessageContainer(from: &fields))
        case .update: self = .update(try MessageUpdate(from: &fields))
        case .deletion: self = .deletion(try MessageDeletion(from: &fields))
        case .reaction: self = .reaction(try MessageReaction(from: &fields))
        case .profile: self = .profile(try fields.required("profile"), otherFields: fields.rest)
        case .contactRequest: self = .contactRequest(try ContactRequest(from: &fields))
        case .ok: self = .ok
        case .contactDeleted: self = .contactDeleted
        case nil:
            guard let call = CallMessage.Name(rawValue: name) else {
                self = .other(name: name, parameters: fields.rest)
                return
            }
            self = .call(try CallMessage(call, from: &fields))
        }
    }

    /// The name on the wire, such as `x.msg.new`.
    public var name: String {
        switch self {
        case .message: Name.message.rawValue
        case .update: Name.update.rawValue
        case .deletion: Name.deletion.rawValue
        case .reaction: Name.reaction.rawValue
        case .profile: Name.profile.rawValue
        case .contactRequest: Name.contactRequest.rawValue
        case .ok: Name.ok.rawValue
        case .contactDeleted: Name.contactDeleted.rawValue
        case .call(let call): call.name.rawValue
        case .other(let name, _): name
        }
    }

    /// The parameters on the wire.
    public var parameters: JSONObject {
        switch self {
        case .message(let container): container.fields
        case .update(let update): update.fields
        case .deletion(let deletion): deletion.fields
        case .reaction(let reaction): reaction.fields
        case .profile(let profile, let otherFields): otherFields.merging(["profile": profile.json])
        case .contactRequest(let request): request.fields
        case .ok, .contactDeleted: [:]
        case .call(let call): call.fields
        case .other(_, let parameters): parameters
        }
    }

    // MARK: - What the agent is told

    /// Whether the recipient's relay should wake the recipient: the notification flag of a message with this event.
    public var notifies: Bool {
        ["x.msg.new", "x.file", "x.contact", "x.grp.inv", "x.grp.mem.fwd", "x.grp.del", "x.call.inv"].contains(name)
    }

    /// Whether a received event is acknowledged with a receipt, where receipts are on.
    public var wantsReceipt: Bool {
        ["x.msg.new", "x.grp.inv", "x.call.inv"].contains(name)
    }
}
