public import ByteCoding

/// The code that two users compare to exclude an attacker in the middle (chat.md 3.7). It is the same on both sides if
/// both ratchets have the same keys.
public struct SecurityCode: Hashable, Sendable {
    /// The size of the hash in bytes.
    public static let hashSize = 32

    /// The decimal digits in groups of five, such as `12345 67890 123`.
    public let text: String

    /// Creates the code of the SHA-256 of a ratchet's associated data.
    ///
    /// - Throws: ``DecodeError`` unless there are 32 bytes.
    public init(hash: Bytes) throws(DecodeError) {
        guard hash.count == SecurityCode.hashSize else { throw .invalid("security code") }
        let digits = SecurityCode.decimalDigits(of: hash)
        text = stride(from: 0, to: digits.count, by: 5)
            .map { String(decoding: digits[$0..<min($0 + 5, digits.count)], as: UTF8.self) }
            .joined(separator: " ")
    }

    /// Creates a code received from another process: digits and single spaces.
    ///
    /// - Throws: ``DecodeError``.
    public init(text: String) throws(DecodeError) {
        let groups = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        let areDigits = groups.allSatisfy { group in
            (1...5).contains(group.count) && group.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard areDigits else { throw .invalid("security code") }
        self.text = text
    }

    /// Returns true if `other`, as typed by a user, has the same digits. Spaces are ignored.
    public func matches(_ other: String) -> Bool {
        func digits(_ text: String) -> [Character] { text.filter { !$0.isWhitespace } }
        return digits(text) == digits(other)
    }

    /// Returns the ASCII digits of a big-endian unsigned number, without leading zeros.
    private static func decimalDigits(of number: Bytes) -> Bytes {
        var quotient = number
        var digits: Bytes = []
        // Long division by ten, byte by byte: the remainders are the digits from the last to the first.
        while quotient.contains(where: { $0 != 0 }) {
            var remainder = 0
            for index in quotient.indices {
                let value = remainder << 8 | Int(quotient[index])
                quotient[index] = UInt8(value / 10)
                remainder = value % 10
            }
            digits.append(UInt8(ascii: "0") + UInt8(remainder))
        }
        return digits.isEmpty ? [UInt8(ascii: "0")] : digits.reversed()
    }
}
