public import ByteCoding
public import Ratchet
public import SMPProtocol

/// What a connection asks for when it took a step. Storing the connection, its tasks and its events is one transaction.
public struct ConnectionStep: Sendable {
    /// What the application is told, in order.
    public var events: [ConnectionEvent] = []
    /// What is to be done at relays, one after the other and after all earlier tasks of the connection.
    public var tasks: [ConnectionTask] = []
    /// What happens to the stored keys of messages that were overtaken.
    public var skipped: SkippedKeys.Change = .none
    /// Whether all stored keys of overtaken messages belong to a ratchet that is no more.
    public var forgetsSkippedKeys = false
    /// Own queues that are not used any more, to be deleted at their relays.
    public var discarded: [ReceiveQueue] = []
    /// Whether messages come through other queues than before.
    public var changesQueues = false
    /// Whether the other side has room again for messages that its relay refused.
    public var canContinue = false
    /// Why a message that was decrypted is not among the events.
    public var problem: ReceptionError?

    public init() {}
}

/// Something to do at a relay.
public enum ConnectionTask: Sendable {
    /// SKEY: become the only sender of the send queue.
    case secureSendQueue
    /// NEW: the queue in which the other side will answer; ends with ``Connection/created(_:)``.
    case createReplyQueue(mode: QueueMode?)
    /// KEY: let the sender with this key into the receive queue.
    case secureReceiveQueue(AuthorizationKey)
    /// SEND; ends with ``Connection/delivered(_:)``.
    case send(OutgoingMessage)
    /// NEW: the queue that replaces the receive queue; ends with ``Connection/createdNext(_:)``.
    case createNextQueue
    /// KEY: let the sender with this key into that queue; ends with ``Connection/securedNext()``.
    case secureNextQueue(AuthorizationKey)
    /// DEL: nothing of the connection is left at its relays.
    case deleteReceiveQueue

    // Links and addresses.

    /// LKEY or LGET: what is behind a short link; ends with ``Connection/opened(_:securedWith:random:)``.
    case openLink(ShortLink)
    /// NEW: the queue in which the owner of an address will answer; ends with ``Connection/created(_:for:)``.
    case createRequestQueue(for: AgreedQueueAddress)
    /// SEND to the queue of an address; ends with ``Connection/requested()``. The bytes are an encoded ``AgentEnvelope``.
    case sendRequest(Bytes, to: AgreedQueueAddress)
    /// LSET: change what is behind the own short link.
    case setLink(UserLinkRecord)
    /// LDEL: nothing is behind the own short link any more.
    case deleteLink
}

/// A message that went through the ratchet, or keys for another one. Its bytes never change, however often it is sent.
public struct OutgoingMessage: Hashable, Sendable {
    public enum Kind: Int64, Sendable {
        case confirmation
        case hello
        /// The application's message.
        case content
        /// A queue was emptied.
        case control
        /// Messages were received.
        case receipts
        case queueAdd
        case queueKey
        case queueUse
        case queueTest
        /// Keys for a new ratchet, which does not go through one.
        case ratchetKey
        case ratchetReady

        /// Whether it is what agents tell each other about a connection that was made.
        public var isControl: Bool {
            switch self {
            case .confirmation, .hello, .content: false
            case .control, .receipts, .queueAdd, .queueKey, .queueUse, .queueTest, .ratchetKey, .ratchetReady: true
            }
        }
    }

    public let kind: Kind
    /// Its place in the sequence of this side, from 1.
    public let number: Int64
    /// SHA-256 of the message before encryption, which a receipt repeats.
    public let hash: Bytes
    /// Whether the other side's device may be woken.
    public let notifies: Bool
    /// The encoded ``AgentEnvelope``.
    public let envelope: Bytes

    public init(kind: Kind, number: Int64, hash: Bytes, notifies: Bool, envelope: Bytes) {
        self.kind = kind
        self.number = number
        self.hash = hash
        self.notifies = notifies
        self.envelope = envelope
    }
}

/// What happens to a connection. The cases are named after the events of the reference implementation.
public enum ConnectionEvent: Hashable, Sendable {
    /// The other side joined and says who it is: to be answered with ``Connection/allow(_:random:)``.
    ///
    /// `supportsPostQuantum` says whether this side uses the KEM if the other does: it wants to, and the versions have it.
    case conf(information: Bytes, supportsPostQuantum: Bool)
    /// Somebody uses the address. To accept is to join the invitation, to refuse is to forget it.
    case req(ConnectionRequest, information: Bytes)
    /// The other side's relay has our confirmation, or our request.
    case joined
    /// The initiator answered and says who it is.
    case info(Bytes, supportsPostQuantum: Bool)
    /// Both sides can send. `isPostQuantum` says whether the KEM protects what this side sent or received last.
    case con(isPostQuantum: Bool)
    case msg(ReceivedMessage)
    /// The other side received messages.
    case rcvd([MessageReceipt])
    /// A queue is being replaced.
    case switching(QueueDirection, SwitchPhase)
    /// Whether the ratchets fit has changed.
    case rsync(RatchetSynchronization)
    /// The other side has room again for messages that its relay refused.
    case qcont
}

/// A message of the application on the other side.
public struct ReceivedMessage: Hashable, Sendable {
    /// Its place in the sequence of the other side.
    public let number: Int64
    /// SHA-256 of the decrypted message, for a receipt.
    public let hash: Bytes
    /// When the relay received it.
    public let relayTime: Timestamp
    /// What its header says about the messages before it.
    public let integrity: MessageIntegrity
    /// Whether the KEM protected it.
    public let isPostQuantum: Bool
    public let body: Bytes

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

/// Why a received message was not read. It is acknowledged to the relay all the same: it would not get better.
public enum ReceptionError: Error, Hashable, Sendable {
    /// The encryption of the queue does not open.
    case notAuthentic
    case malformed(DecodeError)
    /// The connection is not in a state in which such a message means something.
    case unexpected
    /// A confirmation that was received before; harmless.
    case repeated
    /// Versions that this program does not speak.
    case incompatible
    /// A word about the replacement of a queue that is not being replaced, perhaps not any more; harmless.
    case queue
    case ratchet(RatchetError)
}

extension Connection {
    /// Why a connection could not begin, or a message could not be made.
    public enum Failure: Error, Hashable, Sendable {
        /// The other side and this program have no version in common.
        case incompatible
        /// The other side's keys are none.
        case invalidKey
        /// The message is longer than this many bytes.
        case tooLarge(limit: Int)
        /// The connection is not in a state in which this can be done.
        case notReady
        /// The ratchets do not fit: a new one has to be asked for, or was.
        case outOfStep
        case ratchet(RatchetError)
        /// The cryptographic library failed.
        case libraryFailed
    }
}
