import ByteCoding
import ChatProtocol
import CryptoCore

/// The signatures of members (network-7.md 7.3).
extension MemberMessage {
    /// Whether a message may be recorded.
    enum Verification: Hashable {
        /// With what is known of its signature; nil for an unsigned one.
        case accepted(SignatureStatus?)
        case rejected
    }

    /// Verifies the signature of a message with the key of its author, and demands one where a channel does.
    var verification: Verification {
        let isOptional = !group.isChannel || !GroupEventRule.isSigned(event)
        guard let signature else { return isOptional ? .accepted(nil) : .rejected }
        guard let bytes = author.publicKey, let key = try? Ed25519.PublicKey(der: bytes) else {
            return isOptional || isAllowedUnverified ? .accepted(.noKey) : .rejected
        }
        guard signature.binding == .group else { return isOptional ? .accepted(.noKey) : .rejected }
        let binding =
            group.channel.map { ElementSignature.groupBinding($0.publicID, author.memberID) }
            ?? ElementSignature.memberBinding(author.memberID, key: bytes)
        return signature.isVerified(by: key, binding: binding) ? .accepted(.verified) : .rejected
    }

    /// True for what a subscriber says of itself to another one, which has no key of it.
    private var isAllowedUnverified: Bool {
        guard group.membership.role < .moderator, author.role < .moderator else { return false }
        switch event {
        case .profile, .group(.memberLeft, _): return true
        default: return false
        }
    }

    /// True for what subscribers of a channel are not shown: that others of them leave or have another profile (network-7.md 9.11).
    var isMuted: Bool {
        let own = group.membership
        return group.isChannel && !own.isRelay && !author.isRelay && own.role < .moderator && author.role < .moderator
    }
}

extension ChatMessage.Event {
    /// True for what an owner writes as the channel.
    var isFromGroup: Bool {
        switch self {
        case .message(let container): container.isFromGroup
        case .update(let update): update.isFromGroup
        default: false
        }
    }

    /// True for what a relay passes on as a post of the channel (network-7.md 7.4).
    var isPost: Bool {
        switch self {
        case .message, .fileDescription, .update, .deletion, .fileCancelled: true
        default: false
        }
    }
}

extension MemberMessage {
    /// True for an unsigned message of a member of a channel whose members are to sign all. What is passed on as a post of the
    /// channel has no author who could have signed it.
    fileprivate var lacksSignature: Bool {
        guard group.isChannel, !isFromGroup, signatureStatus == nil, case .message = event else { return false }
        return group.preferences.isOn(.signMessages)
    }
}

extension GroupEntry {
    /// What an entry of a message has of its author.
    init(of message: MemberMessage) {
        self.init(author: message.isFromGroup ? nil : message.author)
        isFromGroup = message.isFromGroup
        signature = message.signatureStatus ?? (message.lacksSignature ? .missing : nil)
        forwarder = message.forwarder
    }
}
