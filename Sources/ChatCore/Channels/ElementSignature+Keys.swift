import ByteCoding
import ChatProtocol
import CryptoCore

extension ElementSignature {
    /// Signs the text of a message as a member of a channel (network-7.md 7.3).
    init(_ text: Bytes, as id: MemberID, in publicID: Bytes, with key: Ed25519.PrivateKey) {
        let unsigned = ElementSignature(.group, [], of: text)
        let signed = unsigned.signedBytes(binding: ElementSignature.groupBinding(publicID, id))
        self.init(.group, [key.sign(signed)], of: text)
    }

    /// Returns true if there is a signature, and a key verifies every one over the binding data.
    func isVerified(by key: Ed25519.PublicKey, binding data: Bytes) -> Bool {
        let signed = signedBytes(binding: data)
        return !signatures.isEmpty && signatures.allSatisfy { key.verify($0, of: signed) }
    }
}
