import ByteCoding
import CryptoCore
import Ratchet
import Synchronization
import TestSupport

/// Hands out the keys that a recording used, in its order; asking for anything else traps.
///
/// KEM results are recorded whole, so the recording also stands in for the KEM: what was encapsulated by one side is
/// what the other side decapsulates.
final class RecordedKeys: RatchetRandomness, KeyEncapsulation {
    private let values: Mutex<[Vector]>
    private let secrets: [Bytes: Bytes]

    /// - Parameters:
    ///   - values: The field `randomUsed` of a step.
    ///   - secrets: The shared secrets of all recorded ciphertexts.
    init(_ values: [Vector], secrets: [Bytes: Bytes] = [:]) {
        self.values = Mutex(values)
        self.secrets = secrets
    }

    /// How many values were not asked for.
    var remaining: Int { values.withLock { $0.count } }

    var kem: (any KeyEncapsulation)? { self }

    func x448PrivateKey() -> X448.PrivateKey {
        X448.PrivateKey(random: RecordedRandom([next("x448PrivateKey")["value"].bytes]))
    }

    func keyPair() -> KEMKeyPair {
        KEMKeyPair(recorded: next("kemKeyPair"))
    }

    func encapsulate(to publicKey: Bytes) -> Encapsulation? {
        let value = next("kemEncapsulation")
        precondition(SHA256.hash(publicKey) == value["toPublicKeySha256"].bytes, "encapsulated to another key")
        return Encapsulation(recorded: value)
    }

    func decapsulate(_ ciphertext: Bytes, with pair: KEMKeyPair) -> Secret? {
        secrets[ciphertext].map { Secret(copying: $0) }
    }

    private func next(_ kind: String) -> Vector {
        values.withLock { values in
            precondition(values.first?["kind"].text == kind, "the recording used no \(kind) here")
            return values.removeFirst()
        }
    }
}

extension KEMKeyPair {
    init(recorded value: Vector) {
        self.init(publicKey: value["publicKey"].bytes, secretKey: Secret(copying: value["secretKey"].bytes))
    }
}

extension Encapsulation {
    init(recorded value: Vector) {
        self.init(ciphertext: value["ciphertext"].bytes, secret: Secret(copying: value["sharedSecret"].bytes))
    }
}

extension X3DHPrivateKeys {
    /// The keys of one side of a recorded `x3dh`.
    init(recorded side: Vector) throws {
        let pair = side.field("kemKeyPair").map(KEMKeyPair.init(recorded:))
        let kem: KEM? = pair.map { pair in
            guard let encapsulation = side.field("kemEncapsulation") else { return .proposed(pair) }
            return .accepted(pair, Encapsulation(recorded: encapsulation))
        }
        self.init(
            key1: try X448.PrivateKey(Secret(copying: side["privateKey1"].bytes)),
            key2: try X448.PrivateKey(Secret(copying: side["privateKey2"].bytes)), kem: kem)
    }
}

/// The recorded conversations.
enum Recordings {
    static let files = ["ratchet", "ratchet-plain", "ratchet-versions"]
    static let all = files.flatMap { VectorFile.cases($0) }

    /// Whether a KEM takes part: one side has a key for it, or some step made one.
    static func usesKEM(_ recording: Vector) -> Bool {
        let sides = [recording["x3dh"]["initiator"], recording["x3dh"]["joiner"]]
        let used = recording["steps"].list.flatMap { $0.field("randomUsed")?.list ?? [] }
        return sides.contains { $0["kem"].text != "none" } || used.contains { $0["kind"].text.hasPrefix("kem") }
    }
}
