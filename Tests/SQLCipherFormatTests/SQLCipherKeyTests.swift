import ByteCoding
import CryptoCore
import TestSupport
import Testing

@testable import SQLCipherFormat

/// Known answers of SQLCipher 4.12.0 (the package sqlcipher3-binary 0.6.0 of PyPI): a database of two pages, made with
/// `CREATE TABLE t(a,b)` and one row `(1, 'one')`.
@Suite struct SQLCipherKeyTests {
    private static let passphrase = Secret(copying: Bytes(#"it's a "key" ä"#.utf8))
    private static let file = try? VectorFile.bytes("sqlcipher.db")
    private static let key = try? SQLCipherKey(passphrase: passphrase, salt: Bytes((file ?? []).prefix(16)))

    private func page(_ number: Int) throws -> Bytes {
        let file = try #require(Self.file)
        try #require(file.count == 2 * SQLCipherKey.pageSize)
        return Bytes(file[(number - 1) * SQLCipherKey.pageSize..<number * SQLCipherKey.pageSize])
    }

    @Test func opens_pages_of_SQLCipher() throws {
        let key = try #require(Self.key)
        let first = try key.open(try page(1), number: 1), second = try key.open(try page(2), number: 2)
        #expect(Bytes(first.prefix(16)) == SQLCipherKey.plainBeginning)
        // Page size, versions, reserved bytes (sqlite.org/fileformat.html 1.3).
        #expect(Bytes(first[16..<21]) == [0x10, 0x00, 1, 1, 80])
        #expect(String(decoding: first, as: UTF8.self).contains("CREATE TABLE t(a,b)"))
        // The row is the last thing before the reserved bytes.
        #expect(second[4013..<4016].elementsEqual("one".utf8))
        #expect(second.suffix(80).allSatisfy { $0 == 0 })
    }

    @Test(arguments: [1, 2]) func seals_pages_as_SQLCipher_does(number: Int) throws {
        let key = try #require(Self.key), page = try page(number)
        let plain = try key.open(page, number: UInt32(number))
        #expect(try key.seal(plain, number: UInt32(number), iv: Bytes(page[4016..<4032])) == page)
    }

    @Test func refuses_other_keys_numbers_sizes_and_changed_bytes() throws {
        let key = try #require(Self.key), first = try page(1), second = try page(2)
        #expect(throws: SQLCipherError.notAuthentic) { try key.open(second, number: 3) }
        #expect(throws: SQLCipherError.notAuthentic) { try key.open(second, number: 1) }
        #expect(throws: SQLCipherError.damaged) { try key.open(Bytes(second.dropLast()), number: 2) }
        #expect(throws: SQLCipherError.damaged) { try key.open(second, number: 0) }
        for index in [0, 4015, 4016, 4032, 4095] {
            var changed = second
            changed[index] ^= 1
            #expect(throws: SQLCipherError.notAuthentic) { try key.open(changed, number: 2) }
        }
        let other = try SQLCipherKey(passphrase: Secret(copying: Bytes("other".utf8)), salt: key.salt)
        #expect(throws: SQLCipherError.notAuthentic) { try other.open(first, number: 1) }
        #expect(throws: SQLCipherError.damaged) { try SQLCipherKey(passphrase: Self.passphrase, salt: [1]) }
        #expect(throws: SQLCipherError.damaged) { try key.seal(second, number: 2, iv: [1]) }
    }

    /// SQLite keeps the page at 1 GiB for its locks and never writes it, so there it is a hole.
    @Test func reads_the_unwritten_page_at_1_GiB_only() throws {
        let key = try #require(Self.key), hole = Bytes(repeating: 0, count: SQLCipherKey.pageSize)
        #expect(try key.open(hole, number: 262_145) == hole)
        #expect(throws: SQLCipherError.notAuthentic) { try key.open(hole, number: 262_144) }
    }
}
