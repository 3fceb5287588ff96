public import ByteCoding
internal import CSQLite
public import CryptoCore

/// The header of an encrypted database, 4,096 bytes, with the salt of its keys and the key slots.
///
/// It has two halves with the same content. A change of the slots is written to one half, then to the other, so one of
/// them is always intact:
///
///     magic 16 | version 2 | page size 2 | salt 32 | key check 16 | slots, then zeros | SHA-256 of all before, 32
public struct FileHeader: Hashable, Sendable {
    /// The size in bytes.
    public static let size = 4096
    static let halfSize = size / 2
    private static let magic = Bytes("tacit encrypted\0".utf8)
    private static let plainMagic = Bytes("SQLite format 3\0".utf8)
    private static let version: UInt16 = 1
    private static let saltSize = 32
    private static let checkSize = 16

    /// The salt, which makes the keys of the file unique.
    let salt: Bytes
    /// The check value of the key.
    private let keyCheck: Bytes
    /// The key slots.
    public var slots: KeySlots

    /// Creates the header of a new file.
    public init(key: StoreKey, slots: KeySlots, random: any RandomSource = SystemRandom()) {
        salt = random.bytes(FileHeader.saltSize)
        keyCheck = FileHeader.check(of: key, salt: salt)
        self.slots = slots
    }

    /// Returns true if this is the key of the file.
    public func belongs(to key: StoreKey) -> Bool {
        constantTimeEqual(FileHeader.check(of: key, salt: salt), keyCheck)
    }

    private static func check(of key: StoreKey, salt: Bytes) -> Bytes {
        key.derive(checkSize, salt: salt, for: "check").copyBytes()
    }

    // MARK: - Encoding

    /// Reads the header from the first 4,096 bytes of a file, or fewer if the file is shorter. Returns nil for a plain
    /// database and an empty file, which SQLite takes for a database.
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

    /// Reads one half.
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
            // The checksum is valid, so the file is not damaged.
            throw error == .invalid("version") ? .newerFormat : .damagedHeader
        }
    }

    /// One half; the other is equal.
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
    /// The public id of the file, 32 hexadecimal digits, which reveals nothing else about it.
    public var id: String { Hex.encode(Bytes(SHA256.hash(Bytes("tacit file".utf8) + salt).prefix(16))) }
}

extension FileHeader {
    /// Returns true if one half of the header is damaged. The other half suffices to open the file; a change of the
    /// slots repairs the damaged one.
    ///
    /// - Throws: ``CipherError``.
    public static func hasDamagedHalf(_ path: String) throws(CipherError) -> Bool {
        let halves = FileHeader.halves(of: try RawFile(path, SQLITE_OPEN_READONLY).start())
        return halves.contains { (try? FileHeader(half: $0)) == nil }
    }
}

extension FileHeader {
    /// Returns the header of the file at `path`, or nil for a plain database or an empty file. The file may be in use.
    ///
    /// - Throws: As ``init(_:)``, and ``CipherError/file(_:)``.
    public static func read(_ path: String) throws(CipherError) -> FileHeader? {
        try FileHeader(RawFile(path, SQLITE_OPEN_READONLY).start())
    }

    /// Writes the header to the file at `path`, which must exist and be empty, and waits until it is on the disk. The
    /// file is then an encrypted database without tables.
    ///
    /// - Throws: ``CipherError/file(_:)``.
    public func write(to path: String) throws(CipherError) {
        let file = try RawFile(path, SQLITE_OPEN_READWRITE)
        guard try file.start().isEmpty else { throw .file(SQLITE_MISUSE) }
        try file.write(encoded, at: 0)
    }

    /// Replaces the slots of the file at `path`. After a crash the file has either the former or the new slots. The
    /// file may be in use. Equal slots are not written. A half that cannot be written keeps its content if the disk takes that.
    ///
    /// Afterwards both halves of the header have the new slots: a removed slot is overwritten, as far as the disk
    /// overwrites data.
    ///
    /// - Throws: ``CipherError/notAStore``, also for a plain database, and ``CipherError/file(_:)``.
    public static func replaceSlots(of path: String, by slots: KeySlots) throws(CipherError) {
        let file = try RawFile(path, SQLITE_OPEN_READWRITE)
        let bytes = try file.start()
        guard var header = try FileHeader(bytes) else { throw .notAStore }
        let old = header.half
        header.slots = slots
        let new = header.half
        // The half with the current content is overwritten last.
        let halves = FileHeader.halves(of: bytes)
        for index in halves.indices.sorted(by: { halves[$0] != old && halves[$1] == old }) where halves[index] != new {
            do throws(CipherError) {
                try file.write(new, at: index * FileHeader.halfSize)
            } catch {
                // A part of it may have been written. The half is whole again if what it had can be written to the same place.
                try? file.write(halves[index], at: index * FileHeader.halfSize)
                throw error
            }
        }
    }
}
