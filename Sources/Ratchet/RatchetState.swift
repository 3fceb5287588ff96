public import ByteCoding
package import CryptoCore

/// The state of one side of a double ratchet, a value that sending and receiving replace (smp-agent.md 8.3).
///
/// SECURITY: Store the next state before the encrypted message leaves, and never encrypt with the previous state again.
/// Two messages under one message key would reveal each other.
public struct RatchetState: Sendable {
    /// The raw first X3DH keys, 112 bytes: joiner's, then initiator's. They authenticate every header and body.
    package let associatedData: Bytes
    /// The version in use and the largest own version.
    package internal(set) var versions: Versions
    /// The own ratchet key, replaced when the peer begins a new chain.
    package internal(set) var ratchetKey: X448.PrivateKey
    /// The root key of the next agreement.
    package internal(set) var rootKey: RootKey
    /// The sending chain; nil for an initiator before its first received message.
    package internal(set) var sending: SendingChain?
    /// The receiving chain; nil before the first received message.
    package internal(set) var receiving: ReceivingChain?
    /// The header key of the sending chain that begins with the next agreement.
    package internal(set) var nextSendingHeaderKey: HeaderKey
    /// The header key of the receiving chain that begins with the next agreement.
    package internal(set) var nextReceivingHeaderKey: HeaderKey
    /// The number of messages in the previous sending chain.
    package internal(set) var previousCount: UInt32 = 0
    /// The KEM part of the state.
    package internal(set) var postQuantum: PostQuantumState

    /// The version in use.
    public var version: UInt16 { versions.current }
    /// True if a KEM secret protects the messages of this side.
    public var sendsPostQuantum: Bool { postQuantum.isSending }
    /// True if headers have room for the KEM, which reduces the padded body sizes. Never turns false again.
    public var hasRoomForKEM: Bool { postQuantum.isSupported }

    /// The current version, which never decreases, and the largest own version, which changes with the program.
    package struct Versions: Hashable, Sendable {
        /// The version in use.
        package internal(set) var current: UInt16
        /// The largest version of this side.
        package internal(set) var maximum: UInt16
    }
}

/// The two ways to begin a ratchet (smp-agent.md 8.3).
extension RatchetState {
    /// Returns the ratchet of the joiner, which sends the first message.
    ///
    /// - Parameters:
    ///   - own: The keys whose public halves go into the confirmation. Their KEM secret is used from version 3 on.
    ///   - peer: The parameters in the link for the agreed version.
    ///   - maximumVersion: The largest version of this side.
    /// - Throws: ``RatchetError/invalidKey`` if an agreement has no contribution.
    public static func joiner(
        own: X3DHPrivateKeys, peer: RatchetParameters, maximumVersion: UInt16, random: any RatchetRandomness
    ) throws(RatchetError) -> RatchetState {
        let kem = peer.version >= RatchetVersion.postQuantum ? own.kem : nil
        if kem?.encapsulation != nil, peer.kem == nil { throw .invalidKEM }
        let ratchetKey = random.x448PrivateKey()
        do throws(CryptoError) {
            let secret = kem?.encapsulation?.secret
            let agreed = try X3DH(joiner: own, initiator: peer, kemSecret: secret)
            let step = agreed.rootKey.step(agreement: try ratchetKey.agree(with: peer.key2), kemSecret: secret)
            return RatchetState(
                associatedData: agreed.associatedData,
                versions: Versions(current: peer.version, maximum: max(peer.version, maximumVersion)),
                ratchetKey: ratchetKey, rootKey: step.rootKey,
                sending: SendingChain(
                    chainKey: step.chainKey, headerKey: agreed.joinerHeaderKey, peerKey: peer.key2),
                nextSendingHeaderKey: step.nextHeaderKey, nextReceivingHeaderKey: agreed.initiatorHeaderKey,
                postQuantum: PostQuantumState(joinerWith: kem))
        } catch {
            throw RatchetError(agreement: error)
        }
    }

    /// Returns the ratchet of the initiator, which can send after its first received message.
    ///
    /// - Parameters:
    ///   - own: The keys whose public halves the link offered.
    ///   - peer: The parameters in the joiner's confirmation.
    ///   - maximumVersion: The largest version of this side.
    ///   - isPostQuantum: True if this side uses the KEM in this connection.
    /// - Throws: ``RatchetError/invalidKEM`` if the peer accepted no proposed key, ``RatchetError/invalidKey`` if an
    ///   agreement has no contribution.
    public static func initiator(
        own: X3DHPrivateKeys, peer: RatchetParameters, maximumVersion: UInt16, isPostQuantum: Bool,
        random: any RatchetRandomness
    ) throws(RatchetError) -> RatchetState {
        var secret: Secret?
        if case .accepted(let ciphertext, _) = peer.kem {
            guard let pair = own.kem?.pair, let decapsulated = random.kem.decapsulate(ciphertext, with: pair) else {
                throw .invalidKEM
            }
            secret = decapsulated
        }
        do throws(CryptoError) {
            let agreed = try X3DH(initiator: own, joiner: peer, kemSecret: secret)
            return RatchetState(
                associatedData: agreed.associatedData,
                versions: Versions(current: peer.version, maximum: max(peer.version, maximumVersion)),
                ratchetKey: own.key2, rootKey: agreed.rootKey,
                nextSendingHeaderKey: agreed.initiatorHeaderKey, nextReceivingHeaderKey: agreed.joinerHeaderKey,
                postQuantum: PostQuantumState(
                    initiatorWith: secret == nil ? nil : own.kem?.pair, isSupported: isPostQuantum))
        } catch {
            throw RatchetError(agreement: error)
        }
    }

    /// Returns the same ratchet with the largest own version `maximumVersion`. The version in use rises with the next
    /// message of the peer.
    public func supporting(_ maximumVersion: UInt16) -> RatchetState {
        var next = self
        next.versions.maximum = max(versions.current, maximumVersion)
        return next
    }
}

extension RatchetError {
    /// Creates the ratchet error for a failed agreement.
    init(agreement error: CryptoError) {
        self = error == .libraryFailed ? .libraryFailed : .invalidKey
    }
}

extension RatchetState {
    /// Encrypts a message. Key and IVs come from the chain, so no randomness is needed (smp-agent.md 8.5).
    ///
    /// - Parameters:
    ///   - paddedSize: The padded size in bytes, at least 2 more than the message.
    ///   - postQuantum: Turns the KEM on or off from this message on; nil keeps the setting.
    /// - Returns: The next state, to be stored before sending, and the encrypted message.
    /// - Throws: ``RatchetError/notReady``, ``RatchetError/messageTooLarge`` or ``RatchetError/chainExhausted``.
    public func encrypting(
        _ message: Bytes, paddedSize: Int, postQuantum: Bool? = nil
    ) throws(RatchetError) -> (state: RatchetState, message: Bytes) {
        let prepared = try preparing(postQuantum: postQuantum)
        let state = prepared.state
        return (state, try prepared.seal(message, paddedSize: paddedSize))
    }

    /// Reserves the next message of the chain, whose text follows later.
    ///
    /// - Parameter isOn: Turns the KEM on or off from this message on; nil keeps the setting.
    /// - Throws: ``RatchetError/notReady`` or ``RatchetError/chainExhausted``.
    public func preparing(postQuantum isOn: Bool? = nil) throws(RatchetError) -> PreparedMessage {
        guard var chain = sending else { throw .notReady }
        var next = self
        if let isOn { next.setPostQuantum(isOn) }
        let number = chain.count, step = try chain.next()
        let header = try next.header(number, in: chain, iv: step.headerIV)
        next.sending = chain
        // The message that switches the KEM off is the last one to carry the ciphertext.
        if isOn == false { next.postQuantum.kem?.ciphertext = nil }
        return PreparedMessage(state: next, header: header, key: step.messageKey)
    }

    private mutating func setPostQuantum(_ isOn: Bool) {
        postQuantum.isEnabled = isOn
        postQuantum.makeRoom(in: versions.current)
        if isOn {
            versions.maximum = max(versions.maximum, RatchetVersion.postQuantum)
        }
    }

    private func header(
        _ number: UInt32, in chain: SendingChain, iv: Bytes
    ) throws(RatchetError) -> EncryptedHeader {
        let version = versions.current
        let header = RatchetHeader(
            maximumVersion: versions.maximum, ratchetKey: ratchetKey.publicKey, kem: postQuantum.parameter,
            previousCount: previousCount, number: number)
        let size = RatchetHeader.paddedSize(version: version, isPostQuantum: postQuantum.isSupported)
        do throws(CryptoError) {
            let padded = try Padding.pad(header.encoded(version: version), to: size)
            let sealed = try chain.headerKey.seal(padded, iv: iv, associatedData: associatedData)
            return EncryptedHeader(version: version, iv: iv, sealed: sealed)
        } catch {
            throw RatchetError(sealing: error)
        }
    }
}

/// The encrypted header and the key of one message in the sending chain.
///
/// The value cannot be copied, and sealing consumes it: two messages under one key and IV would reveal each other.
public struct PreparedMessage: ~Copyable, Sendable {
    /// The next state, to be stored before sending.
    public let state: RatchetState
    /// The key of the message body.
    package let key: MessageKey
    private let header: EncryptedHeader

    fileprivate init(state: RatchetState, header: EncryptedHeader, key: MessageKey) {
        self.state = state
        self.header = header
        self.key = key
    }

    /// Encrypts the message, padded to `paddedSize` bytes.
    ///
    /// - Throws: ``RatchetError/messageTooLarge`` if the message is longer than `paddedSize` - 2 bytes.
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

/// A decrypted message with its state changes, which are stored in one transaction.
public struct DecryptedMessage: Sendable {
    /// The plaintext without padding.
    public let message: Bytes
    /// True if a KEM secret protected the message.
    public let isPostQuantum: Bool
    /// The next state.
    public let state: RatchetState
    /// The changes to the stored skipped keys.
    public let skipped: SkippedKeys.Change
    /// True if the message began a new chain, which also replaced the own ratchet key.
    public let isAdvance: Bool
}

extension RatchetState {
    /// Decrypts a message; messages may arrive in any order (smp-agent.md 8.6).
    ///
    /// - Parameters:
    ///   - skipped: The stored skipped keys: all, or those of ``skippedKeys(for:in:)``.
    ///   - random: The source of the new ratchet key that the first message of a chain needs.
    /// - Throws: ``RatchetError``. The caller keeps its previous state.
    public func decrypting(
        _ message: Bytes, skipped: SkippedKeys, random: any RatchetRandomness
    ) throws(RatchetError) -> DecryptedMessage {
        try openingHeader(of: message, skipped: skipped, random: random).open()
    }

    /// Decrypts the header of a message and advances to its key, without decrypting the body.
    ///
    /// SECURITY: The version of a header is authenticated with the body. Keep the result only after the body was
    /// decrypted.
    package func openingHeader(
        of bytes: Bytes, skipped: SkippedKeys, random: any RatchetRandomness
    ) throws(RatchetError) -> OpenedHeader {
        let message: RatchetMessage
        do throws(DecodeError) {
            message = try RatchetMessage(bytes)
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

    /// Returns the decrypted header, or nil if `key` does not decrypt it.
    func open(_ header: EncryptedHeader, with key: HeaderKey) throws(RatchetError) -> RatchetHeader? {
        do {
            guard let padded = try key.open(header, associatedData: associatedData) else { return nil }
            return try RatchetHeader(decoding: Padding.unpad(padded), version: header.version)
        } catch let error as DecodeError {
            throw .malformed(error)
        } catch CryptoError.invalidPadding {
            throw .malformed(.invalid("header padding"))
        } catch {
            throw .libraryFailed
        }
    }

    private func skippedMessage(_ message: RatchetMessage, _ key: SkippedKey) -> OpenedHeader {
        OpenedHeader(
            state: self, skipped: .removed(key), isAdvance: false, isPostQuantum: key.isPostQuantum, encrypted: message,
            key: key.messageKey)
    }

    private func next(
        _ message: RatchetMessage, _ header: RatchetHeader, in chain: ReceivingChain
    ) throws(RatchetError) -> OpenedHeader {
        var next = self, chain = chain
        next.versions.agree(peerMaximum: header.maximumVersion)
        let isPostQuantum = postQuantum.isReceiving
        let taken = try chain.take(header.number, isPostQuantum: isPostQuantum)
        next.receiving = chain
        return OpenedHeader(
            state: next, skipped: SkippedKeys.Change(adding: taken.skipped), isAdvance: false,
            isPostQuantum: isPostQuantum, encrypted: message, key: taken.key)
    }

    private func firstOfChain(
        _ message: RatchetMessage, _ header: RatchetHeader, _ random: any RatchetRandomness
    ) throws(RatchetError) -> OpenedHeader {
        var next = self, formerChain = receiving
        next.versions.agree(peerMaximum: header.maximumVersion)
        let left = try formerChain?.skip(to: header.previousCount, isPostQuantum: postQuantum.isReceiving) ?? []
        var chain = try next.advance(header, random)
        let isPostQuantum = next.postQuantum.isReceiving
        let taken = try chain.take(header.number, isPostQuantum: isPostQuantum)
        next.receiving = chain
        return OpenedHeader(
            state: next, skipped: SkippedKeys.Change(adding: left + taken.skipped), isAdvance: true,
            isPostQuantum: isPostQuantum, encrypted: message, key: taken.key)
    }
}

/// A message with a decrypted header: the next state and the key of the body.
package struct OpenedHeader: Sendable {
    /// The next state.
    package let state: RatchetState
    /// The changes to the stored skipped keys.
    package let skipped: SkippedKeys.Change
    fileprivate let isAdvance: Bool
    fileprivate let isPostQuantum: Bool
    fileprivate let encrypted: RatchetMessage
    fileprivate let key: MessageKey

    /// Decrypts the body.
    ///
    /// - Throws: ``RatchetError/bodyNotAuthentic``, or ``RatchetError/malformed(_:)`` for invalid padding.
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

extension RatchetState {
    /// Performs the Diffie-Hellman step and returns the receiving chain (smp-agent.md 8.8).
    ///
    /// Two agreements with the peer's new key yield a receiving and a sending chain. The header keys of these chains
    /// were derived one step before; the new ones are for the following chains.
    mutating func advance(
        _ header: RatchetHeader, _ random: any RatchetRandomness
    ) throws(RatchetError) -> ReceivingChain {
        let secrets = try postQuantum.step(header.kem, version: versions.current, random: random)
        let newKey = random.x448PrivateKey()
        let received: RootKey.Step, sent: RootKey.Step
        do throws(CryptoError) {
            received = rootKey.step(
                agreement: try ratchetKey.agree(with: header.ratchetKey), kemSecret: secrets.receiving)
            sent = received.rootKey.step(
                agreement: try newKey.agree(with: header.ratchetKey), kemSecret: secrets.sending)
        } catch {
            throw RatchetError(agreement: error)
        }
        let chain = ReceivingChain(chainKey: received.chainKey, headerKey: nextReceivingHeaderKey)
        previousCount = sending?.count ?? 0
        sending = SendingChain(
            chainKey: sent.chainKey, headerKey: nextSendingHeaderKey, peerKey: header.ratchetKey)
        nextReceivingHeaderKey = received.nextHeaderKey
        nextSendingHeaderKey = sent.nextHeaderKey
        rootKey = sent.rootKey
        ratchetKey = newKey
        return chain
    }
}

extension RatchetState.Versions {
    /// Raises the version in use to the largest common version.
    mutating func agree(peerMaximum: UInt16) {
        current = max(current, min(peerMaximum, maximum))
    }
}
