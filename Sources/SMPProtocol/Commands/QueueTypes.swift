public import ByteCoding
public import CryptoCore

/// What a queue is for. It decides who may secure it and which link may point to it.
public enum QueueMode: Sendable, Hashable {
    /// One sender, who secures the queue (SKEY). Letter `M`.
    case messaging
    /// Many senders who each send one request; never secured. Letter `C`.
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

/// The two encrypted blobs that a relay keeps for a short link.
public struct LinkBlobs: Hashable, Sendable, ByteCodable {
    /// Never changes.
    public let fixed: Bytes
    /// Replaced by the owner at any time.
    public let user: Bytes

    public init(fixed: Bytes, user: Bytes) {
        self.fixed = fixed
        self.user = user
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        fixed = try reader.largeBytes()
        user = try reader.largeBytes()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.largeBytes(fixed)
        writer.largeBytes(user)
    }
}

/// A link to be created together with its queue, from version 15.
public struct NewLink: Hashable, Sendable {
    /// Chosen by the client for contact queues; a messaging queue's link id is chosen by the relay.
    public let linkID: EntityID?
    /// Must follow from the correlation id of NEW (``EntityID/sender(for:)``).
    public let senderID: EntityID
    public let blobs: LinkBlobs

    public init(linkID: EntityID?, senderID: EntityID, blobs: LinkBlobs) {
        self.linkID = linkID
        self.senderID = senderID
        self.blobs = blobs
    }
}

/// The mode of a new queue and the link to it, if any.
public struct QueueRequest: Hashable, Sendable {
    public let mode: QueueMode
    public let link: NewLink?

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

/// The public keys of a notifier: who may subscribe to notifications, and how their metadata are encrypted.
public struct NotifierKeys: Hashable, Sendable, ByteCodable {
    public let authorizationKey: AuthorizationKey
    public let dhKey: X25519.PublicKey

    public init(authorizationKey: AuthorizationKey, dhKey: X25519.PublicKey) {
        self.authorizationKey = authorizationKey
        self.dhKey = dhKey
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        authorizationKey = try reader.value()
        dhKey = try reader.value()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.value(authorizationKey)
        writer.value(dhKey)
    }
}

/// Whether NEW also subscribes the connection.
public enum SubscriptionMode: Hashable, Sendable {
    /// Letter `S`.
    case subscribe
    /// Letter `C`.
    case createOnly
}

/// The parameters of NEW.
public struct NewQueue: Hashable, Sendable {
    public let recipientKey: AuthorizationKey
    /// Agrees with the relay's key on the secret that encrypts messages from the relay to the recipient.
    public let dhKey: X25519.PublicKey
    public let password: ServerPassword?
    public let subscription: SubscriptionMode
    /// Nil for a queue without mode, which only versions below 9 create.
    public let request: QueueRequest?
    /// From version 17.
    public let notifier: NotifierKeys?

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

/// What a sender asks of the delivery of a message.
public struct MessageFlags: Hashable, Sendable {
    /// Whether the recipient's device may be woken.
    public let notifies: Bool

    public init(notifies: Bool) {
        self.notifies = notifies
    }

    /// Reads the first character and skips to the space; later versions may add characters.
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
