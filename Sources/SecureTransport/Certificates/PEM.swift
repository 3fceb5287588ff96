public import ByteCoding
public import CryptoCore

/// The textual encoding of keys and certificates, PEM (RFC 7468).
public enum PEM {
    /// Returns DER between `-----BEGIN label-----` and `-----END label-----`.
    public static func encode(_ der: Bytes, label: StaticString) -> String {
        var lines = ["-----BEGIN \(label)-----"]
        var rest = Base64.encode(der)[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        lines.append("-----END \(label)-----")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the DER of the first block with this label.
    ///
    /// - Throws: ``DecodeError`` if there is none, or the block is malformed.
    public static func decode(_ text: String, label: StaticString) throws(DecodeError) -> Bytes {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let start = lines.firstIndex(of: "-----BEGIN \(label)-----"),
            let end = lines[start...].firstIndex(of: "-----END \(label)-----")
        else { throw .invalid("PEM block") }
        return try Base64.decode(lines[(start + 1)..<end].joined())
    }
}

extension Ed25519.PrivateKey {
    /// The PKCS #8 header of an Ed25519 key (RFC 8410 section 7) before the 32-byte seed.
    private static let header: Bytes = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]

    /// The private key in DER, 48 bytes, for a key file. The bytes are outside of secret memory.
    public var der: Bytes { Self.header + seed.copyBytes() }

    /// Reads a private key in DER.
    ///
    /// - Throws: ``DecodeError/invalid(_:)``.
    public init(der: Bytes) throws(DecodeError) {
        guard der.count == Self.header.count + 32, der.starts(with: Self.header) else { throw .invalid("private key") }
        do throws(CryptoError) {
            try self.init(seed: Secret(copying: Bytes(der.suffix(32))))
        } catch {
            throw .invalid("private key")
        }
    }
}
