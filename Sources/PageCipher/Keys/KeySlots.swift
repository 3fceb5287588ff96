public import ByteCoding
public import CryptoCore

/// The key slots of a store: its key, wrapped once for every credential.
///
/// Both databases of a store have the same slots, so that a passphrase is derived once. The slots are written to one
/// file after the other, so a crash may leave two revisions. The newer one is valid, and at least one credential opens
/// both files at any time:
///
/// 1. ``replacing(_:by:for:cost:random:)`` adds the new slot and marks the old one; written to both files.
/// 2. ``settled`` removes marked slots; written to both files.
///
/// A process that finds two revisions, or a mark, completes the change: it writes ``newer(_:_:)`` to both files, then
/// its ``settled``.
public struct KeySlots: Hashable, Sendable {
    /// The id of the slot for the passphrase of an archive, in archives only.
    public static let archiveID: KeySlot.ID = .max
    /// The largest number of slots in a header.
    public static let limit = 8

    /// The number of changes.
    public private(set) var revision: UInt32
    /// The slots.
    public private(set) var slots: [KeySlot]

    /// Returns a new key, and slots with one slot for the credential.
    ///
    /// - Throws: ``CipherError/outOfMemory``.
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

    /// Returns the key of the store and the slot of the credential. Blocks while Argon2id works.
    ///
    /// - Throws: ``CipherError/wrongKey`` if the credential opens no slot, ``CipherError/outOfMemory``.
    public func unlock(with credential: Credential) throws(CipherError) -> (key: StoreKey, slot: KeySlot.ID) {
        for slot in slots {
            if let key = try slot.unlock(with: credential) { return (key, slot.id) }
        }
        throw .wrongKey
    }

    // MARK: - Changes

    /// Returns the slots with one more slot, which wraps `key` for `credential`.
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

    /// Returns the slots with a slot for the passphrase of an archive.
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

    /// Returns the slots without one slot.
    ///
    /// - Throws: ``CipherError/noSuchSlot``, or ``CipherError/lastSlot`` for the only way into the store.
    public func removing(_ id: KeySlot.ID) throws(CipherError) -> KeySlots {
        guard slots.contains(where: { $0.id == id }) else { throw .noSuchSlot }
        let rest = slots.filter { $0.id != id }
        guard rest.contains(where: { !$0.isLeaving }) else { throw .lastSlot }
        return KeySlots(revision: revision + 1, slots: rest)
    }

    /// Returns the slots with a slot for `credential`, and with the slot `id` marked for removal.
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

    /// The slots without marked ones; nil if no slot is marked.
    public var settled: KeySlots? {
        let staying = slots.filter { !$0.isLeaving }
        return staying.count == slots.count ? nil : KeySlots(revision: revision + 1, slots: staying)
    }

    /// Returns the newer of two revisions in the files of a store.
    public static func newer(_ one: KeySlots, _ other: KeySlots) -> KeySlots {
        one.revision >= other.revision ? one : other
    }
}

// MARK: - Encoding

extension KeySlots: ByteCodable {
    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let revision = try reader.uint32(), slots = try reader.list(of: KeySlot.self)
        // A billion changes are unrealistic; the rest of the range leaves room for counting.
        guard revision > 0, revision < 1 << 30, slots.count <= KeySlots.limit,
            slots.contains(where: { !$0.isLeaving }), Set(slots.map(\.id)).count == slots.count
        else { throw .invalid("slots") }
        // SECURITY: a passphrase is tried in every slot, and a hostile header must not exhaust the machine.
        guard Argon2id.Cost.areAffordable(slots.compactMap(\.cost)) else { throw .invalid("cost") }
        self.init(revision: revision, slots: slots)
    }

    /// Writes the slots: at most 797 bytes.
    public func encode(into writer: inout ByteWriter) {
        writer.uint32(revision)
        writer.list(slots)
    }
}

/// The key of a store, wrapped for one credential.
public struct KeySlot: Hashable, Sendable, Identifiable {
    /// The derivation of the wrapping key from the credential.
    public enum Kind: Hashable, Sendable {
        /// Argon2id of a passphrase with this cost.
        case passphrase(Argon2id.Cost)
        /// HKDF of a key file.
        case keyFile
    }

    /// The permanent id of the slot, from 1 to 255.
    public let id: UInt8
    /// The derivation of the wrapping key.
    public let kind: Kind
    /// The cost of a passphrase; nil for a key file, whose cost is negligible.
    var cost: Argon2id.Cost? {
        if case .passphrase(let cost) = kind { cost } else { nil }
    }
    /// True if the slot is marked for removal, because another one replaces it.
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

    /// Returns the key of the store, or nil if the slot belongs to another credential.
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
    /// Reads the binary form.
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

    /// Writes the slot: 99 bytes.
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
    /// Reads the binary form.
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

    /// Writes the kind: 9 bytes for both kinds.
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
