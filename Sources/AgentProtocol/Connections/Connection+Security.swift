public import ByteCoding
import CryptoCore
import Ratchet

extension Connection {
    /// The SHA-256 of what both sides agreed on when they made their ratchet: the same on both sides unless somebody is in
    /// between. Nil before there is a ratchet. Another ratchet has another one.
    public var securityHash: Bytes? {
        ratchet.map { SHA256.hash($0.associatedData) }
    }
}
