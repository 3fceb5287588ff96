public import ByteCoding
public import JSONCoding

/// A message of the chat protocol, `{"v":...,"msgId":...,"event":...,"params":{...}}` (chat.md 1.1).
public struct ChatMessage: Hashable, Sendable {
    /// The versions of the sender.
    public let versions: VersionRange
    /// The id, absent in the handshake of a connection.
    public let id: SharedMessageID?
    /// The event.
    public let event: Event

    /// Creates a chat message from its parts.
    public init(versions: VersionRange = ChatVersion.supported, id: SharedMessageID? = nil, event: Event) {
        self.versions = versions
        self.id = id
        self.event = event
    }
}

extension ChatMessage: JSONObjectCodable {
    /// Reads the JSON form. Unknown fields beside the known ones are ignored.
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

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields: JSONObject = ["v": .string(versions.description)]
        fields["msgId"] = id?.json
        return fields.merging(["event": .string(event.name), "params": .object(event.parameters)])
    }
}

extension ChatMessage {
    /// The event of a message (chat.md 2.1).
    ///
    /// Unknown parameters are kept, except for events without parameters.
    ///
    /// A new typed event needs a case here, its name in ``Name``, and its line in each of the three switches.
    public enum Event: Hashable, Sendable {
        /// A new message (`x.msg.new`).
        case message(MessageContainer)
        /// The author edited a message (`x.msg.update`).
        case update(MessageUpdate)
        /// The author deleted a message (`x.msg.del`).
        case deletion(MessageDeletion)
        /// A reaction was added to or removed from a message (`x.msg.react`).
        case reaction(MessageReaction)
        /// A part of the description of a file (`x.msg.file.descr`).
        case fileDescription(FileDescriptionPart)
        /// The sender of a file no longer offers it (`x.file.cancel`).
        case fileCancelled(SharedMessageID, otherFields: JSONObject = [:])
        /// The profile of the sender, in a handshake or after a change (`x.info`).
        case profile(Profile, otherFields: JSONObject = [:])
        /// A contact request (`x.contact`).
        case contactRequest(ContactRequest)
        /// An empty message, for a handshake (`x.ok`).
        case ok
        /// The sender deleted the contact (`x.direct.del`).
        case contactDeleted
        /// A step of a call (`x.call.*`).
        case call(CallMessage)
        /// A step by which contacts recognise each other in groups (`x.info.probe*`).
        case probe(ProbeMessage, otherFields: JSONObject = [:])
        /// An event of a group (`x.grp.*`).
        case group(GroupEvent, otherFields: JSONObject = [:])
        /// An event without a type here.
        case other(name: String, parameters: JSONObject)
    }
}

extension ChatMessage.Event {
    /// The names of the typed events.
    private enum Name: String {
        case message = "x.msg.new"
        case update = "x.msg.update"
        case deletion = "x.msg.del"
        case reaction = "x.msg.react"
        case fileDescription = "x.msg.file.descr"
        case fileCancelled = "x.file.cancel"
        case profile = "x.info"
        case contactRequest = "x.contact"
        case ok = "x.ok"
        case contactDeleted = "x.direct.del"
    }

    /// Creates the event of a name. An unknown name is allowed.
    ///
    /// - Throws: ``DecodeError`` if a required field is missing or invalid.
    init(name: String, parameters: JSONFields) throws(DecodeError) {
        var fields = parameters
        switch Name(rawValue: name) {
        case .message: self = .message(try MessageContainer(from: &fields))
        case .update: self = .update(try MessageUpdate(from: &fields))
        case .deletion: self = .deletion(try MessageDeletion(from: &fields))
        case .reaction: self = .reaction(try MessageReaction(from: &fields))
        case .fileDescription: self = .fileDescription(try FileDescriptionPart(from: &fields))
        case .fileCancelled: self = .fileCancelled(try fields.requiredID("msgId"), otherFields: fields.rest)
        case .profile: self = .profile(try fields.required("profile"), otherFields: fields.rest)
        case .contactRequest: self = .contactRequest(try ContactRequest(from: &fields))
        case .ok: self = .ok
        case .contactDeleted: self = .contactDeleted
        case nil:
            if let call = CallMessage.Name(rawValue: name) {
                self = .call(try CallMessage(call, from: &fields))
            } else if let probe = ProbeMessage.Name(rawValue: name) {
                self = .probe(try ProbeMessage(probe, from: &fields), otherFields: fields.rest)
            } else if let group = GroupEvent.Name(rawValue: name) {
                self = .group(try GroupEvent(group, from: &fields), otherFields: fields.rest)
            } else {
                self = .other(name: name, parameters: fields.rest)
            }
        }
    }

    /// The name of the event, such as `x.msg.new`.
    public var name: String {
        switch self {
        case .message: Name.message.rawValue
        case .update: Name.update.rawValue
        case .deletion: Name.deletion.rawValue
        case .reaction: Name.reaction.rawValue
        case .fileDescription: Name.fileDescription.rawValue
        case .fileCancelled: Name.fileCancelled.rawValue
        case .profile: Name.profile.rawValue
        case .contactRequest: Name.contactRequest.rawValue
        case .ok: Name.ok.rawValue
        case .contactDeleted: Name.contactDeleted.rawValue
        case .call(let call): call.name.rawValue
        case .probe(let probe, _): probe.name.rawValue
        case .group(let event, _): event.name.rawValue
        case .other(let name, _): name
        }
    }

    /// The parameters of the event.
    public var parameters: JSONObject {
        switch self {
        case .message(let container): container.fields
        case .update(let update): update.fields
        case .deletion(let deletion): deletion.fields
        case .reaction(let reaction): reaction.fields
        case .fileDescription(let part): part.fields
        case .fileCancelled(let id, let otherFields): otherFields.merging(["msgId": id.json])
        case .profile(let profile, let otherFields): otherFields.merging(["profile": profile.json])
        case .contactRequest(let request): request.fields
        case .ok, .contactDeleted: [:]
        case .call(let call): call.fields
        case .probe(let probe, let otherFields): otherFields.merging(probe.parameters)
        case .group(let event, let otherFields): otherFields.merging(event.parameters)
        case .other(_, let parameters): parameters
        }
    }

    // MARK: - Delivery flags

    /// True if the relay should notify the recipient of the message (chat.md 1.8).
    public var notifies: Bool {
        ["x.msg.new", "x.file", "x.contact", "x.grp.inv", "x.grp.mem.fwd", "x.grp.del", "x.call.inv"].contains(name)
    }

    /// True if a received event is confirmed with a delivery receipt, if receipts are enabled (chat.md 1.9).
    public var wantsReceipt: Bool {
        ["x.msg.new", "x.grp.inv", "x.call.inv"].contains(name)
    }
}
