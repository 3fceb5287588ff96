import ByteCoding
import CryptoCore
public import SMPProtocol
public import XFTPProtocol

/// A command to a file relay for one chunk, with the key that authorizes it.
public struct FileRequest: Sendable {
    /// The command.
    public let command: FileCommand
    /// The id of the chunk for the sender or a recipient; empty for none.
    public let entityID: EntityID
    /// The key that authorizes the command; nil for an unauthorized one.
    public let key: AuthorizationPrivateKey?

    /// Creates a request from its parts.
    public init(_ command: FileCommand, entityID: EntityID = .empty, key: AuthorizationPrivateKey? = nil) {
        self.command = command
        self.entityID = entityID
        self.key = key
    }

    /// Returns the block of the command in a session, and its correlation id.
    func block(
        in session: FileSession, random: any RandomSource
    ) throws(FileSessionError) -> (block: Bytes, correlationID: CorrelationID) {
        // Streams connect responses with commands, so the id has a use only as the nonce of an authenticator.
        let correlationID = if case .x25519 = key { CorrelationID(random: random) } else { CorrelationID.empty }
        var transmission = Transmission(
            correlationID: correlationID, entityID: entityID, command: command.encoded)
        do throws(CryptoError) {
            if let key {
                transmission = try Transmission(
                    command.encoded, entityID: entityID, correlationID: correlationID, key: key,
                    session: session.transmission, relayKey: session.relayKey)
            }
        } catch {
            throw .unusableKey
        }
        do throws(CryptoError) {
            return (try FileBlock.encode(transmission, session: session), correlationID)
        } catch {
            throw .tooLarge
        }
    }
}
