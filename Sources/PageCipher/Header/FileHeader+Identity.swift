import ByteCoding
import CryptoCore

extension FileHeader {
    /// A name for the file that tells nothing about it but that it is the same, 32 hexadecimal digits.
    public var id: String { Hex.encode(Bytes(SHA256.hash(Bytes("tacit file".utf8) + salt).prefix(16))) }
}
