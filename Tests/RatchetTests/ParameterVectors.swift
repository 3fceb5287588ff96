import ByteCoding
import CryptoCore
import Ratchet
import TestSupport
import Testing

/// The public keys that the recorded peers sent each other, in all their encodings.
@Suite struct ParameterVectors {
    @Test(arguments: Recordings.all)
    func parameters(recording: Vector) throws {
        let x3dh = recording["x3dh"], version = UInt16(x3dh["e2eVersion"].int)
        for side in [x3dh["initiator"], x3dh["joiner"]] {
            let encoded = side["params"].bytes
            let parameters = try X3DHPrivateKeys(recorded: side).parameters(for: version)
            #expect(parameters.encoded == encoded)
            #expect(try RatchetParameters(decoding: encoded) == parameters)
            #expect((parameters.kem == nil) == (side["kem"].text == "none"))
        }
    }

    @Test(arguments: Recordings.all)
    func offers(recording: Vector) throws {
        let side = recording["x3dh"]["initiator"], encoded = side["paramsUriBinary"].bytes
        let text = side["paramsUriText"].text
        let offer = try RatchetOffer(decoding: encoded)
        #expect(try X3DHPrivateKeys(recorded: side).offer(offer.versions) == offer)
        #expect(offer.encoded == encoded)
        #expect(offer.queryItems.map { "\($0.name)=\($0.value)" }.joined(separator: "&") == text)
        #expect(try RatchetOffer(queryItems: items(text)) == offer)
        #expect(try RatchetOffer(queryItems: items(text).reversed()) == offer)
        let version = UInt16(recording["x3dh"]["e2eVersion"].int)
        #expect(offer.parameters(for: version).encoded == side["params"].bytes)
    }

    /// All kinds of parameters are in the first recordings; the others repeat them with other keys.
    @Test(arguments: Recordings.all.prefix(4))
    func damaged(recording: Vector) throws {
        let parameters = recording["x3dh"]["joiner"]["params"].bytes
        Damage.check(parameters, ignoring: Damage.unusedBits(in: parameters)) { try RatchetParameters(decoding: $0) }
        let offer = recording["x3dh"]["initiator"]["paramsUriBinary"].bytes
        Damage.check(offer, ignoring: Damage.unusedBits(in: offer)) { try RatchetOffer(decoding: $0) }
    }

    @Test(arguments: Recordings.all.prefix(3))
    func damagedText(recording: Vector) throws {
        let text = recording["x3dh"]["initiator"]["paramsUriText"].text
        // A character of each key holds the count of unused bits, which is not compared. Padding may be missing.
        let start = Bytes(text.utf8.prefix { $0 != UInt8(ascii: "M") }).count
        let unusedBits: Set = [start + 15, start + 93 + 15]
        Damage.check(Bytes(text.utf8), ignoring: unusedBits) { changed in
            guard let changed = String(validating: changed, as: UTF8.self) else { throw DecodeError.invalid("text") }
            guard changed != text.dropLast() else { throw DecodeError.truncated }
            return try RatchetOffer(queryItems: items(changed))
        }
    }

    /// Items, where A and B stand for X448 keys and C for another one, and whether they are an offer.
    private static let texts: [([String], Bool)] = [
        (["v=2-3", "x3dh=A,B"], true), (["x3dh=A,B", "v=2-3", "later=1", "v=7"], true),
        (["v=1-1", "x3dh=A,B"], true), (["v=2-3", "x3dh=A,B", "kem_key=AAAA"], true),
        (["v=2", "x3dh=A,B", "kem_key=!"], true), (["x3dh=A,B"], false), (["v=2-3"], false),
        (["v=2", "x3dh=A"], false), (["v=2", "x3dh=A,B,B"], false), (["v=2", "x3dh=A,C"], false),
        (["v=2", "x3dh=C,C"], false), (["v=2", "x3dh=abc"], false), (["v=2", "x3dh="], false),
        (["v=3-2", "x3dh=A,B"], false), (["v=2-3 ", "x3dh=A,B"], false),
        (["v=2-3", "x3dh=A,B", "kem_key=!"], false), (["v=2-3", "x3dh=A,B", "kem_key="], false),
        (["v=2-3", "x3dh=A,B", "kem_ct=AAAA", "kem_key=BBBB"], false),
    ]

    @Test(arguments: texts)
    func textOffers(template: [String], isRead: Bool) {
        let keys = RandomRatchetKeys(SeededRandom(seed: 1))
        let names = [
            "A": Base64URL.encode(keys.x448PrivateKey().publicKey.der),
            "B": Base64URL.encode(keys.x448PrivateKey().publicKey.der),
            "C": Base64URL.encode(X25519.PrivateKey(random: SeededRandom(seed: 2)).publicKey.der),
        ]
        let text = template.map { item in
            guard item.hasPrefix("x3dh=") else { return item }
            let keys = item.dropFirst(5).split(separator: ",").map { names[String($0)] ?? String($0) }
            return "x3dh=" + keys.joined(separator: ",")
        }
        let offer = try? RatchetOffer(queryItems: items(text.joined(separator: "&")))
        #expect((offer != nil) == isRead, "\(template)")
    }

    @Test func kemFieldsOfOlderVersionsAndOfOffers() throws {
        let keys = RandomRatchetKeys(SeededRandom(seed: 3))
        let pair = KEMKeyPair(publicKey: [1, 2, 3], secretKey: Secret(copying: [4]))
        let made = Encapsulation(ciphertext: [5], secret: Secret(copying: [6]))
        let own = X3DHPrivateKeys(key1: keys.x448PrivateKey(), key2: keys.x448PrivateKey(), kem: .accepted(pair, made))
        #expect(own.parameters(for: 3).kem == .accepted(ciphertext: [5], publicKey: [1, 2, 3]))
        #expect(try RatchetParameters(decoding: own.parameters(for: 2).encoded).kem == nil)
        #expect(own.offer(VersionRange(2, 3)).kemKey == [1, 2, 3])
        #expect(own.offer(VersionRange(2, 2)).queryItems.map(\.name) == ["v", "x3dh"])

        var writer = ByteWriter()
        writer.value(VersionRange(2, 3))
        writer.value(own.key1.publicKey)
        writer.value(own.key2.publicKey)
        writer.optional(own.parameters(for: 3).kem)
        #expect(throws: DecodeError.invalid("KEM of an offer")) { try RatchetOffer(decoding: writer.bytes) }
        Damage.check(KEMParameter.accepted(ciphertext: [5], publicKey: [1, 2, 3]).encoded) {
            try KEMParameter(decoding: $0)
        }
    }

    private func items(_ text: String) -> [RatchetOffer.QueryItem] {
        text.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
        }
    }
}
