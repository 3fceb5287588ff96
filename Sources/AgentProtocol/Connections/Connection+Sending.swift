public import ByteCoding
import CryptoCore
import Ratchet

extension Connection {
    /// Encrypts a message of the application. ``sendsPostQuantum`` then says whether the KEM protects it.
    ///
    /// - Parameter postQuantum: Switches the KEM on or off from this message on; nil leaves it as it is. It protects messages
    ///   some answers after both sides have switched it on. Where the versions do not have it, it stays off.
    public mutating func send(
        _ body: Bytes, notifies: Bool, postQuantum: Bool? = nil
    ) throws(Connection.Failure) -> OutgoingMessage {
        guard synchronization.allowsSending else { throw .outOfStep }
        guard canSend, let ratchet else { throw .notReady }
        let isPossible = PostQuantumSupport.isPossible(
            agentVersion: agentVersion, ratchetVersion: ratchet.version)
        let wish = postQuantum.map { $0 && isPossible }
        if wish == true { isPostQuantum = true }
        guard body.count <= largestMessage else { throw .tooLarge(limit: largestMessage) }
        return try message(.content(body), kind: .content, notifies: notifies, postQuantum: wish)
    }

    /// A message in the sequence. HELLO and what agents tell each other are made by the connection itself.
    package mutating func message(
        _ body: AgentMessageBody, kind: OutgoingMessage.Kind, notifies: Bool, postQuantum: Bool? = nil
    ) throws(Connection.Failure) -> OutgoingMessage {
        let header = sent.nextHeader
        let encrypted = try encrypt(
            AgentMessage.message(header, body).encoded, paddedSize: PaddedSize.message(postQuantum: leavesRoom),
            postQuantum: postQuantum)
        // Messages tell the newest version of their sender, so that the other side learns of an upgrade.
        let envelope = AgentEnvelope(version: AgentVersion.supported.max, .message(encrypted: encrypted))
        return OutgoingMessage(
            kind: kind, number: header.number, hash: sent.lastHash, notifies: notifies, envelope: envelope.encoded)
    }

    /// Takes the next place in the sequence and in the ratchet.
    mutating func encrypt(
        _ message: Bytes, paddedSize: Int, postQuantum: Bool?
    ) throws(Connection.Failure) -> Bytes {
        guard let ratchet else { throw .notReady }
        do throws(RatchetError) {
            let (next, encrypted) = try ratchet.encrypting(
                message, paddedSize: paddedSize, postQuantum: postQuantum)
            self.ratchet = next
            sent.advance(over: message)
            return encrypted
        } catch .messageTooLarge {
            throw .tooLarge(limit: paddedSize - Padding.lengthSize)
        } catch {
            throw .ratchet(error)
        }
    }

    /// The relay has a message.
    public mutating func delivered(_ kind: OutgoingMessage.Kind) -> ConnectionStep {
        var step = ConnectionStep()
        switch (kind, role, status) {
        case (.confirmation, .initiator, .confirming):
            // A joiner whose queue was secured by this side knows that it can send: it needs no HELLO.
            if sendQueue?.senderCanSecure == true {
                status = .ready
                step.events = [.con(isPostQuantum: sendsPostQuantum)]
            } else {
                status = .confirmed
            }
        case (.confirmation, .joiner, .confirming):
            status = .confirmed
            step.events = [.joined]
        case (.hello, .initiator, .greeting):
            status = .ready
            step.events = [.con(isPostQuantum: sendsPostQuantum)]
        default: deliveredRotation(kind, &step)
        }
        return step
    }
}
