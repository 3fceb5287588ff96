import ByteCoding
import CryptoCore
import Glibc
import JSONCoding
import SystemIO

/// The key of one encrypted file: `CryptoFileArgs` of the API.
struct FileKey: Sendable {
    let key: Secret
    let nonce: Nonce

    /// Makes a new key.
    init() {
        let random = SystemRandom()
        key = Secret(random: random, count: SecretBox.keySize)
        nonce = Nonce(random: random)
    }

    /// Reads a key in base64url.
    ///
    /// - Throws: ``EncryptedFile/Problem/key``.
    init(key: String, nonce: String) throws(EncryptedFile.Problem) {
        guard let keyBytes = try? Base64URL.decode(key), keyBytes.count == SecretBox.keySize,
            let nonceBytes = try? Base64URL.decode(nonce), nonceBytes.count == Nonce.size
        else { throw .key }
        self.key = Secret(copying: keyBytes)
        self.nonce = Nonce(nonceBytes)
    }

    var json: JSONObject {
        [
            "fileKey": .string(Base64URL.encode(key.copyBytes())),
            "fileNonce": .string(Base64URL.encode(nonce.bytes)),
        ]
    }

    /// Writes a file with a new key, and returns `WriteFileResult` of the API.
    static func answer(_ write: (FileKey) throws -> Void) -> Bytes {
        let key = FileKey()
        do {
            try write(key)
            return JSONObject(dictionaryLiteral: ("type", "result"), ("cryptoArgs", .object(key.json))).encoded
        } catch {
            return JSONObject(dictionaryLiteral: ("type", "error"), ("writeError", .string(text(error)))).encoded
        }
    }

    /// The text of an error.
    static func text(_ error: any Error) -> String {
        switch error {
        case EncryptedFile.Problem.key: "the key or the nonce is invalid"
        case EncryptedFile.Problem.notAuthentic: "the file was changed, or the key is another one"
        case EncryptedFile.Problem.tooLarge: "the file is too large"
        case let error as SystemError: error.description
        default: "\(error)"
        }
    }
}

/// An encrypted file of the official applications (chat.md 5.5): the bytes of ``SecretBoxStream``, then its tag.
struct EncryptedFile {
    /// The reason why a file is not read or written.
    enum Problem: Error {
        case key
        case notAuthentic
        case tooLarge
    }

    private let path: String
    private let key: FileKey

    private static let partSize = 1 << 16

    init(_ path: String, _ key: FileKey) {
        self.path = path
        self.key = key
    }

    /// Writes bytes.
    @unsafe
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        let draft = try DraftFile(for: path)
        var stream = SecretBoxStream(nonce: key.nonce, key: key.key)
        for start in stride(from: 0, to: bytes.count, by: EncryptedFile.partSize) {
            let end = min(start + EncryptedFile.partSize, bytes.count)
            try draft.write(stream.encrypt(unsafe Bytes(bytes[start..<end])))
        }
        try draft.write(stream.tag())
        try draft.publish(replaces: true)
    }

    /// Writes the bytes of a plain file.
    func encrypt(_ source: String) throws {
        let file = try FileDescriptor(reading: source), draft = try DraftFile(for: path)
        var stream = SecretBoxStream(nonce: key.nonce, key: key.key)
        while true {
            let part = try file.read(EncryptedFile.partSize)
            if part.isEmpty { break }
            try draft.write(stream.encrypt(part))
        }
        try draft.write(stream.tag())
        try draft.publish(replaces: true)
    }

    /// Writes the decrypted bytes to a plain file, unless they are not authentic.
    func decrypt(to target: String) throws {
        let draft = try DraftFile(for: target)
        try read { part throws(SystemError) in try draft.write(part) }
        try draft.publish(replaces: true)
    }

    /// Returns memory for the caller with a zero byte, the size in four bytes, and the decrypted bytes.
    @unsafe
    func readForCaller() throws -> UnsafeMutablePointer<UInt8>? {
        let size = try FileDescriptor(reading: path).size() - SecretBox.tagSize
        guard size >= 0 else { throw Problem.notAuthentic }
        guard let shown = UInt32(exactly: size) else { throw Problem.tooLarge }
        let header = 5
        guard let memory = unsafe CText.allocate(header + size) else { throw Problem.tooLarge }
        unsafe memory[0] = 0
        unsafe UnsafeMutableRawPointer(memory).storeBytes(of: shown, toByteOffset: 1, as: UInt32.self)
        var position = 0
        do {
            try read { part throws(Problem) in
                // The file may have grown meanwhile.
                guard part.count <= size - position else { throw .notAuthentic }
                for byte in part {
                    unsafe memory[header + position] = byte
                    position += 1
                }
            }
            guard position == size else { throw Problem.notAuthentic }
        } catch {
            unsafe free(memory)
            throw error
        }
        return unsafe memory
    }

    /// Calls `take` with the decrypted parts of the file, and checks the tag.
    private func read<Failure: Error>(_ take: (Bytes) throws(Failure) -> Void) throws {
        let file = try FileDescriptor(reading: path)
        var stream = SecretBoxStream(nonce: key.nonce, key: key.key)
        // The last bytes that were read may be the tag.
        var held: Bytes = []
        while true {
            let part = try file.read(EncryptedFile.partSize)
            if part.isEmpty { break }
            held += part
            let count = held.count - SecretBox.tagSize
            guard count > 0 else { continue }
            try take(stream.decrypt(Bytes(held.prefix(count))))
            held.removeFirst(count)
        }
        guard held.count == SecretBox.tagSize, constantTimeEqual(stream.tag(), held) else { throw Problem.notAuthentic }
    }
}
