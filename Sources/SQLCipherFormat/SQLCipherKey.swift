public import ByteCoding
public import CryptoCore

/// The keys of one database file, which read and write its pages.
public struct SQLCipherKey: Sendable {
    /// The size of a page in bytes, the only supported one.
    public static let pageSize = 4096
    /// The size of the salt at the beginning of a file in bytes.
    public static let saltSize = 16
    /// The bytes at the end of each page that SQLite leaves alone: IV and code.
    public static let reservedSize = AESCBC.blockSize + HMACSHA512.size

    /// The beginning of a plain database. The salt stands in its place.
    public static let plainBeginning = Bytes("SQLite format 3\0".utf8)

    /// The rounds of PBKDF2 for the key of the cipher, and for that of the codes.
    private static let rounds = (cipher: 256_000, codes: 2)
    /// Each byte of the salt is combined with this one for the key of the codes.
    private static let mask: UInt8 = 0x3a

    /// The salt of the file.
    public let salt: Bytes
    private let cipherKey: Secret
    private let codeKey: Secret

    /// Derives the keys of a file from the passphrase. Blocks for a large part of a second.
    ///
    /// - Parameter salt: 16 bytes: the first ones of an existing file, or random ones for a new file.
    /// - Throws: ``SQLCipherError/damaged`` for a salt of another size, ``SQLCipherError/library`` if memory is short.
    public init(passphrase: Secret, salt: Bytes) throws(SQLCipherError) {
        guard salt.count == SQLCipherKey.saltSize else { throw .damaged }
        self.salt = salt
        do throws(CryptoError) {
            cipherKey = try PBKDF2.derive(
                AESCBC.keySize, from: passphrase, salt: salt, rounds: SQLCipherKey.rounds.cipher)
            codeKey = try PBKDF2.derive(
                AESCBC.keySize, from: cipherKey, salt: salt.map { $0 ^ SQLCipherKey.mask },
                rounds: SQLCipherKey.rounds.codes)
        } catch {
            throw .library
        }
    }

    /// Returns the page of the plain database. The reserved bytes at its end are zeros.
    ///
    /// - Parameters:
    ///   - page: 4,096 bytes of the file.
    ///   - number: The number of the page, from 1.
    /// - Throws: ``SQLCipherError/notAuthentic`` for another key, another number or damage, ``SQLCipherError/damaged`` for
    ///   another size.
    public func open(_ page: Bytes, number: UInt32) throws(SQLCipherError) -> Bytes {
        guard page.count == SQLCipherKey.pageSize, number > 0 else { throw .damaged }
        // SQLite never writes the page in which it locks.
        if number == SQLCipherKey.lockPage, page.allSatisfy({ $0 == 0 }) { return page }
        let start = SQLCipherKey.start(of: number), end = page.count - SQLCipherKey.reservedSize
        let codeStart = end + AESCBC.blockSize
        let code = self.code(of: page[start..<codeStart], number)
        guard constantTimeEqual(code, Bytes(page[codeStart...])) else { throw .notAuthentic }
        do throws(CryptoError) {
            let text = try AESCBC.decrypt(page[start..<end], key: cipherKey, iv: Bytes(page[end..<codeStart]))
            let beginning = SQLCipherKey.plainBeginning.prefix(start)
            return beginning + text + Bytes(repeating: 0, count: SQLCipherKey.reservedSize)
        } catch {
            throw .library
        }
    }

    /// Returns the page of the file for a page of a plain database with ``reservedSize`` reserved bytes.
    ///
    /// - Parameters:
    ///   - page: 4,096 bytes. The last 80 are replaced, and in the first page the first 16.
    ///   - number: The number of the page, from 1.
    ///   - iv: 16 random bytes, other ones for every page that is written.
    /// - Throws: ``SQLCipherError/damaged`` for a page or an IV of another size.
    public func seal(_ page: Bytes, number: UInt32, iv: Bytes) throws(SQLCipherError) -> Bytes {
        guard page.count == SQLCipherKey.pageSize, iv.count == AESCBC.blockSize, number > 0 else { throw .damaged }
        let start = SQLCipherKey.start(of: number), end = page.count - SQLCipherKey.reservedSize
        let text: Bytes
        do throws(CryptoError) {
            text = try AESCBC.encrypt(page[start..<end], key: cipherKey, iv: iv)
        } catch {
            throw .library
        }
        let sealed = text + iv
        return salt.prefix(start) + sealed + code(of: sealed[...], number)
    }

    private func code(of sealed: ArraySlice<UInt8>, _ number: UInt32) -> Bytes {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return HMACSHA512.code(of: [sealed, bytes[...]], key: codeKey)
    }

    /// The first byte of the ciphertext in a page.
    private static func start(of number: UInt32) -> Int { number == 1 ? saltSize : 0 }

    /// The number of the page with the byte at 1 GiB (sqlite.org/fileformat.html 1.5).
    private static let lockPage = UInt32((1 << 30) / pageSize + 1)
}

/// The reason why a page cannot be read or written.
public enum SQLCipherError: Error, Hashable, Sendable {
    /// The code of the page does not match: a wrong passphrase if it is the first page, else damage.
    case notAuthentic
    /// A page, a salt or an IV has another size.
    case damaged
    /// The cryptographic library failed: memory is short.
    case library
}
