public import ByteCoding
import CryptoCore

/// A decrypted message and what it changed. Storing all of it is one transaction.
public struct DecryptedMessage: Sendable {
    public let message: Bytes
    /// Whether a KEM secret protected the message.
    public let isPostQuantum: Bool
    public let state: RatchetState
    /// Which skipped keys the store adds or removes.
    public let skipped: SkippedKeys.Change
    /// Whether the message was the first one of a new chain, so that the own ratchet key is new too.
    public let isAdvance: Bool
}

extension RatchetState {
    /// Decrypts a message in whatever order messages arrive.
    ///
    /// An error leaves the caller where it was; ``RatchetError`` says what each one means.
    ///
    /// - Parameters:
    ///   - skipped: The stored keys of overtaken messages: all, or those of ``skippedKeys(for:in:)``.
    ///   - random: Asked for a key only by the first message of a new chain.
    public func decrypting(
        _ message: Bytes, skipped: SkippedKeys, random: any RatchetRandomness
    ) throws(RatchetError) -> DecryptedMessage {
        try openingHeader(of: message, skipped: skipped, random: random).open()
    }

    /// Reads the header of a message and goes to its place in the chain, and leaves the body for later.
    ///
    /// SECURITY: The version of a header is authenticated with the body only, so what this returns is to be kept only
    /// after the body was opened.
    package func openingHeader(
        of bytes: Bytes, skipped: SkippedKeys, random: any RatchetRandomness
    ) throws(RatchetError) -> ReceivedMessage {
        let message: EncryptedMessage
        do throws(DecodeError) {
            message = try EncryptedMessage(bytes)
        } catch {
            throw .malformed(error)
        }
        if let chain = receiving, let header = try open(message.header, with: chain.headerKey) {
            if let key = skipped.key(chain.headerKey, header.number) {
                return skippedMessage(message, key)
            }
            return try next(message, header, in: chain)
        }
        for headerKey in skipped.headerKeys where receiving?.headerKey.isEqual(to: headerKey) != true {
            guard let header = try open(message.header, with: headerKey) else { continue }
            guard let key = skipped.key(headerKey, header.number) else { throw .formerChain }
            return skippedMessage(message, key)
        }
        guard let header = try open(message.header, with: nextReceivingHeaderKey) else { throw .headerNotAuthentic }
        return try firstOfChain(message, header, random)
    }

    /// The header, or nil if `key` is not its key.
    func open(_ header: EncryptedHeader, with key: HeaderKey) throws(RatchetError) -> MessageHeader? {
        do {
            guard let padded = try key.open(header, associatedData: associatedData) else { return nil }
            return try MessageHeader(decoding: Padding.unpad(padded), version: header.version)
        } catch let error as DecodeError {
            throw .malformed(error)
        } catch CryptoError.invalidPadding {
            throw .malformed(.invalid("header padding"))
        } catch {
            throw .libraryFailed
        }
    }

    private func skippedMessage(_ message: EncryptedMessage, _ key: SkippedKey) -> ReceivedMessage {
        ReceivedMessage(
            state: self, skipped: .removed(key), isAdvance: false, isPostQuantum: key.isPostQuantum, encrypted: message,
            key: key.messageKey)
    }

    private func next(
        _ message: EncryptedMessage, _ header: MessageHeader, in chain: ReceivingChain
    ) throws(RatchetError) -> ReceivedMessage {
        var next = self, chain = chain
        next.versions.agree(peerMaximum: header.maximumVersion)
        let isPostQuantum = postQuantum.isReceiving
        let taken = try chain.take(header.number, isPostQuantum: isPostQuantum)
        next.receiving = chain
        return ReceivedMessage(
            state: next, skipped: SkippedKeys.Change(adding: taken.skipped), isAdvance: false,
            isPostQuantum: isPostQuantum, encrypted: message, key: taken.key)
    }

    private func firstOfChain(
        _ message: EncryptedMessage, _ header: MessageHeader, _ random: any RatchetRandomness
    ) throws(RatchetError) -> ReceivedMessage {
        var next = self, formerChain = receiving
        next.versions.agree(peerMaximum: header.maximumVersion)
        let left = try formerChain?.skip(to: header.previousCount, isPostQuantum: postQuantum.isReceiving) ?? []
        var chain = try next.advance(header, random)
        let isPostQuantum = next.postQuantum.isReceiving
        let taken = try chain.take(header.number, isPostQuantum: isPostQuantum)
        next.receiving = chain
        return ReceivedMessage(
            state: next, skipped: SkippedKeys.Change(adding: left + taken.skipped), isAdvance: true,
            isPostQuantum: isPostQuantum, encrypted: message, key: taken.key)
    }
}

/// A message whose header was read: the state behind it, and the key of its body.
package struct ReceivedMessage: Sendable {
    package let state: RatchetState
    package let skipped: SkippedKeys.Change
    fileprivate let isAdvance: Bool
    fileprivate let isPostQuantum: Bool
    fileprivate let encrypted: EncryptedMessage
    fileprivate let key: MessageKey

    /// Decrypts the body.
    package func open() throws(RatchetError) -> DecryptedMessage {
        do throws(CryptoError) {
            let message = try key.open(
                encrypted.body, header: encrypted.header, associatedData: state.associatedData)
            return DecryptedMessage(
                message: message, isPostQuantum: isPostQuantum, state: state, skipped: skipped, isAdvance: isAdvance)
        } catch {
            switch error {
            case .libraryFailed: throw .libraryFailed
            case .invalidPadding: throw .malformed(.invalid("padding"))
            default: throw .bodyNotAuthentic
            }
        }
    }
}
