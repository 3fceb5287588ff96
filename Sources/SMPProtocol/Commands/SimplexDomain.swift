public import ByteCoding

/// The full name of a registered domain: `alice.simplex`, `example.com`. It names a record in RSLV (SMP v20).
public struct SimplexDomain: Hashable, Sendable, CustomStringConvertible {
    /// The labels with dots between them, in lower case, at most 253 bytes.
    public let description: String

    /// The largest size of a domain in bytes, as in DNS.
    public static let maximumSize = 253
    /// The largest size of a label in bytes, as in DNS.
    public static let maximumLabelSize = 63

    /// Reads a domain of at least two labels: ASCII letters and digits with single hyphens between them.
    ///
    /// - Throws: ``DecodeError/invalid(_:)``.
    public init(text: String) throws(DecodeError) {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= SimplexDomain.maximumSize, labels.count > 1,
            labels.allSatisfy(SimplexDomain.isLabel)
        else { throw .invalid("domain") }
        description = text.lowercased()
    }

    private static func isLabel(_ text: Substring) -> Bool {
        guard text.utf8.count <= maximumLabelSize else { return false }
        return text.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { part in
            // Letters outside of ASCII could look like others.
            !part.isEmpty && part.utf8.allSatisfy(isLetterOrDigit)
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
