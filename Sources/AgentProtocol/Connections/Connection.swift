public import ByteCoding
public import Ratchet
public import SMPProtocol

/// A duplex connection with one other side: two one-way queues and a ratchet.
///
/// The steps are pure: each takes what happened, changes the value and returns what follows from it. A step that throws may
/// leave a half-changed value, which is thrown away.
///
/// | initiator               | status       | joiner                           | status       |
/// |-------------------------|--------------|----------------------------------|--------------|
/// | creates a queue, a link | `new`        |                                  |              |
/// |                         |              | secures that queue, creates its own, sends its confirmation | `confirming`, then `confirmed` |
/// | receives it             | `requested`  |                                  |              |
/// | allows, secures the joiner's queue, sends its confirmation | `confirming`, then `ready` | | |
/// |                         |              | receives it                      | `ready`      |
///
/// Through an address the parts are exchanged: whoever uses it sends an invitation to an own queue to the queue of the
/// address, and is the initiator of what follows; the owner of the address joins.
///
/// A queue that its sender cannot secure costs a round more: its recipient does it, and a HELLO each way tells that it is
/// done (status `greeting`). Source: agent v7.
public struct Connection: Sendable {
    public enum Role: Int64, Sendable {
        /// Made the link.
        case initiator
        /// Used the link.
        case joiner
        /// Takes requests, and is connected with nobody.
        case address
    }

    public enum Status: Int64, Sendable {
        /// The initiator waits for a confirmation.
        case new
        /// The initiator has a confirmation and waits for the application.
        case requested
        /// The own confirmation is on its way.
        case confirming
        /// The relay has the own confirmation; the other side's answer is awaited.
        case confirmed
        /// The own HELLO is on its way or awaits its answer.
        case greeting
        /// Both sides can send.
        case ready
        /// The connection could not be made, or its queues are gone.
        case failed
        /// The application does not want it any more; what was sent before goes out, then the queue is deleted.
        case deleted
        /// What is behind a short link is asked for, and then the handshake begins.
        case opening
    }

    public let role: Role
    public internal(set) var status: Status
    /// The agreed version; the own newest before there was an agreement.
    public internal(set) var agentVersion: UInt16
    /// Whether this side uses the post-quantum KEM if the other does, so that messages leave room for it. Once they do, they
    /// go on doing so.
    public internal(set) var isPostQuantum: Bool
    /// The private halves of the keys in the link, the confirmation or the request for a new ratchet, until nobody asks for
    /// them any more.
    public internal(set) var agreementKeys: X3DHPrivateKeys?
    public internal(set) var ratchet: RatchetState?
    public internal(set) var sent: MessageSequence
    public internal(set) var received: MessageSequence
    /// Connection information that waits for the reply queue.
    public internal(set) var ownInformation: Bytes?
    /// A sender that waits to be let into the receive queue.
    public internal(set) var waitingSenderKey: AuthorizationKey?
    public internal(set) var receiveQueue: ReceiveQueue?
    public internal(set) var sendQueue: SendQueue?
    /// The replacement of the receive queue, while it goes on.
    public internal(set) var receiveRotation: ReceiveRotation?
    /// The replacement of the send queue, while it goes on.
    public internal(set) var sendRotation: SendRotation?
    /// The offers of the other side to replace its queue.
    public internal(set) var offersToday: RotationOffers
    public internal(set) var synchronization: RatchetSynchronization

    /// A stored connection.
    public init(
        role: Role, status: Status, agentVersion: UInt16, isPostQuantum: Bool, agreementKeys: X3DHPrivateKeys?,
        ratchet: RatchetState?, sent: MessageSequence, received: MessageSequence, ownInformation: Bytes?,
        waitingSenderKey: AuthorizationKey?, receiveQueue: ReceiveQueue?, sendQueue: SendQueue?,
        receiveRotation: ReceiveRotation? = nil, sendRotation: SendRotation? = nil,
        offersToday: RotationOffers = RotationOffers(), synchronization: RatchetSynchronization = .ok
    ) {
        self.role = role
        self.status = status
        self.agentVersion = agentVersion
        self.isPostQuantum = isPostQuantum
        self.agreementKeys = agreementKeys
        self.ratchet = ratchet
        self.sent = sent
        self.received = received
        self.ownInformation = ownInformation
        self.waitingSenderKey = waitingSenderKey
        self.receiveQueue = receiveQueue
        self.sendQueue = sendQueue
        self.receiveRotation = receiveRotation
        self.sendRotation = sendRotation
        self.offersToday = offersToday
        self.synchronization = synchronization
    }

    /// Whether messages of the application can be handed over. They wait behind the own confirmation and HELLO, and not while
    /// the ratchets are out of step.
    public var canSend: Bool {
        guard synchronization.allowsSending else { return false }
        return switch status {
        case .ready: true
        // Whoever says HELLO has been let into the other side's queue.
        case .greeting: true
        // The recipient reads them as soon as it read the confirmation, if the relay lets them in.
        case .confirming, .confirmed: role == .initiator && sendQueue?.senderCanSecure == true
        default: false
        }
    }

    /// The relays of all its queues.
    public var servers: [ServerAddress] {
        [receiveQueue?.server, receiveRotation?.queue?.server, sendQueue?.server, sendRotation?.queue?.server]
            .compactMap { $0 }
    }

    /// The longest message of the application in bytes, unless it switches the KEM on.
    public var largestMessage: Int { PaddedSize.largestBody(postQuantum: leavesRoom) }

    /// Whether the KEM protects what this side sends at present.
    public var sendsPostQuantum: Bool { ratchet?.sendsPostQuantum ?? false }

    /// Whether messages have to leave room for the headers. An old peer that answers the KEM key of a link has large ones.
    var leavesRoom: Bool { isPostQuantum || ratchet?.hasRoomForKEM == true }

    /// Whether the next message has to leave room for the KEM, if that is wanted from then on.
    public func leavesRoom(ifWanted isWanted: Bool) -> Bool {
        guard isWanted, let ratchet else { return leavesRoom }
        return leavesRoom
            || PostQuantumSupport.isPossible(agentVersion: agentVersion, ratchetVersion: ratchet.version)
    }

    /// Ends a connection that cannot be made, or whose queues are gone.
    public mutating func fail() {
        status = .failed
        ownInformation = nil
        agreementKeys = nil
    }

    /// Ends a connection that the application does not want any more.
    public mutating func delete() -> ConnectionStep {
        var step = ConnectionStep()
        guard status != .deleted else { return step }
        status = .deleted
        ownInformation = nil
        agreementKeys = nil
        if role == .address { step.tasks = [.deleteLink] }
        step.tasks.append(.deleteReceiveQueue)
        step.discarded = receiveRotation?.queue.map { [$0] } ?? []
        step.changesQueues = true
        receiveRotation = nil
        sendRotation = nil
        return step
    }
}
