import CryptoCore
import PageCipher
import Testing

@Suite struct KeySlotsTests {
    @Test func theCredentialOpens() throws {
        let passphrase = Credential.passphrase(Secret(copying: Array("correct horse".utf8)))
        let (key, slots) = try KeySlots.fresh(for: passphrase, cost: .minimal)
        #expect(try slots.unlock(with: passphrase).key.isEqual(to: key))
    }
}
