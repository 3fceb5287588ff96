package import ByteCoding
package import SMPProtocol

/// A received transmission: a command or an error.
package enum Received: Sendable {
    /// A command with the credentials that its tag requires, not verified yet.
    case command(Transmission, ClientCommand)
    /// A transmission to answer with this error.
    case refused(CorrelationID, EntityID, ProtocolError)

    /// Returns all transmissions of a block, in order. A malformed block counts as one rejected transmission.
    package static func read(_ content: Bytes, session: TransmissionSession) -> [Received] {
        guard let transmissions = try? Batch.transmissions(of: content) else { return [.malformed] }
        return transmissions.map { Received($0, session: session) }
    }

    /// A transmission without ids, because it is malformed.
    package static let malformed = Received.refused(.empty, .empty, .block)

    /// Reads one transmission: its parts, then the command, then the presence of credentials.
    package init(_ bytes: Bytes, session: TransmissionSession) {
        let transmission: Transmission
        do throws(Transmission.Failure) {
            transmission = try Transmission(decoding: bytes, session: session)
        } catch {
            switch error {
            case .malformed(let id): self = .refused(id, .empty, .block)
            case .otherSession(let id): self = .refused(id, .empty, .session)
            }
            return
        }
        do throws(CommandError) {
            let command = try ClientCommand(decoding: transmission.command, version: session.version)
            // As a relay of that version responds, so that no client depends on later behaviour.
            guard command.tag.firstVersion <= session.version else { throw CommandError.unknown }
            try command.tag.checkCredentials(
                isAuthorized: transmission.authorization.isPresent, hasEntity: !transmission.entityID.isEmpty)
            self = .command(transmission, command)
        } catch {
            self = .refused(transmission.correlationID, transmission.entityID, .command(error))
        }
    }
}

/// A message for a client: a response or an event.
package struct Answer: Hashable, Sendable {
    /// The correlation id; empty for an event.
    package let correlationID: CorrelationID
    /// The id of the queue, link or notifier.
    package let entityID: EntityID
    /// The message.
    package let message: RelayMessage

    /// Creates a message for a client.
    package init(_ correlationID: CorrelationID, _ entityID: EntityID, _ message: RelayMessage) {
        self.correlationID = correlationID
        self.entityID = entityID
        self.message = message
    }

    /// Returns the encoded transmission. A message that exceeds a block, because the client chose very long ids, is
    /// replaced by an error.
    package func encoded(in session: TransmissionSession) -> Bytes {
        let bytes = encoded(message, session)
        return bytes.count + 2 <= Batch.capacity ? bytes : encoded(.err(.largeMessage), session)
    }

    private func encoded(_ message: RelayMessage, _ session: TransmissionSession) -> Bytes {
        Transmission(
            correlationID: correlationID, entityID: entityID, command: message.encoded(version: session.version)
        ).encoded(in: session)
    }
}
