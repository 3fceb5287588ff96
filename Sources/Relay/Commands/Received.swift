package import ByteCoding
package import SMPProtocol

/// One transmission of a received block: a command, or why it is none.
package enum Received: Sendable {
    /// A command whose credentials are as its tag requires; they were not verified yet.
    case command(Transmission, ClientCommand)
    /// To be answered with this error.
    case refused(CorrelationID, EntityID, ProtocolError)

    /// All transmissions of a block, in order. A block that does not parse counts as one refused transmission.
    package static func read(_ content: Bytes, session: TransmissionSession) -> [Received] {
        guard let transmissions = try? Batch.transmissions(of: content) else { return [.malformed] }
        return transmissions.map { Received($0, session: session) }
    }

    /// What has no ids because it could not be read.
    package static let malformed = Received.refused(.empty, .empty, .block)

    /// Reads one transmission: first its parts, then the command, then which credentials are there.
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
            // As a relay of that version answers: nobody comes to depend on what the version does not promise.
            guard command.tag.firstVersion <= session.version else { throw CommandError.unknown }
            try command.tag.checkCredentials(
                isAuthorized: transmission.authorization.isPresent, hasEntity: !transmission.entityID.isEmpty)
            self = .command(transmission, command)
        } catch {
            self = .refused(transmission.correlationID, transmission.entityID, .command(error))
        }
    }
}

/// What a client is told: the answer to one of its commands, or an event.
package struct Answer: Hashable, Sendable {
    /// Empty for an event.
    package let correlationID: CorrelationID
    package let entityID: EntityID
    package let message: RelayMessage

    package init(_ correlationID: CorrelationID, _ entityID: EntityID, _ message: RelayMessage) {
        self.correlationID = correlationID
        self.entityID = entityID
        self.message = message
    }

    /// The bytes of the transmission. A message that no block can hold, because the client chose very long ids, is
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
