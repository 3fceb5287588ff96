import ByteCoding
import TestSupport
import Testing

@testable import CryptoCore

/// Known answers of primitives for files of other programs.
@Suite struct PassphraseVectors {
    /// RFC 4231 test case 2.
    @Test func computes_HMAC_SHA_512() throws {
        let code = HMACSHA512.code(
            of: [Bytes("what do ya want ".utf8)[...], Bytes("for nothing?".utf8)[...]],
            key: Secret(copying: Bytes("Jefe".utf8)))
        #expect(
            Hex.encode(code)
                == "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        )
    }

    /// The passphrase and the salt of RFC 6070 with SHA-512.
    @Test func derives_with_PBKDF2() throws {
        let key = try PBKDF2.derive(
            32, from: Secret(copying: Bytes("password".utf8)), salt: Bytes("salt".utf8), rounds: 4096)
        #expect(Hex.encode(key.copyBytes()) == "d197b1b33db0143e018b12f3d1d1479e6cdebdcc97c5c0f87f6902e072f457b5")
        #expect(throws: CryptoError.libraryFailed) {
            try PBKDF2.derive(32, from: Secret(copying: [1]), salt: [], rounds: 0)
        }
    }

    /// NIST SP 800-38A F.2.5, the first two blocks.
    @Test func encrypts_with_AES_256_CBC() throws {
        let key = Secret(
            copying: try Hex.decode("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"))
        let iv = try Hex.decode("000102030405060708090a0b0c0d0e0f")
        let plain = try Hex.decode("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
        let sealed = try Hex.decode("f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d")
        #expect(try AESCBC.encrypt(plain[...], key: key, iv: iv) == sealed)
        #expect(try AESCBC.decrypt(sealed[...], key: key, iv: iv) == plain)
        #expect(throws: CryptoError.messageTooLarge) { try AESCBC.encrypt(plain.dropLast(), key: key, iv: iv) }
        #expect(throws: CryptoError.invalidKey) { try AESCBC.decrypt(sealed[...], key: key, iv: []) }
    }
}
