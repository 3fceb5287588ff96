import AgentProtocol
import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing

/// The lines of `smp-agent-vectors.tsv` about what is behind short links.
@Suite struct LinkLineVectors {
    private let rootKey: Ed25519.PrivateKey
    private let contact: ConnectionRequest
    private let invitation: ConnectionRequest
    private let content = Bytes("user data".utf8)

    init() throws {
        rootKey = try Ed25519.PrivateKey(seed: Secret(copying: Bytes(1...32)))
        contact = try ConnectionRequest(decoding: VectorFile.line("contact binary").bytes)
        invitation = try ConnectionRequest(decoding: VectorFile.line("invitation binary").bytes)
    }

    private func line(_ name: String) -> Bytes { VectorFile.line(name).bytes }

    @Test func keys() throws {
        let key = ShortLinkKey(Bytes("0123456789abcdef0123456789abcdef".utf8))
        #expect(key.address().linkID.bytes == line("contact KDF linkId"))
        #expect(key.address().boxKey.copyBytes() == line("contact KDF key"))
        #expect(key.invitationBoxKey().copyBytes() == line("invitation KDF key"))
    }

    @Test func records() throws {
        let shown: [(ConnectionRequest, String, UserLinkRecord)] = [
            (contact, "contact", .address(AddressRecord(content: content))),
            (invitation, "invitation", .invitation(content)),
        ]
        for (request, name, user) in shown {
            let fixed = FixedLinkRecord(rootKey: rootKey.publicKey, request: request).encoded
            #expect(LinkBox.SignedRecord(fixed, signer: rootKey).encoded == line("\(name) fixed data signed"))
            #expect(ShortLinkKey(hashing: fixed).bytes == line("\(name) linkKey"))
            #expect(
                LinkBox.SignedRecord(user.encoded, signer: rootKey).encoded == line("\(name) user data signed"))
            #expect(try FixedLinkRecord(decoding: fixed).encoded == fixed)
            #expect(try UserLinkRecord(decoding: user.encoded) == user)
        }
    }

    @Test func owner() throws {
        let owner = try LinkOwner(decoding: line("OwnerAuth"))
        #expect(owner.id == Bytes("owner1".utf8))
        #expect(owner.encoded == line("OwnerAuth"))
        try LinkOwner.check([owner], rootKey: rootKey.publicKey)
        #expect(LinkOwner(id: owner.id, key: owner.key, authorizedBy: rootKey) == owner)
    }

    @Test(arguments: [254, 255])
    func lengthOfContent(count: Int) {
        let record = UserLinkRecord.invitation(Bytes(repeating: UInt8(ascii: "A"), count: count)).encoded
        #expect(record.dropFirst(5).starts(with: line("UserLinkData \(count)")))
    }

    /// A link from its making to its opening.
    @Test func composite() throws {
        let random = RecordedRandom([Bytes(1...24), Bytes(33...56)])
        let owned = try OwnedLink(to: contact, rootKey: rootKey, random: random)
        let record = UserLinkRecord.address(AddressRecord(content: content))
        let blobs = try owned.blobs(showing: record, random: random)
        #expect(owned.linkID?.bytes == line("COMPOSITE contact linkId from linkKey"))
        #expect(owned.key.address().boxKey.copyBytes() == line("COMPOSITE contact data key"))
        for (blob, name) in [(blobs.fixed, "fixed"), (blobs.user, "user")] {
            #expect(blob.count == VectorFile.line("COMPOSITE encrypted \(name) data length").asciiNumber)
            #expect(SHA256.hash(blob) == line("COMPOSITE encrypted \(name) data sha256"))
            #expect(blob.starts(with: line("COMPOSITE encrypted \(name) data first 64")))
        }
        let location = contact.queues.first.location
        let link = try #require(owned.link(on: location.server))
        let opened = try OpenedLink(blobs, of: link, senderID: location.senderID)
        #expect(opened.request == contact)
        #expect(opened.user == record)
    }
}
