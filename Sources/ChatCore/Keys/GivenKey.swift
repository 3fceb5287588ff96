import ByteCoding
public import CryptoCore
import PageCipher
public import SystemIO

/// What somebody gave as the key of a store: a passphrase, or the contents of a key file. Which of them it is, is decided
/// where it is used.
///
/// - To open a store: by its slots. What is given is tried as a key file where a slot asks for one, and as a passphrase
///   where a slot asks for that.
/// - To make a slot: what a program made at random is a key file, see ``isRandom``; everything else might be guessed and
///   goes through Argon2id.
public struct GivenKey: Sendable {
    /// Without the end of the last line.
    private let secret: Secret
    /// Typed by a person, whatever it looks like.
    private let isTyped: Bool

    /// The longest key in bytes. A file that is longer is no key.
    public static let limit = 4096

    /// Takes what was read; one line end at its end is no part of it. Nil if nothing is left.
    public init?(_ whole: Secret, isTyped: Bool = false) {
        let count = whole.withBytes { GivenKey.countWithoutLineEnd($0) }
        guard count > 0 else { return nil }
        secret = count == whole.count ? whole : whole.split(count, whole.count - count)[0]
        self.isTyped = isTyped
    }

    private static func countWithoutLineEnd(_ bytes: RawSpan) -> Int {
        func byte(_ index: Int) -> UInt8 { unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt8.self) }
        var count = bytes.byteCount
        if count > 0, byte(count - 1) == UInt8(ascii: "\n") { count -= 1 }
        if count < bytes.byteCount, count > 0, byte(count - 1) == UInt8(ascii: "\r") { count -= 1 }
        return count
    }

    /// Whether the bytes are so many and so random that nobody needs to make guessing them slow: 32 bytes in base64url, as
    /// ``createFile(at:)`` writes them, or in hexadecimal, or at least 32 bytes that are no text.
    public var isRandom: Bool {
        guard !isTyped else { return false }
        // SECURITY: texts and arrays leave copies behind, so the bytes are looked at where they are.
        return unsafe secret.withUnsafeBytes { bytes in
            switch bytes.count {
            case 43, 44:
                // 32 bytes are 43 digits, of which the last has two unused bits, and padding.
                let isPadded = unsafe bytes.count == 43 || bytes[43] == UInt8(ascii: "=")
                let lastDigits = "AEIMQUYcgkosw048".utf8
                if unsafe isPadded && lastDigits.contains(bytes[42]) && bytes.prefix(43).allSatisfy(\.isBase64Digit) {
                    return true
                }
            case 64:
                if unsafe bytes.allSatisfy(\.isHexDigit) { return true }
            default: break
            }
            return unsafe bytes.count >= 32 && !GivenKey.isText(bytes)
        }
    }

    /// True if the bytes are UTF-8.
    @unsafe
    private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var decoder = UTF8(), iterator = unsafe bytes.makeIterator()
        while true {
            switch unsafe decoder.decode(&iterator) {
            case .scalarValue: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }

    /// The ways in which this may open a slot, the cheaper first.
    func attempts(for slots: KeySlots) -> [Credential] {
        let kinds = Set(slots.slots.map { $0.kind == .keyFile })
        return (kinds.contains(true) ? [.keyFile(secret)] : []) + (kinds.contains(false) ? [.passphrase(secret)] : [])
    }

    /// What a new slot is made for.
    var credential: Credential { isRandom ? .keyFile(secret) : .passphrase(secret) }

    /// Whether both are the same, as when a passphrase is typed twice.
    public func isEqual(to other: GivenKey) -> Bool { secret.isEqual(to: other.secret) }

    /// The passphrase of another program.
    var text: Secret { secret }

    /// Makes a new random key of 32 bytes and writes it to a new file that only its owner can read: one line of
    /// base64url. It is on the disk when this returns: what it opens may depend on it from now on.
    public static func createFile(at path: String) throws(SystemError) -> GivenKey {
        let key = Secret(random: SystemRandom(), count: 32)
        var line = unsafe key.withUnsafeBytes { unsafe GivenKey.line($0) }
        defer { line.wipe() }
        // Whoever is interrupted leaves a whole key, or none.
        let draft = try DraftFile(for: path)
        try draft.write(line)
        try draft.publish(replaces: false)
        guard let given = GivenKey(Secret(copying: line)) else { preconditionFailure("a key is not empty") }
        return given
    }

    /// The line of a key file: base64url with padding, and the end of the line. The array is the only copy.
    @unsafe
    private static func line(_ key: UnsafeRawBufferPointer) -> Bytes {
        let digits = Bytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var line: Bytes = []
        line.reserveCapacity((key.count + 2) / 3 * 4 + 1)
        for start in stride(from: 0, to: key.count, by: 3) {
            let count = min(3, key.count - start)
            var bits = 0
            for index in 0..<3 { bits = bits << 8 | (index < count ? unsafe Int(key[start + index]) : 0) }
            for index in 0..<4 {
                line.append(index <= count ? digits[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }
}

extension Array where Element == UInt8 {
    /// Overwrites the bytes of the only copy.
    fileprivate mutating func wipe() {
        for index in indices { self[index] = 0 }
    }
}

extension UInt8 {
    fileprivate var isBase64Digit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
