import ByteCoding
import Glibc
import SystemIO

/// A writer of a tar archive (POSIX.1-1988, `ustar`), which every system can unpack.
struct TapeArchive: ~Copyable {
    private let file: FileDescriptor

    private static let blockSize = 512
    /// The size of a portion in memory, in bytes.
    private static let portion = 1 << 20

    /// Creates the file, which must not exist yet, readable by its owner only.
    init(creating path: String) throws(SystemError) {
        file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, "create the archive")
    }

    /// Appends a file under a name of at most 100 bytes, readable by its owner only.
    func append(_ path: String, as name: String, modified: Timestamp) throws(SystemError) {
        let source = try FileDescriptor(opening: path, O_RDONLY)
        // Of the open file: it may lose its name meanwhile.
        let size = try source.size()
        try file.write(TapeArchive.header(name, size: size, modified: modified), "write the archive")
        var left = size
        while left > 0 {
            let part = try source.read(min(left, TapeArchive.portion), "read the file")
            // Files of a relay do not shrink.
            guard !part.isEmpty else { throw SystemError("read the file", number: EIO) }
            try file.write(part, "write the archive")
            left -= part.count
        }
        let rest = size % TapeArchive.blockSize
        if rest > 0 { try file.write(Bytes(repeating: 0, count: TapeArchive.blockSize - rest), "write the archive") }
    }

    /// Writes the end, and waits until the archive is on the disk.
    func finish() throws(SystemError) {
        try file.write(Bytes(repeating: 0, count: 2 * TapeArchive.blockSize), "write the archive")
        try file.synchronize()
    }

    private static func header(_ name: String, size: Int, modified: Timestamp) -> Bytes {
        precondition(name.utf8.count <= 100, "a name fits into its field")
        var header = Bytes(repeating: 0, count: blockSize)
        func put(_ bytes: some Sequence<UInt8>, at offset: Int) {
            for (index, byte) in bytes.enumerated() { header[offset + index] = byte }
        }
        put(name.utf8, at: 0)
        put(octal(0o600, digits: 7), at: 100)
        put(octal(0, digits: 7), at: 108)
        put(octal(0, digits: 7), at: 116)
        put(sizeField(size), at: 124)
        put(octal(Int(max(0, modified.seconds)), digits: 11), at: 136)
        // The checksum counts its own field as spaces.
        put(Bytes(repeating: UInt8(ascii: " "), count: 8), at: 148)
        put("0".utf8, at: 156)
        put("ustar\0".utf8, at: 257)
        put("00".utf8, at: 263)
        put(octal(header.reduce(0) { $0 + Int($1) }, digits: 6) + [0], at: 148)
        return header
    }

    /// Returns the size field. Eleven octal digits suffice up to 8 GB; above that GNU tar and others write a binary
    /// number after a first byte of 128.
    private static func sizeField(_ size: Int) -> Bytes {
        guard size >= 1 << 33 else { return octal(size, digits: 11) }
        return [128, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: size >> (56 - 8 * $0)) }
    }

    private static func octal(_ number: Int, digits: Int) -> Bytes {
        let text = String(number, radix: 8)
        return Bytes(String(repeating: "0", count: max(0, digits - text.utf8.count)).utf8) + Bytes(text.utf8)
    }
}
