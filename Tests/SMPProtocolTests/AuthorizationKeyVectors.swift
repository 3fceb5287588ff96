import SMPProtocol
import TestSupport
import Testing

/// `keys.json`: which public keys may authorize commands.
@Suite struct AuthorizationKeyVectors {
    @Test(arguments: VectorFile.cases("keys", kind: "parsePublicKey"))
    func parsesKeys(vector: Vector) throws {
        let der = vector["der"].bytes
        guard case .string = vector["asAuthKey"] else {
            #expect(throws: (any Error).self) { try AuthorizationKey(der: der) }
            return
        }
        let key = try AuthorizationKey(der: der)
        let algorithm =
            switch key {
            case .ed25519: "SEd25519"
            case .ed448: "SEd448"
            case .x25519: "SX25519"
            }
        #expect(algorithm == vector["asAny"].text)
        Damage.check(key.der, ignoring: Damage.unusedBits(in: key.der)) { try AuthorizationKey(der: $0) }
    }
}
