public import ByteCoding
public import CryptoCore

/// The key of a store, wrapped for one credential.
public struct KeySlot: Hashable, Sendable, Identifiable {
    /// How the wrapping key is made of the credential.
    public enum Kind: Hashable, Sendable {
        case passphrase(Argon2id.Cost)
        case keyFile
    }

    /// The number that the slot keeps as long as it exists, from 1 to 255.
    public let id: UInt8
    public let kind: Kind
    /// What a passphrase costs; nil for a key file, which costs nothing worth counting.
    var cost: Argon2id.Cost? {
        if case .passphrase(let cost) = kind { cost } else { nil }
    }
    /// Whether the slot is about to be removed, because another replaces it.
    public internal(set) var isLeaving = false
    private let salt: Bytes
    private let nonce: Nonce
    private let box: Bytes

    private static let boxSize = StoreKey.size + XChaCha20Poly1305.tagSize

    /// Wraps `key`.
    init(
        _ id: UInt8, _ key: StoreKey, for credential: Credential, cost: Argon2id.Cost, random: any RandomSource
    ) throws(CipherError) {
        let kind: Kind =
            switch credential {
            case .passphrase: .passphrase(cost)
            case .keyFile: .keyFile
            }
        let salt = random.bytes(Argon2id.saltSize), nonce = Nonce(random: random)
        let wrapping = try KeySlot.wrappingKey(kind, credential, salt: salt)
        box = XChaCha20Poly1305.seal(
            key.secret, nonce: nonce, associated: KeySlot.associated(id, kind, salt: salt), key: wrapping)
        self.id = id
        self.kind = kind
        self.salt = salt
        self.nonce = nonce
    }

    /// The key of the store, or nil if the slot is for another credential.
    func unlock(with credential: Credential) throws(CipherError) -> StoreKey? {
        switch (kind, credential) {
        case (.passphrase, .passphrase), (.keyFile, .keyFile): break
        case (.passphrase, .keyFile), (.keyFile, .passphrase): return nil
        }
        let wrapping = try KeySlot.wrappingKey(kind, credential, salt: salt)
        let associated = KeySlot.associated(id, kind, salt: salt)
        guard let secret = try? XChaCha20Poly1305.open(box, nonce: nonce, associated: associated, key: wrapping)
        else { return nil }
        return StoreKey(secret)
    }

    private static func wrappingKey(
        _ kind: Kind, _ credential: Credential, salt: Bytes
    ) throws(CipherError) -> Secret {
        switch (kind, credential) {
        case (.passphrase(let cost), .passphrase(let secret)):
            do throws(CryptoError) {
                return try Argon2id.derive(XChaCha20Poly1305.keySize, from: secret, salt: salt, cost: cost)
            } catch {
                throw .outOfMemory
            }
        case (_, .keyFile(let secret)), (_, .passphrase(let secret)):
            return HKDF.derive(
                XChaCha20Poly1305.keySize, from: [secret], salt: .bytes(salt), info: "tacit page cipher 1 key file")
        }
    }

    private static func associated(_ id: UInt8, _ kind: Kind, salt: Bytes) -> Bytes {
        var writer = ByteWriter()
        writer.ascii("tacit key slot")
        writer.uint8(id)
        kind.encode(into: &writer)
        writer.raw(salt)
        return writer.bytes
    }
}

// MARK: - Encoding

extension KeySlot: ByteCodable {
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let id = try reader.uint8()
        guard id > 0 else { throw .invalid("slot") }
        let isLeaving = try reader.uint8()
        guard isLeaving < 2 else { throw .invalid("slot") }
        let kind = try Kind(from: &reader)
        let salt = try reader.take(Argon2id.saltSize), nonce = try reader.value(Nonce.self)
        box = try reader.take(KeySlot.boxSize)
        self.id = id
        self.kind = kind
        self.isLeaving = isLeaving == 1
        self.salt = salt
        self.nonce = nonce
    }

    /// 99 bytes.
    public func encode(into writer: inout ByteWriter) {
        writer.uint8(id)
        writer.uint8(isLeaving ? 1 : 0)
        writer.value(kind)
        writer.raw(salt)
        writer.value(nonce)
        writer.raw(box)
    }
}

extension KeySlot.Kind: ByteCodable {
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let word = try reader.uint8(), passes = try reader.uint32(), memory = try reader.uint32()
        switch word {
        case 1:
            guard let cost = Argon2id.Cost(passes: passes, memory: memory) else { throw .invalid("cost") }
            self = .passphrase(cost)
        case 2:
            guard passes == 0, memory == 0 else { throw .invalid("cost") }
            self = .keyFile
        default: throw .invalid("slot")
        }
    }

    /// 9 bytes: both kinds have the same size.
    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .passphrase(let cost):
            writer.uint8(1)
            writer.uint32(cost.passes)
            writer.uint32(cost.memory)
        case .keyFile:
            writer.uint8(2)
            writer.uint32(0)
            writer.uint32(0)
        }
    }
}
