public import ByteCoding
public import CryptoCore
public import Ratchet
import Synchronization

/// Hands out the keys that a recording used, in its order; asking for anything else traps.
///
/// Key pairs and encapsulations of the KEM are recorded whole; nothing random is in a decapsulation, so that is done.
public final class RecordedKeys: RatchetRandomness, KeyEncapsulation {
    private let values: Mutex<[Vector]>

    /// - Parameter values: The field `randomUsed` of a step.
    public init(_ values: [Vector]) {
        self.values = Mutex(values)
    }

    /// The one key that a recorded joiner makes for its ratchet.
    public convenience init(ratchetKeyOf joiner: Vector) {
        self.init([
            .dictionary(["kind": .string("x448PrivateKey"), "value": joiner["ratchetPrivateKey"]])
        ])
    }

    /// How many values were not asked for.
    public var remaining: Int { values.withLock { $0.count } }

    public var kem: any KeyEncapsulation { self }

    public func x448PrivateKey() -> X448.PrivateKey {
        X448.PrivateKey(random: RecordedRandom([next("x448PrivateKey")["value"].bytes]))
    }

    public func keyPair() -> KEMKeyPair {
        KEMKeyPair(recorded: next("kemKeyPair"))
    }

    public func encapsulate(to publicKey: Bytes) -> Encapsulation? {
        let value = next("kemEncapsulation")
        // Not every recording says to which key.
        if let hash = value.field("toPublicKeySha256")?.bytes {
            precondition(SHA256.hash(publicKey) == hash, "encapsulated to another key")
        }
        return Encapsulation(recorded: value)
    }

    public func decapsulate(_ ciphertext: Bytes, with pair: KEMKeyPair) -> Secret? {
        Sntrup761Encapsulation(SystemRandom()).decapsulate(ciphertext, with: pair)
    }

    private func next(_ kind: String) -> Vector {
        values.withLock { values in
            precondition(values.first?["kind"].text == kind, "the recording used no \(kind) here")
            return values.removeFirst()
        }
    }
}

extension KEMKeyPair {
    /// A recorded key pair.
    public init(recorded value: Vector) {
        self.init(publicKey: value["publicKey"].bytes, secretKey: Secret(copying: value["secretKey"].bytes))
    }
}

extension Encapsulation {
    /// A recorded secret with its ciphertext.
    public init(recorded value: Vector) {
        self.init(ciphertext: value["ciphertext"].bytes, secret: Secret(copying: value["sharedSecret"].bytes))
    }
}

extension X3DHPrivateKeys {
    /// The keys of one side of a recorded `x3dh`.
    public init(recorded side: Vector) throws {
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
