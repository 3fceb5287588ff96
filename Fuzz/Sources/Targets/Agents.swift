import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import Ratchet
import SMPProtocol

extension FuzzTarget {
    /// What agents send each other: envelopes, and what was encrypted in them.
    static let agent = FuzzTarget(name: "agent") { input in
        // The mode of a queue is read whatever the versions are, and written only in those that have it.
        roundTrip(input, translated: true, { try AgentEnvelope(decoding: $0) }, \.encoded)
        roundTrip(input, translated: true, { try AgentMessage(decoding: $0) }, \.encoded)
        roundTrip(input, translated: true, { try AgentMessageBody(decoding: $0) }, \.encoded)
        roundTrip(input, translated: true, { try QueueAddress(decoding: $0) }, \.encoded)
        roundTrip(input, translated: true, { try AgreedQueueAddress(decoding: $0) }, \.encoded)
        roundTrip(input, SenderQueueAddress.self)
        roundTrip(input, translated: true, { try ConnectionRequest(decoding: $0) }, \.encoded)
        roundTrip(input, ShortLink.self)
        roundTrip(input, RatchetParameters.self)
        roundTrip(input, RatchetOffer.self)
        roundTrip(input, KEMParameter.self)
        roundTrip(input, X448.PublicKey.self)
        if case .invitation(let link, _) = (try? AgentEnvelope(decoding: input))?.content {
            roundTrip(link) { try ConnectionLink(text: $0) }
        }
    }

    /// What is stored at a relay behind a short link.
    static let linkRecords = FuzzTarget(name: "link-records") { input in
        roundTrip(input, { try FixedLinkRecord(decoding: $0) }, \.encoded)
        roundTrip(input, { try UserLinkRecord(decoding: $0) }, \.encoded)
        roundTrip(input, LinkBox.SignedRecord.self)
        openLink(input)
        let content = (try? UserLinkRecord(decoding: input))?.content ?? input
        roundTrip(content, { try ContactLinkContent(linkContent: $0) }, { try $0.linkContent(limit: .max) })
        roundTrip(content, { try GroupLinkContent(linkContent: $0) }, { try $0.linkContent(limit: .max) })
    }

    /// The input as both records of a link that somebody made who knows how: only the records are hostile.
    private static func openLink(_ input: Bytes) {
        let signer = Ed25519.PrivateKey(random: FixedRandom(seed: 1)), random = FixedRandom(seed: 2)
        let signed = LinkBox.SignedRecord(input, signer: signer)
        let key = ShortLinkKey(hashing: input), boxKey = key.invitationBoxKey()
        guard let fixed = try? LinkBox.seal(signed, paddedTo: LinkBox.fixedSize, key: boxKey, random: random),
            let user = try? LinkBox.seal(signed, paddedTo: LinkBox.userSize, key: boxKey, random: random)
        else { return }
        for isInvitation in [false, true] {
            _ = try? OpenedLink(
                LinkBlobs(fixed: fixed, user: user), key: key, boxKey: boxKey, isInvitation: isInvitation)
        }
    }
}
