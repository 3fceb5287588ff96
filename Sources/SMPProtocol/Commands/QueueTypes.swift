public import ByteCoding
public import CryptoCore

/// The purpose of a queue, which decides who may secure it and which link may point to it (smp-agent.md 5.2).
public enum QueueMode: Sendable, Hashable {
    /// A queue with one sender, who secures it (SKEY). Letter `M`.
    case messaging
    /// A queue with many senders of one request each, never secured. Letter `C`.
    case contact

    var letter: Unicode.Scalar {
        switch self {
        case .messaging: "M"
        case .contact: "C"
        }
    }

    static func read(from reader: inout ByteReader) throws(DecodeError) -> QueueMode {
        switch try reader.uint8() {
        case UInt8(ascii: "M"): .messaging
        case UInt8(ascii: "C"): .contact
        default: throw .invalid("queue mode")
        }
    }
}

/// The two encrypted records of a short link on a relay (smp-agent.md 6.6).
public struct LinkBlobs: Hashable, Sendable, ByteCodable {
    /// The immutable record.
    public let fixed: Bytes
    /// The record that the owner can replace.
    public let user: Bytes

    /// Creates a link blobs from its parts.
    public init(fixed: Bytes, user: Bytes) {
        self.fixed = fixed
        self.user = user
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        fixed = try reader.largeBytes()
        user = try reader.largeBytes()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.largeBytes(fixed)
        writer.largeBytes(user)
    }
}

/// The link of a new queue, from version 15.
public struct NewLink: Hashable, Sendable {
    /// The link id, which the client chooses for contact queues and the relay for messaging queues.
    public let linkID: EntityID?
    /// The sender id, which must be derived from the correlation id of NEW (``EntityID/sender(for:)``).
    public let senderID: EntityID
    /// The records of the link.
    public let blobs: LinkBlobs

    /// Creates a new link from its parts.
    public init(linkID: EntityID?, senderID: EntityID, blobs: LinkBlobs) {
        self.linkID = linkID
        self.senderID = senderID
        self.blobs = blobs
    }
}

/// The mode of a new queue and its optional link.
public struct QueueRequest: Hashable, Sendable {
    /// The mode of the queue.
    public let mode: QueueMode
    /// The link to create with the queue.
    public let link: NewLink?

    /// Creates a queue request from its parts.
    public init(mode: QueueMode, link: NewLink? = nil) {
        self.mode = mode
        self.link = link
    }

    static func read(from reader: inout ByteReader) throws(DecodeError) -> QueueRequest {
        let mode = try QueueMode.read(from: &reader)
        let link = try reader.optional { reader throws(DecodeError) in
            let linkID: EntityID? = mode == .contact ? try reader.value() : nil
            return NewLink(linkID: linkID, senderID: try reader.value(), blobs: try reader.value())
        }
        return QueueRequest(mode: mode, link: link)
    }

    func encode(into writer: inout ByteWriter) {
        writer.character(mode.letter)
        writer.optional(link) { writer, link in
            if mode == .contact { writer.value(link.linkID ?? .empty) }
            writer.value(link.senderID)
            writer.value(link.blobs)
        }
    }
}

/// The public keys of a notifier.
public struct NotifierKeys: Hashable, Sendable, ByteCodable {
    /// The key that authorizes its commands.
    public let authorizationKey: AuthorizationKey
    /// The key that encrypts the metadata of notifications.
    public let dhKey: X25519.PublicKey

    /// Creates a notifier keys from its parts.
    public init(authorizationKey: AuthorizationKey, dhKey: X25519.PublicKey) {
        self.authorizationKey = authorizationKey
        self.dhKey = dhKey
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        authorizationKey = try reader.value()
        dhKey = try reader.value()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.value(authorizationKey)
        writer.value(dhKey)
    }
}

/// The choice between creating a queue with or without a subscription.
public enum SubscriptionMode: Hashable, Sendable {
    /// Creates the queue and subscribes to it. Letter `S`.
    case subscribe
    /// Creates the queue only. Letter `C`.
    case createOnly
}

/// The parameters of NEW (smp-agent.md 5.2).
public struct NewQueue: Hashable, Sendable {
    /// The key that authorizes the recipient's commands.
    public let recipientKey: AuthorizationKey
    /// The recipient's key for the agreement that encrypts messages from the relay to the recipient.
    public let dhKey: X25519.PublicKey
    /// The password of the relay.
    public let password: ServerPassword?
    /// The subscription of the new queue.
    public let subscription: SubscriptionMode
    /// The mode and link; nil for a queue without mode, below version 9.
    public let request: QueueRequest?
    /// The notifier's keys, from version 17.
    public let notifier: NotifierKeys?

    /// Creates a new queue from its parts.
    public init(
        recipientKey: AuthorizationKey, dhKey: X25519.PublicKey, password: ServerPassword? = nil,
        subscription: SubscriptionMode = .subscribe, request: QueueRequest?, notifier: NotifierKeys? = nil
    ) {
        self.recipientKey = recipientKey
        self.dhKey = dhKey
        self.password = password
        self.subscription = subscription
        self.request = request
        self.notifier = notifier
    }

    init(from reader: inout ByteReader, version: UInt16) throws(DecodeError) {
        recipientKey = try reader.value()
        dhKey = try reader.value()
        if version >= SMP.senderKeys {
            password = try reader.optional()
        } else {
            password = reader.skip("A") ? try reader.value() : nil
        }
        switch try reader.uint8() {
        case UInt8(ascii: "S"): subscription = .subscribe
        case UInt8(ascii: "C"): subscription = .createOnly
        default: throw .invalid("subscription mode")
        }
        if version >= SMP.shortLinks {
            request = try reader.optional { reader throws(DecodeError) in try QueueRequest.read(from: &reader) }
        } else if version >= SMP.senderKeys {
            request = QueueRequest(mode: try reader.bool() ? .messaging : .contact)
        } else {
            request = nil
        }
        notifier = version >= SMP.notifierInNew ? try reader.optional() : nil
    }

    func encode(into writer: inout ByteWriter, version: UInt16) {
        writer.value(recipientKey)
        writer.value(dhKey)
        if version >= SMP.senderKeys {
            writer.optional(password)
        } else if let password {
            writer.character("A")
            writer.value(password)
        }
        writer.character(subscription == .subscribe ? "S" : "C")
        if version >= SMP.shortLinks {
            writer.optional(request) { $1.encode(into: &$0) }
        } else if version >= SMP.senderKeys {
            writer.bool(request?.mode == .messaging)
        }
        if version >= SMP.notifierInNew { writer.optional(notifier) }
    }
}

/// The delivery flags of a message.
public struct MessageFlags: Hashable, Sendable {
    /// True if the recipient may be notified of the message.
    public let notifies: Bool

    /// Creates a message flags from its parts.
    public init(notifies: Bool) {
        self.notifies = notifies
    }

    /// Reads the first character and skips to the space. Later versions may add characters.
    static func read(from reader: inout ByteReader) throws(DecodeError) -> MessageFlags {
        let notifies = try reader.bool()
        guard reader.upTo(" ") != nil else { throw .truncated }
        return MessageFlags(notifies: notifies)
    }

    func encode(into writer: inout ByteWriter) {
        writer.bool(notifies)
        writer.character(" ")
    }
}
