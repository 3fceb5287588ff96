package import ByteCoding
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
