public import ByteCoding

/// The header in front of the content of an encrypted file (smp-agent.md 10.5).
public struct EncryptedFileHeader: Hashable, Sendable, ByteCodable {
    /// The largest size of an encoded header in bytes.
    static let maximumSize = 2 * (1 + 255) + 1
    /// The longest name in bytes.
    public static let maximumName = 255

    /// The name that the sender gave the file. It may be anything, with folders and control characters.
    public let name: String
    /// An extension of later versions.
    public let extra: String?

    /// Creates a header. The name is cut to 255 bytes of UTF-8 at a character.
    public init(name: String, extra: String? = nil) {
        var name = name
        while name.utf8.count > EncryptedFileHeader.maximumName { name.removeLast() }
        self.name = name
        precondition((extra?.utf8.count ?? 0) <= UInt8.max, "an extension has at most 255 bytes")
        self.extra = extra
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        name = try reader.shortText()
        extra = try reader.optional { reader throws(DecodeError) in try reader.shortText() }
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.shortText(name)
        writer.optional(extra) { $0.shortText($1) }
    }

    /// The name without folders, or nil if nothing usable is left: a receiver never follows the sender's folders.
    public var lastNameComponent: String? {
        let separators: Set<Unicode.Scalar> = ["/", "\\", "\0"]
        let last = name.unicodeScalars.split(omittingEmptySubsequences: false) { separators.contains($0) }.last
        let component = last.map { String(String.UnicodeScalarView($0)) } ?? ""
        return ["", ".", ".."].contains(component) ? nil : component
    }
}
