public import ByteCoding

/// Textual encoding of keys and certificates (RFC 7468).
public enum PEM {
    /// DER between `-----BEGIN label-----` and `-----END label-----`.
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

    /// The DER of the first block with this label.
    public static func decode(_ text: String, label: StaticString) throws(DecodeError) -> Bytes {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let start = lines.firstIndex(of: "-----BEGIN \(label)-----"),
            let end = lines[start...].firstIndex(of: "-----END \(label)-----")
        else { throw .invalid("PEM block") }
        return try Base64.decode(lines[(start + 1)..<end].joined())
    }
}
