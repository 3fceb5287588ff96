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
        let contact = try Contact()
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
        let contact = try Contact()
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
        let contact = try Contact()
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

/// The recorded link that other cases put their own records behind.
private struct Contact {
    let key: ShortLinkKey
    let boxKey: Secret
    let signedFixed: Bytes
    let signedUser: Bytes

    init() throws {
        let cases = VectorFile.cases("short-link-crypto", kind: "linkData")
        let vector = try #require(cases.first { $0["name"].text == "contact" })
        key = ShortLinkKey(vector["linkKey"].bytes)
        boxKey = Secret(copying: vector["boxKey"].bytes)
        signedFixed = vector.signed("fixedDataSignature", "fixedData")
        signedUser = vector.signed("userDataSignature", "userDataEncoded")
    }

    func blobs(fixed: Bytes, user: Bytes) throws -> LinkBlobs {
        let random = SeededRandom(seed: 7)
        return LinkBlobs(
            fixed: try LinkBox.seal(
                LinkBox.SignedRecord(decoding: fixed), paddedTo: LinkBox.fixedSize, key: boxKey, random: random),
            user: try LinkBox.seal(
                LinkBox.SignedRecord(decoding: user), paddedTo: LinkBox.userSize, key: boxKey, random: random))
    }

    /// Opens blobs with the right key of the boxes, to a recorded result.
    func open(_ blobs: LinkBlobs, key: ShortLinkKey? = nil, expecting result: Vector) throws {
        let opened = Result { () throws(LinkError) in
            try OpenedLink(blobs, key: key ?? self.key, boxKey: boxKey, isInvitation: false)
        }
        guard let error = result.field("error")?.text else { return try opened.get().check(result) }
        let failure = opened.failure?.withoutDetails
        #expect(failure != nil)
        #expect(failure == LinkError(recorded: error))
    }
}

extension Vector {
    /// Whether these are the recorded bytes, of which only the hash may have been kept.
    fileprivate func matches(_ bytes: Bytes) -> Bool {
        if case .string = self { self.bytes == bytes } else { LongBytes(self).matches(bytes) }
    }

    fileprivate func matchesBlob(_ bytes: Bytes) -> Bool {
        (field("encrypted") ?? self["encryptedDigest"]).matches(bytes)
    }

    fileprivate func signed(_ signature: String, _ record: String) -> Bytes {
        [64] + self[signature].bytes + self[record].bytes
    }

    fileprivate func owner() throws -> LinkOwner {
        LinkOwner(
            id: self["ownerId"].bytes, key: try Ed25519.PublicKey(raw: self["ownerKey"].bytes),
            authorization: self["authorization"].bytes)
    }

    fileprivate func userRecord() throws -> UserLinkRecord {
        let content =
            field("userData")?.bytes ?? Bytes(repeating: UInt8(ascii: "a"), count: self["userDataLength"].int)
        let versions = self["agentVersions"].range
        guard self["mode"].text == "contact" else { return .invitation(versions: versions, content: content) }
        return .address(
            versions: versions,
            AddressRecord(
                isDirect: self["direct"].bool, owners: try field("owners")?.list.map { try $0.owner() } ?? [],
                relays: try field("relays")?.list.map { try ShortLink(text: $0.text) } ?? [], content: content))
    }
}

extension Bytes {
    /// The counts of unused bits in the headers of keys, which readers take as they are.
    fileprivate var ignoredByReaders: Set<Int> {
        Set(indices.dropLast(5).filter { self[$0] == 0x2b && self[$0 + 1] == 0x65 }.map { $0 + 5 })
    }
}

extension OpenedLink {
    fileprivate func check(_ vector: Vector) throws {
        #expect(fixed.versions == vector["agentVersions"].range)
        #expect(fixed.rootKey.raw == vector["rootKey"].bytes)
        #expect(fixed.request.description == vector["connectionRequest"].text)
        #expect(fixed.entityID == vector.field("linkEntityId")?.bytes)
        #expect(SHA256.hash(user.content) == vector["userDataSha256"].bytes)
    }
}

extension LinkError {
    /// The error that a recorded text stands for.
    fileprivate init?(recorded text: String?) {
        guard let text else { return nil }
        let meanings: [(String, LinkError)] = [
            ("link data hash", .otherRecord), ("DECRYPT_CB", .notAuthentic), ("link data signature", .fixedSignature),
            ("user data signature", .userSignature), ("A_MESSAGE", .malformed(.truncated)),
            ("invalid authorization", .unauthorizedOwner), ("duplicate owner", .repeatedOwner),
            ("owner key for ID", .ownerIsRoot),
        ]
        guard let meaning = meanings.first(where: { text.contains($0.0) }) else { fatalError("unknown: \(text)") }
        self = meaning.1
    }

    /// The recorded implementation has one error for what does not parse and what is of the other kind.
    fileprivate var withoutDetails: LinkError {
        switch self {
        case .malformed, .otherKind: .malformed(.truncated)
        default: self
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
