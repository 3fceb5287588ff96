public import ByteCoding
public import Ratchet
public import SMPProtocol

/// The actions of a connection after a step. Storing the connection, its tasks and its events is one transaction.
public struct ConnectionStep: Sendable {
    /// The events for the application, in order.
    public var events: [ConnectionEvent] = []
    /// The tasks at relays, in order, after all earlier tasks of the connection.
    public var tasks: [ConnectionTask] = []
    /// The changes to the stored skipped keys.
    public var skipped: SkippedKeys.Change = .none
    /// True if all stored skipped keys belong to a discarded ratchet.
    public var forgetsSkippedKeys = false
    /// Own queues to delete at their relays.
    public var discarded: [ReceiveQueue] = []
    /// True if the set of receive queues changed.
    public var changesQueues = false
    /// True if the other side accepts messages again after its queue was full.
    public var canContinue = false
    /// The reason why a decrypted message is not among the events.
    public var problem: ReceptionError?

    /// Creates a connection step.
    public init() {}
}

/// A task at a relay.
public enum ConnectionTask: Sendable {
    /// SKEY: secure the send queue for this side.
    case secureSendQueue
    /// NEW: create the queue for the other side's response. Ends with ``Connection/created(_:)``.
    case createReplyQueue(mode: QueueMode?)
    /// KEY: allow the sender with this key into the receive queue.
    case secureReceiveQueue(AuthorizationKey)
    /// SEND; ends with ``Connection/delivered(_:)``.
    case send(OutgoingMessage)
    /// NEW: create the queue that replaces the receive queue. Ends with ``Connection/createdNext(_:)``.
    case createNextQueue
    /// KEY: allow the sender with this key into that queue. Ends with ``Connection/securedNext()``.
    case secureNextQueue(AuthorizationKey)
    /// DEL: delete the last queue of the connection.
    case deleteReceiveQueue

    // Links and addresses.

    /// LKEY or LGET: read the records behind a short link. Ends with ``Connection/opened(_:securedWith:random:)``.
    case openLink(ShortLink)
    /// NEW: create the queue for the response of an address owner. Ends with ``Connection/created(_:for:)``.
    case createRequestQueue(for: AgreedQueueAddress)
    /// SEND to the queue of an address. Ends with ``Connection/requested()``. The bytes are an encoded
    /// ``AgentEnvelope``.
    case sendRequest(Bytes, to: AgreedQueueAddress)
    /// LSET: change the record behind the own short link.
    case setLink(UserLinkRecord)
    /// LDEL: delete the records behind the own short link.
    case deleteLink
}

/// A message encrypted by the ratchet, or keys for a new ratchet. Its bytes never change, even if it is sent again.
public struct OutgoingMessage: Hashable, Sendable {
    /// The kind of a message, which decides on its authorization and on the step after delivery.
    public enum Kind: Int64, Sendable {
        /// The first message of the handshake.
        case confirmation
        /// HELLO, of queues that their recipient secures.
        case hello
        /// A message of the application.
        case content
        /// QCONT: a full queue was emptied.
        case control
        /// Delivery receipts.
        case receipts
        /// QADD: a new queue.
        case queueAdd
        /// QKEY: the sender's keys for a new queue.
        case queueKey
        /// QUSE: the new queue is ready.
        case queueUse
        /// QTEST: the first message in the new queue.
        case queueTest
        /// Keys for a new ratchet, not encrypted by a ratchet.
        case ratchetKey
        /// EREADY: the new ratchet is ready.
        case ratchetReady

        /// True if the message is between agents and concerns an established connection.
        public var isControl: Bool {
            switch self {
            case .confirmation, .hello, .content: false
            case .control, .receipts, .queueAdd, .queueKey, .queueUse, .queueTest, .ratchetKey, .ratchetReady: true
            }
        }
    }

    /// The kind of the message.
    public let kind: Kind
    /// The number of the message in the sequence of this side, from 1.
    public let number: Int64
    /// The SHA-256 of the message before encryption, repeated by a receipt.
    public let hash: Bytes
    /// True if the other side may be notified of the message.
    public let notifies: Bool
    /// The encoded ``AgentEnvelope``.
    public let envelope: Bytes

    /// Creates an outgoing message from its parts.
    public init(kind: Kind, number: Int64, hash: Bytes, notifies: Bool, envelope: Bytes) {
        self.kind = kind
        self.number = number
        self.hash = hash
        self.notifies = notifies
        self.envelope = envelope
    }
}

/// An event of a connection, named after the event of the reference implementation.
public enum ConnectionEvent: Hashable, Sendable {
    /// The other side joined and sent its connection information. The answer is ``Connection/allow(_:random:)``.
    ///
    /// `supportsPostQuantum` is true if this side uses the KEM with a peer that does: its setting and the versions
    /// allow it.
    case conf(information: Bytes, supportsPostQuantum: Bool)
    /// A contact request arrived at the address. To accept is to join the invitation, to reject is to forget it.
    case req(ConnectionRequest, information: Bytes)
    /// The other side's relay has our confirmation or our request.
    case joined
    /// The initiator answered with its connection information.
    case info(Bytes, supportsPostQuantum: Bool)
    /// Both sides can send. `isPostQuantum` is true if the KEM protected the last message of this side.
    case con(isPostQuantum: Bool)
    /// A message arrived.
    case msg(ReceivedMessage)
    /// The other side received messages.
    case rcvd([MessageReceipt])
    /// A queue rotation advanced.
    case switching(QueueDirection, SwitchPhase)
    /// The synchronisation of the ratchets changed.
    case rsync(RatchetSynchronization)
    /// The other side accepts messages again after its queue was full.
    case qcont
}

/// A received message of the other side's application.
public struct ReceivedMessage: Hashable, Sendable {
    /// The number of the message in the sequence of the other side.
    public let number: Int64
    /// The SHA-256 of the decrypted message, for a receipt.
    public let hash: Bytes
    /// The time at which the relay received the message.
    public let relayTime: Timestamp
    /// The result of checking the sequence of messages.
    public let integrity: MessageIntegrity
    /// True if the KEM protected the message.
    public let isPostQuantum: Bool
    /// The body.
    public let body: Bytes

    /// Creates a received message from its parts.
    public init(
        number: Int64, hash: Bytes, relayTime: Timestamp, integrity: MessageIntegrity, isPostQuantum: Bool, body: Bytes
    ) {
        self.number = number
        self.hash = hash
        self.relayTime = relayTime
        self.integrity = integrity
        self.isPostQuantum = isPostQuantum
        self.body = body
    }
}

/// The reason why a received message was not read. It is still acknowledged to the relay, because a retry cannot
/// succeed.
public enum ReceptionError: Error, Hashable, Sendable {
    /// The encryption of the queue is invalid.
    case notAuthentic
    /// The message does not follow its format.
    case malformed(DecodeError)
    /// The message does not fit the status of the connection.
    case unexpected
    /// A confirmation that was already received; harmless.
    case repeated
    /// The message requires unsupported versions.
    case incompatible
    /// A rotation message for a queue without a rotation; harmless.
    case queue
    /// The ratchet cannot decrypt the message.
    case ratchet(RatchetError)
}

extension Connection {
    /// The reason why a connection could not begin, or a message could not be created.
    public enum Failure: Error, Hashable, Sendable {
        /// The other side and this program have no common version.
        case incompatible
        /// The other side's keys are invalid.
        case invalidKey
        /// The message is longer than `limit` bytes.
        case tooLarge(limit: Int)
        /// The status of the connection does not allow the operation.
        case notReady
        /// The ratchets are out of sync: a synchronisation is required or running.
        case outOfStep
        /// The ratchet failed.
        case ratchet(RatchetError)
        /// The cryptographic library failed.
        case libraryFailed
    }
}
