import ByteCoding
import CryptoCore
public import SystemIO

/// The key of a store, in a file of its own.
public enum StoreKey {
    /// The size of a key in bytes.
    static let size = 32

    /// Makes a new random key and writes it to a new file that only its owner can read: one line of base64url.
    public static func create(at path: String) throws(SystemError) {
        let key = Secret(random: SystemRandom(), count: size).copyBytes()
        try Files.create(path, Bytes("\(Base64URL.encode(key))\n".utf8))
    }
}
