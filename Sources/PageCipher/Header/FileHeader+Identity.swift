internal import ByteCoding
internal import CSQLite
import CryptoCore

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
