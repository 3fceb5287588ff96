public import ByteCoding
package import CryptoCore

/// What one side of a connection knows of its ratchet: a value that sending and receiving replace.
///
/// SECURITY: The state behind an encrypted message is stored before the message leaves, and the state before it is never
/// used to encrypt again: two messages under one message key would reveal each other.
public struct RatchetState: Sendable {
    /// The raw first X3DH keys, joiner's then initiator's, 112 bytes; every header and body is bound to them.
    package let associatedData: Bytes
    /// The version in use, and the largest that this side speaks.
    package internal(set) var versions: Versions
    /// The own key, replaced when the peer begins a new chain.
    package internal(set) var ratchetKey: X448.PrivateKey
    package internal(set) var rootKey: RootKey
    package internal(set) var sending: SendingChain?
    package internal(set) var receiving: ReceivingChain?
    /// The header keys of the chains that begin with the next agreement.
    package internal(set) var nextSendingHeaderKey: HeaderKey
    package internal(set) var nextReceivingHeaderKey: HeaderKey
    /// How many messages the own chain before this one had.
    package internal(set) var previousCount: UInt32 = 0
    package internal(set) var postQuantum: PostQuantumState

    /// The version in use.
    public var version: UInt16 { versions.current }
    /// Whether the messages of this side are protected by a KEM secret at present.
    public var sendsPostQuantum: Bool { postQuantum.isSending }
    /// Whether headers have room for the KEM, so that less is left for bodies. Once they have, they keep it.
    public var hasRoomForKEM: Bool { postQuantum.isSupported }

    /// The current version, which only grows, and the largest own one, which changes when the program does.
    package struct Versions: Hashable, Sendable {
        package internal(set) var current: UInt16
        package internal(set) var maximum: UInt16
    }
}

/// The two ways a ratchet begins.
extension RatchetState {
    /// The ratchet of the joiner, which sends the first message.
    ///
    /// - Parameters:
    ///   - own: The keys whose public halves go into the confirmation. A KEM secret among them is used if the version
    ///     allows.
    ///   - peer: What the link offers for the agreed version.
    ///   - maximumVersion: The largest version that this side speaks.
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

    /// The ratchet of the initiator, which can send as soon as it received the first message.
    ///
    /// - Parameters:
    ///   - own: The keys whose public halves the link offered.
    ///   - peer: What the confirmation of the joiner says.
    ///   - maximumVersion: The largest version that this side speaks.
    ///   - isPostQuantum: Whether this side uses the KEM in this connection.
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

    /// The same ratchet after the program learnt to speak `maximumVersion`. The version in use follows with a message
    /// of the peer.
    public func supporting(_ maximumVersion: UInt16) -> RatchetState {
        var next = self
        next.versions.maximum = max(versions.current, maximumVersion)
        return next
    }
}

extension RatchetError {
    /// What an error of an agreement means for the ratchet.
    init(agreement error: CryptoError) {
        self = error == .libraryFailed ? .libraryFailed : .invalidKey
    }
}

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

    /// The header, or nil if `key` is not its key.
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

/// A message whose header was read: the state behind it, and the key of its body.
package struct OpenedHeader: Sendable {
    package let state: RatchetState
    package let skipped: SkippedKeys.Change
    fileprivate let isAdvance: Bool
    fileprivate let isPostQuantum: Bool
    fileprivate let encrypted: RatchetMessage
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

extension RatchetState {
    /// The Diffie-Hellman step: two agreements with the new key of the peer give a receiving chain, which is returned,
    /// and a sending chain.
    ///
    /// The header keys of these chains were derived one step before; those derived now are for the chains after.
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
    /// Goes to the largest version that both sides speak, if that is an upgrade.
    mutating func agree(peerMaximum: UInt16) {
        current = max(current, min(peerMaximum, maximum))
    }
}
