public import ByteCoding
import CryptoCore

extension RatchetState {
    /// Encrypts a message. Uses no randomness: key and IVs come from the chain.
    ///
    /// - Parameters:
    ///   - paddedSize: The size that hides the length of the message, at least 2 bytes more than it.
    ///   - postQuantum: Switches the use of the KEM on or off from this message on.
    /// - Returns: The next state, to be stored before the message is sent, and the encrypted message.
    /// - Throws: ``RatchetError/notReady``, ``RatchetError/messageTooLarge`` or ``RatchetError/chainExhausted``.
    public func encrypting(
        _ message: Bytes, paddedSize: Int, postQuantum: Bool? = nil
    ) throws(RatchetError) -> (state: RatchetState, message: Bytes) {
        let prepared = try preparing(postQuantum: postQuantum)
        let state = prepared.state
        return (state, try prepared.seal(message, paddedSize: paddedSize))
    }

    /// Takes the next place in the chain, for a message whose text comes later.
    public func preparing(postQuantum wish: Bool? = nil) throws(RatchetError) -> PreparedMessage {
        guard var chain = sending else { throw .notReady }
        var next = self
        if let wish { next.wishPostQuantum(wish) }
        let number = chain.count, step = try chain.next()
        let header = try next.header(number, in: chain, iv: step.headerIV)
        next.sending = chain
        // The message that switches the KEM off is the last one to carry the ciphertext.
        if wish == false { next.postQuantum.kem?.ciphertext = nil }
        return PreparedMessage(state: next, header: header, key: step.messageKey)
    }

    private mutating func wishPostQuantum(_ wish: Bool) {
        postQuantum.isEnabled = wish
        postQuantum.makeRoom(in: versions.current)
        if wish {
            versions.maximum = max(versions.maximum, RatchetVersion.postQuantum)
        }
    }

    private func header(
        _ number: UInt32, in chain: SendingChain, iv: Bytes
    ) throws(RatchetError) -> EncryptedHeader {
        let version = versions.current
        let header = MessageHeader(
            maximumVersion: versions.maximum, ratchetKey: ratchetKey.publicKey, kem: postQuantum.parameter,
            previousCount: previousCount, number: number)
        let size = MessageHeader.paddedSize(version: version, isPostQuantum: postQuantum.isSupported)
        do throws(CryptoError) {
            let padded = try Padding.pad(header.encoded(version: version), to: size)
            let sealed = try chain.headerKey.seal(padded, iv: iv, associatedData: associatedData)
            return EncryptedHeader(version: version, iv: iv, sealed: sealed)
        } catch {
            throw RatchetError(sealing: error)
        }
    }
}

/// A place in the sending chain: the encrypted header and the key of one message.
///
/// It cannot be copied and is used up by its message: two messages under one key and IV would reveal each other.
public struct PreparedMessage: ~Copyable, Sendable {
    /// The state behind the message, to be stored before the message is sent.
    public let state: RatchetState
    package let key: MessageKey
    private let header: EncryptedHeader

    fileprivate init(state: RatchetState, header: EncryptedHeader, key: MessageKey) {
        self.state = state
        self.header = header
        self.key = key
    }

    /// Encrypts the message of this place, padded to `paddedSize` bytes.
    public consuming func seal(_ message: Bytes, paddedSize: Int) throws(RatchetError) -> Bytes {
        do throws(CryptoError) {
            return try key.seal(
                message, paddedSize: paddedSize, header: header, associatedData: state.associatedData)
        } catch {
            throw RatchetError(sealing: error)
        }
    }
}

extension RatchetError {
    fileprivate init(sealing error: CryptoError) {
        self = error == .messageTooLarge ? .messageTooLarge : .libraryFailed
    }
}
