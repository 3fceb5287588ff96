internal import ByteCoding
internal import CSQLite

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
