import AgentProtocol
import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing

/// `short-link-crypto.json`: keys, records, signatures and owners of short links.
@Suite struct LinkRecordVectors {
    @Test(arguments: VectorFile.cases("short-link-crypto", kind: "linkKeyDerivation"))
    func derivesKeys(vector: Vector) {
        let key = ShortLinkKey(vector["linkKey"].bytes)
        #expect(key.address().linkID.bytes == vector["contactLinkId"].bytes)
        #expect(key.address().boxKey.copyBytes() == vector["contactBoxKey"].bytes)
        #expect(key.invitationBoxKey().copyBytes() == vector["invitationBoxKey"].bytes)
    }

    @Test(arguments: VectorFile.cases("short-link-crypto", kind: "senderIdFromCorrId"))
    func senderIDs(vector: Vector) {
        let id = EntityID.sender(for: CorrelationID(vector["corrId"].bytes))
        #expect(id.bytes == vector["senderId"].bytes)
    }

    @Test(arguments: VectorFile.cases("short-link-crypto", kind: "linkData"))
    func records(vector: Vector) throws {
        let rootKey = try Ed25519.PrivateKey(seed: Secret(copying: vector["rootKey"]["privateKey"].bytes))
        #expect(rootKey.publicKey.raw == vector["rootKey"]["publicKey"].bytes)
        let request = try ConnectionRequest(text: vector["connectionRequest"].text)
        #expect(vector["connectionRequestBinary"].matches(request.encoded))

        // Made by us: the same bytes.
        let fixed = FixedLinkRecord(
            versions: vector["agentVersions"].range, rootKey: rootKey.publicKey, request: request,
            entityID: vector.field("linkEntityId")?.bytes)
        #expect(vector["fixedData"].matches(fixed.encoded))
        let signedFixed = LinkBox.SignedRecord(fixed.encoded, signer: rootKey)
        #expect(signedFixed.signature == vector["fixedDataSignature"].bytes)
        let nonces = RecordedRandom(
            ["encryptedFixed", "encryptedUser"].compactMap { vector.field($0)?["nonce"].bytes })
        guard nonces.remaining > 0 else { return try refused(vector, request, rootKey) }
        let owned = try OwnedLink(to: request, entityID: fixed.entityID, rootKey: rootKey, random: nonces)
        #expect(owned.key.bytes == vector["linkKey"].bytes)
        #expect(owned.linkID?.bytes == vector.field("linkId")?.bytes)
        let user = try vector.userRecord()
        #expect(vector["userDataEncoded"].matches(user.encoded))
        let blobs = try owned.blobs(showing: user, random: nonces)
        #expect(vector["encryptedFixed"].matchesBlob(blobs.fixed))
        #expect(vector["encryptedUser"].matchesBlob(blobs.user))
        #expect(nonces.remaining == 0)

        // Opened by us: the same values.
        let isInvitation = vector["mode"].text == "invitation"
        let boxKey = isInvitation ? owned.key.invitationBoxKey() : owned.key.address().boxKey
        #expect(boxKey.copyBytes() == vector["boxKey"].bytes)
        let signedUser = try LinkBox.open(blobs.user, key: boxKey)
        #expect(signedUser.signature == vector["userDataSignature"].bytes)
        #expect(try LinkBox.open(blobs.fixed, key: boxKey) == signedFixed)
        let opened = try OpenedLink(blobs, key: owned.key, boxKey: boxKey, isInvitation: isInvitation)
        #expect(opened.fixed == fixed)
        #expect(opened.user == user)
        try opened.check(vector["decrypted"])
        for record in [fixed.encoded, user.encoded] where record.count < 1000 {
            Damage.check(record, ignoring: record.ignoredByReaders) { try FixedLinkRecord(decoding: $0) }
            Damage.check(record, ignoring: record.ignoredByReaders) { try UserLinkRecord(decoding: $0) }
        }
    }

    /// A record that is too large.
    private func refused(_ vector: Vector, _ request: ConnectionRequest, _ rootKey: Ed25519.PrivateKey) throws {
        #expect(vector.has("error"))
        let random = SeededRandom(seed: 1)
        let owned = try OwnedLink(to: request, rootKey: rootKey, random: random)
        let record = try vector.userRecord()
        #expect(throws: LinkError.tooLarge(excess: 1)) { try owned.blobs(showing: record, random: random) }
        #expect(record.contentLimit == record.content.count - 1)
    }

    @Test(arguments: VectorFile.cases("short-link-crypto", kind: "owners"))
    func owners(vector: Vector) throws {
        let rootKey = try Ed25519.PublicKey(raw: vector["rootKey"].bytes)
        let owners = try vector["owners"].list.map { try $0.owner() }
        let expected = vector["ownersCheck"].text
        let checked = Result { () throws(LinkError) in try LinkOwner.check(owners, rootKey: rootKey) }
        #expect(checked.failure == LinkError(recorded: expected == "ok" ? nil : expected))

        let record = vector["userDataEncoded"].bytes
        guard case .address(_, let address) = try UserLinkRecord(decoding: record) else {
            Issue.record("the record is that of an address")
            return
        }
        #expect(address.owners == owners)
        #expect(try UserLinkRecord(decoding: record).encoded == record)
        let contact = try RecordedContact()
        let blobs = try contact.blobs(
            fixed: contact.signedFixed, user: vector.signed("userDataSignature", "userDataEncoded"))
        try contact.open(blobs, expecting: vector["linkDataResult"])
    }

    @Test(arguments: VectorFile.cases("short-link-crypto", kind: "ownerAuthorization"))
    func authorizesOwners(vector: Vector) throws {
        let owner = LinkOwner(
            id: vector["ownerId"].bytes, key: try Ed25519.PublicKey(raw: vector["ownerKey"].bytes),
            authorization: vector["signature"].bytes)
        #expect(owner.encoded == vector["binary"].bytes)
        #expect(try LinkOwner(decoding: vector["binary"].bytes) == owner)
        let signer = try Ed25519.PublicKey(raw: vector["authorizedByPublicKey"].bytes)
        #expect(signer.verify(owner.authorization, of: vector["signedBytes"].bytes))
        try LinkOwner.check([owner], rootKey: signer)
        Damage.check(owner.encoded, ignoring: owner.encoded.ignoredByReaders) { try LinkOwner(decoding: $0) }
        Damage.check(owner.encoded, ignoring: owner.encoded.ignoredByReaders) { bytes in
            try LinkOwner.check([LinkOwner(decoding: bytes)], rootKey: signer)
            return true
        }
    }

    @Test(arguments: VectorFile.cases("short-link-crypto", kind: "negative"))
    func refusesRecords(vector: Vector) throws {
        let contact = try RecordedContact()
        let recordedKey = Secret(copying: vector["boxKey"].bytes)
        guard vector.has("signedFixed") else {
            let blobs = try contact.blobs(fixed: contact.signedFixed, user: contact.signedUser)
            #expect(throws: LinkError.notAuthentic) {
                try OpenedLink(
                    blobs, key: ShortLinkKey(vector["linkKey"].bytes), boxKey: recordedKey, isInvitation: false)
            }
            #expect(LinkError(recorded: vector["result"]["error"].text) == .notAuthentic)
            return
        }
        #expect(recordedKey.copyBytes() == contact.boxKey.copyBytes())
        let blobs = try contact.blobs(fixed: vector["signedFixed"].bytes, user: vector["signedUser"].bytes)
        try contact.open(blobs, key: ShortLinkKey(vector["linkKey"].bytes), expecting: vector["result"])
    }
}

extension LinkRecordVectors {
    /// No change of a blob, and none of a signed record in a box of the right key, goes unnoticed.
    @Test func damage() throws {
        let contact = try RecordedContact()
        let good = try contact.blobs(fixed: contact.signedFixed, user: contact.signedUser)
        func isOpen(_ blobs: LinkBlobs) throws -> Bool {
            _ = try OpenedLink(blobs, key: contact.key, boxKey: contact.boxKey, isInvitation: false)
            return true
        }
        #expect(try isOpen(good))
        Damage.check(good.fixed) { try isOpen(LinkBlobs(fixed: $0, user: good.user)) }
        Damage.check(contact.signedFixed) { try isOpen(contact.blobs(fixed: $0, user: contact.signedUser)) }
        Damage.check(contact.signedUser) { try isOpen(contact.blobs(fixed: contact.signedFixed, user: $0)) }
        for index in stride(from: 0, to: good.user.count, by: 127) {
            var user = good.user
            user[index] ^= 1
            #expect(throws: LinkError.notAuthentic) { try isOpen(LinkBlobs(fixed: good.fixed, user: user)) }
            #expect(throws: LinkError.notAuthentic) {
                try isOpen(LinkBlobs(fixed: good.fixed, user: Bytes(user.prefix(index))))
            }
        }
    }
}
