import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import Testing

@testable import ChatCore

/// Proofs that the sender of a link owns it (network-7.md 9.12).
@Suite struct OwnerVerificationTests {
    private let root = ChannelBench.key(1), owner = ChannelBench.key(2),
        binding: Bytes = [0x44] + Bytes(repeating: 3, count: 32)

    private func link() throws -> ShortLink {
        let text =
            "https://127.0.0.1/c#I5rUA4BY_R-P6hm6CucmZsXcRs95FzIkRnCOsxaOGGI"
            + "?p=47223&c=yYy-CNKknJACM8vuLUnJKIxArhqnXndm2t7cLZMcr-8"
        guard case .short(let link) = try ConnectionLink(text: text) else { throw ChatError.internal }
        return link
    }

    private func verify(_ proof: LinkOwnerSignature, of link: ShortLink) -> OwnerVerification {
        let owners = [LinkOwner(id: [7], key: owner.publicKey, authorizedBy: root)]
        return OwnerVerification(proof, of: link, rootKey: root.publicKey, owners: owners)
    }

    private func proof(_ key: Ed25519.PrivateKey, _ id: Bytes?, of link: ShortLink) -> LinkOwnerSignature {
        LinkOwnerSignature(
            ownerID: id, binding: binding, signature: key.sign(binding + link.restored(from: PresetServers.all).encoded)
        )
    }

    @Test func the_root_key_or_the_named_owner_verifies() throws {
        let link = try link()
        #expect(verify(proof(root, nil, of: link), of: link) == .verified)
        #expect(verify(proof(owner, [7], of: link), of: link) == .verified)
        #expect(verify(proof(root, [7], of: link), of: link) == .failed)
        #expect(verify(proof(owner, nil, of: link), of: link) == .failed)
        #expect(verify(proof(owner, [8], of: link), of: link) == .unknownOwner)
        let moved = LinkOwnerSignature(
            ownerID: [7], binding: [1], signature: proof(owner, [7], of: link).signature)
        #expect(verify(moved, of: link) == .failed)
    }

    @Test func a_proof_stays_only_in_its_chat() throws {
        let link = try link()
        let fields = proof(owner, [7], of: link).json
        #expect(try LinkOwnerSignature(decoding: fields.encoded) == proof(owner, [7], of: link))
        let card = MessageContent("card", kind: .chat(link: ["type": "group"]), otherFields: ["ownerSig": fields])
        #expect(card.keepingOwnerSignature(boundTo: [[1], binding]) == card)
        for bindings in [[], [[1]]] as [[Bytes]] {
            let kept = card.keepingOwnerSignature(boundTo: bindings)
            #expect(kept.otherFields["ownerSig"] == nil)
            #expect(kept.kind == card.kind && kept.text == card.text)
        }
        let malformed = MessageContent("card", kind: .chat(link: [:]), otherFields: ["ownerSig": "x"])
        #expect(malformed.keepingOwnerSignature(boundTo: [binding]).otherFields["ownerSig"] == nil)
    }
}
