public import ByteCoding
internal import CSQLite
public import CryptoCore

/// The 4,096 bytes in front of an encrypted database: how its keys are made, and who may have them.
///
/// They are two halves with the same contents. A change of the slots is written to one half, then to the other, so one
/// of them is whole at every moment:
///
///     magic 16 | version 2 | page size 2 | salt 32 | key check 16 | slots, then zeros | SHA-256 of all before, 32
public struct FileHeader: Hashable, Sendable {
    public static let size = 4096
    static let halfSize = size / 2
    private static let magic = Bytes("tacit encrypted\0".utf8)
    private static let plainMagic = Bytes("SQLite format 3\0".utf8)
    private static let version: UInt16 = 1
    private static let saltSize = 32
    private static let checkSize = 16

    /// What makes the keys of this file others than those of all other files.
    let salt: Bytes
    /// Tells whether a key is the one of this file.
    private let keyCheck: Bytes
    public var slots: KeySlots

    /// The header of a new file.
    public init(key: StoreKey, slots: KeySlots, random: any RandomSource = SystemRandom()) {
        salt = random.bytes(FileHeader.saltSize)
        keyCheck = FileHeader.check(of: key, salt: salt)
        self.slots = slots
    }

    /// Whether this is the key of the file.
    public func belongs(to key: StoreKey) -> Bool {
        constantTimeEqual(FileHeader.check(of: key, salt: salt), keyCheck)
    }

    private static func check(of key: StoreKey, salt: Bytes) -> Bytes {
        key.derive(checkSize, salt: salt, for: "check").copyBytes()
    }

    // MARK: - Encoding

    /// Reads the first 4,096 bytes of a file, or all if there are less. Nil if it is a plain database, or empty, which
    /// SQLite takes for a database.
    ///
    /// - Throws: ``CipherError/notAStore``, ``CipherError/damagedHeader``, ``CipherError/newerFormat``.
    public init?(_ bytes: Bytes) throws(CipherError) {
        if bytes.isEmpty || bytes.starts(with: FileHeader.plainMagic) { return nil }
        let halves = FileHeader.halves(of: bytes)
        guard halves.contains(where: { $0.starts(with: FileHeader.magic) }) else { throw .notAStore }
        guard bytes.count >= FileHeader.size else { throw .damagedHeader }
        var newest: FileHeader?, isNewer = false
        for half in halves {
            do throws(CipherError) {
                let found = try FileHeader(half: half)
                if found.slots.revision > newest?.slots.revision ?? 0 { newest = found }
            } catch {
                isNewer = isNewer || error == .newerFormat
            }
        }
        guard let newest else { throw isNewer ? .newerFormat : .damagedHeader }
        self = newest
    }

    static func halves(of bytes: Bytes) -> [Bytes] {
        [Bytes(bytes.prefix(halfSize)), Bytes(bytes.dropFirst(halfSize).prefix(halfSize))]
    }

    /// What one half says.
    init(half: Bytes) throws(CipherError) {
        guard half.count == FileHeader.halfSize,
            SHA256.hash(Bytes(half.dropLast(SHA256.size))) == Bytes(half.suffix(SHA256.size))
        else { throw .damagedHeader }
        var reader = ByteReader(half)
        do throws(DecodeError) {
            let magic = try reader.take(FileHeader.magic.count), version = try reader.uint16()
            guard magic == FileHeader.magic else { throw .invalid("magic") }
            guard version == FileHeader.version else { throw .invalid("version") }
            guard Int(try reader.uint16()) == PageCipher.pageSize else { throw .invalid("page size") }
            salt = try reader.take(FileHeader.saltSize)
            keyCheck = try reader.take(FileHeader.checkSize)
            slots = try reader.value()
        } catch {
            // The checksum is right, so nothing is damaged.
            throw error == .invalid("version") ? .newerFormat : .damagedHeader
        }
    }

    /// One half; the other is the same.
    var half: Bytes {
        var writer = ByteWriter(capacity: FileHeader.halfSize)
        writer.raw(FileHeader.magic)
        writer.uint16(FileHeader.version)
        writer.uint16(UInt16(PageCipher.pageSize))
        writer.raw(salt)
        writer.raw(keyCheck)
        writer.value(slots)
        writer.raw(Bytes(repeating: 0, count: FileHeader.halfSize - SHA256.size - writer.bytes.count))
        return writer.bytes + SHA256.hash(writer.bytes)
    }

    /// Both halves.
    public var encoded: Bytes { half + half }
}

extension FileHeader {
    /// A name for the file that tells nothing about it but that it is the same, 32 hexadecimal digits.
    public var id: String { Hex.encode(Bytes(SHA256.hash(Bytes("tacit file".utf8) + salt).prefix(16))) }
}

extension FileHeader {
    /// Whether one half of the header of an encrypted file is not what was written. The other half is enough to open it; a
    /// change of the slots mends it.
    public static func hasDamagedHalf(_ path: String) throws(CipherError) -> Bool {
        let halves = FileHeader.halves(of: try RawFile(path, SQLITE_OPEN_READONLY).start())
        return halves.contains { (try? FileHeader(half: $0)) == nil }
    }
}

extension FileHeader {
    /// The header of the file at `path`, or nil if it is a plain database, or empty. The file may be in use.
    ///
    /// - Throws: Whatever ``init(_:)`` does, and ``CipherError/file(_:)``.
    public static func read(_ path: String) throws(CipherError) -> FileHeader? {
        try FileHeader(RawFile(path, SQLITE_OPEN_READONLY).start())
    }

    /// Writes the header to the file at `path`, which must be there and empty, and waits until it is on the disk. That makes
    /// it an encrypted database without tables.
    public func write(to path: String) throws(CipherError) {
        let file = try RawFile(path, SQLITE_OPEN_READWRITE)
        guard try file.start().isEmpty else { throw .file(SQLITE_MISUSE) }
        try file.write(encoded, at: 0)
    }

    /// Gives the file at `path` other slots, so that a crash leaves these or those. The file may be in use. Nothing is
    /// written if it has them already.
    ///
    /// Afterwards both halves of the header have the new slots: what a removed slot was is overwritten, as far as the disk
    /// overwrites anything.
    ///
    /// - Throws: ``CipherError/notAStore`` for a plain database too.
    public static func replaceSlots(of path: String, by slots: KeySlots) throws(CipherError) {
        let file = try RawFile(path, SQLITE_OPEN_READWRITE)
        let bytes = try file.start()
        guard var header = try FileHeader(bytes) else { throw .notAStore }
        let old = header.half
        header.slots = slots
        let new = header.half
        // The half that says what the header says is overwritten last.
        let halves = FileHeader.halves(of: bytes)
        for index in halves.indices.sorted(by: { halves[$0] != old && halves[$1] == old }) where halves[index] != new {
            try file.write(new, at: index * FileHeader.halfSize)
        }
    }
}
