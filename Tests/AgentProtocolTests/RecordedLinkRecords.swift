import AgentProtocol
import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing

// Builds the parts of short links from the descriptions in the recordings.

/// The recorded link that other cases put their own records behind.
struct RecordedContact {
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
    func matches(_ bytes: Bytes) -> Bool {
        if case .string = self { self.bytes == bytes } else { LongBytes(self).matches(bytes) }
    }

    func matchesBlob(_ bytes: Bytes) -> Bool {
        (field("encrypted") ?? self["encryptedDigest"]).matches(bytes)
    }

    func signed(_ signature: String, _ record: String) -> Bytes {
        [64] + self[signature].bytes + self[record].bytes
    }

    func owner() throws -> LinkOwner {
        LinkOwner(
            id: self["ownerId"].bytes, key: try Ed25519.PublicKey(raw: self["ownerKey"].bytes),
            authorization: self["authorization"].bytes)
    }

    func userRecord() throws -> UserLinkRecord {
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
    var ignoredByReaders: Set<Int> {
        Set(indices.dropLast(5).filter { self[$0] == 0x2b && self[$0 + 1] == 0x65 }.map { $0 + 5 })
    }
}

extension OpenedLink {
    func check(_ vector: Vector) throws {
        #expect(fixed.versions == vector["agentVersions"].range)
        #expect(fixed.rootKey.raw == vector["rootKey"].bytes)
        #expect(fixed.request.description == vector["connectionRequest"].text)
        #expect(fixed.entityID == vector.field("linkEntityId")?.bytes)
        #expect(SHA256.hash(user.content) == vector["userDataSha256"].bytes)
    }
}

extension LinkError {
    /// The error that a recorded text stands for.
    init?(recorded text: String?) {
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
    var withoutDetails: LinkError {
        switch self {
        case .malformed, .otherKind: .malformed(.truncated)
        default: self
        }
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
