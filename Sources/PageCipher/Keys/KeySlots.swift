public import ByteCoding
public import CryptoCore

/// The ways into a store: its key, wrapped once for every credential.
///
/// Both databases of a store carry the same slots, so that a passphrase is worked out once. They are written to one file
/// after the other, so a crash may leave two revisions; the newer one is meant, and at least one credential opens both
/// files at every moment:
///
/// 1. ``replacing(_:by:for:cost:random:)`` adds the new slot and marks the old one; written to both files.
/// 2. ``settled`` removes what is marked; written to both files.
///
/// Whoever opens a store and finds two revisions, or a mark, goes on where it ended: writes ``newer(_:_:)`` to both,
/// then its ``settled``.
public struct KeySlots: Hashable, Sendable {
    /// The number of the slot for the passphrase of an archive, which only archives have.
    public static let archiveID: KeySlot.ID = .max
    /// The most slots that fit into a header.
    public static let limit = 8

    /// Counts the changes.
    public private(set) var revision: UInt32
    public private(set) var slots: [KeySlot]

    /// A new key, and a slot for the credential that will open it.
    public static func fresh(
        for credential: Credential, cost: Argon2id.Cost = .recommended, random: any RandomSource = SystemRandom()
    ) throws(CipherError) -> (key: StoreKey, slots: KeySlots) {
        let key = StoreKey(random: random)
        let slot = try KeySlot(1, key, for: credential, cost: cost, random: random)
        return (key, KeySlots(revision: 1, slots: [slot]))
    }

    private init(revision: UInt32, slots: [KeySlot]) {
        self.revision = revision
        self.slots = slots
    }

    /// The key of the store, and the slot that the credential opened. Blocks while Argon2id works.
    ///
    /// - Throws: ``CipherError/wrongKey`` if the credential opens no slot.
    public func unlock(with credential: Credential) throws(CipherError) -> (key: StoreKey, slot: KeySlot.ID) {
        for slot in slots {
            if let key = try slot.unlock(with: credential) { return (key, slot.id) }
        }
        throw .wrongKey
    }

    // MARK: - Changes

    /// The same with one more slot, in which `key` is wrapped for `credential`.
    ///
    /// - Throws: ``CipherError/noFreeSlot`` if there are eight already.
    public func adding(
        _ credential: Credential, for key: StoreKey, cost: Argon2id.Cost = .recommended,
        random: any RandomSource = SystemRandom()
    ) throws(CipherError) -> KeySlots {
        let used = Set(slots.map(\.id))
        guard slots.count < KeySlots.limit, let id = (1..<KeySlots.archiveID).first(where: { !used.contains($0) })
        else { throw .noFreeSlot }
        let slot = try KeySlot(id, key, for: credential, cost: cost, random: random)
        return KeySlots(revision: revision + 1, slots: slots + [slot])
    }

    /// The same with a slot for the passphrase of an archive.
    ///
    /// - Throws: ``CipherError/noFreeSlot`` if there are eight already, or one for an archive.
    public func addingArchivePassphrase(
        _ credential: Credential, for key: StoreKey, cost: Argon2id.Cost = .recommended,
        random: any RandomSource = SystemRandom()
    ) throws(CipherError) -> KeySlots {
        guard slots.count < KeySlots.limit, !hasArchivePassphrase else { throw .noFreeSlot }
        let slot = try KeySlot(KeySlots.archiveID, key, for: credential, cost: cost, random: random)
        return KeySlots(revision: revision + 1, slots: slots + [slot])
    }

    /// True if a slot is for the passphrase of an archive.
    public var hasArchivePassphrase: Bool { slots.contains { $0.id == KeySlots.archiveID } }

    /// The same without a slot.
    ///
    /// - Throws: ``CipherError/noSuchSlot`` if there is none with this number, ``CipherError/lastSlot`` if there would be
    ///   no way into the store any more.
    public func removing(_ id: KeySlot.ID) throws(CipherError) -> KeySlots {
        guard slots.contains(where: { $0.id == id }) else { throw .noSuchSlot }
        let rest = slots.filter { $0.id != id }
        guard rest.contains(where: { !$0.isLeaving }) else { throw .lastSlot }
        return KeySlots(revision: revision + 1, slots: rest)
    }

    /// The same with a slot for `credential`, and the slot `id` marked as one to be removed.
    ///
    /// - Throws: As ``adding(_:for:cost:random:)`` and ``removing(_:)``.
    public func replacing(
        _ id: KeySlot.ID, by credential: Credential, for key: StoreKey, cost: Argon2id.Cost = .recommended,
        random: any RandomSource = SystemRandom()
    ) throws(CipherError) -> KeySlots {
        guard let index = slots.firstIndex(where: { $0.id == id }) else { throw .noSuchSlot }
        var changed = try adding(credential, for: key, cost: cost, random: random)
        changed.slots[index].isLeaving = true
        return changed
    }

    /// The same without the slots that are marked, or nil if none is.
    public var settled: KeySlots? {
        let staying = slots.filter { !$0.isLeaving }
        return staying.count == slots.count ? nil : KeySlots(revision: revision + 1, slots: staying)
    }

    /// What is meant, if the files of a store have different slots.
    public static func newer(_ one: KeySlots, _ other: KeySlots) -> KeySlots {
        one.revision >= other.revision ? one : other
    }
}

// MARK: - Encoding

extension KeySlots: ByteCodable {
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let revision = try reader.uint32(), slots = try reader.list(of: KeySlot.self)
        // Nobody changes slots a billion times; the rest of the numbers leaves room to count on.
        guard revision > 0, revision < 1 << 30, slots.count <= KeySlots.limit,
            slots.contains(where: { !$0.isLeaving }), Set(slots.map(\.id)).count == slots.count
        else { throw .invalid("slots") }
        // SECURITY: a passphrase is tried in every slot, and a hostile header must not keep the machine busy.
        guard Argon2id.Cost.areAffordable(slots.compactMap(\.cost)) else { throw .invalid("cost") }
        self.init(revision: revision, slots: slots)
    }

    /// At most 797 bytes.
    public func encode(into writer: inout ByteWriter) {
        writer.uint32(revision)
        writer.list(slots)
    }
}

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
