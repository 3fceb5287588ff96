public import ByteCoding
public import CryptoCore
import SystemIO
public import XFTPProtocol

/// The encryption and decryption of whole files on the disk, part by part. All functions block and belong on a worker
/// thread.
public enum FileStaging {
    /// The number of bytes in memory at a time.
    private static let partSize = 256 << 10

    /// The result of an encryption.
    public struct Encrypted: Sendable {
        /// The size of the content in bytes.
        public let contentSize: Int64
        /// The key and nonce.
        public let key: FileEncryptionKey
        /// The SHA-512 of the encrypted file.
        public let digest: Bytes
        /// The chunks.
        public let plan: ChunkPlan
        /// The SHA-256 of each chunk.
        public let chunkDigests: [Bytes]
    }

    /// Encrypts a file for relays into a file at `staged`, which is replaced.
    ///
    /// - Parameters:
    ///   - name: The name that recipients see.
    ///   - usesOneChunk: True for a description, which is stored in one chunk.
    ///   - isCancelled: Asked after each part.
    /// - Throws: ``FileFailure``.
    public static func encrypt(
        _ source: LocalFile, name: String, to staged: String, usesOneChunk: Bool = false, random: any RandomSource,
        isCancelled: () -> Bool = { false }
    ) throws(FileFailure) -> Encrypted {
        var reader = try LocalFileReader(source)
        let size = reader.size
        let header = EncryptedFileHeader(name: name), key = FileEncryptionKey(random: random)
        let plan =
            usesOneChunk
            ? ChunkPlan(oneChunkFor: header, contentSize: reader.size)
            : ChunkPlan(header: header, contentSize: reader.size)
        guard let plan,
            var encryptor = FileEncryptor(
                header: header, contentSize: reader.size, encryptedSize: plan.encryptedSize, key: key)
        else { throw .sourceSize }
        var output = try StagedOutput(staged, sizes: plan.sizes)
        try output.append(encryptor.start())
        while encryptor.missingBytes > 0 {
            guard !isCancelled() else { throw .cancelled }
            try output.append(encryptor.encrypt(try reader.next()))
        }
        try reader.finish()
        let (end, digest) = encryptor.finish()
        try output.append(end)
        return Encrypted(contentSize: size, key: key, digest: digest, plan: plan, chunkDigests: try output.finish())
    }

    /// Decrypts the chunks at `staged` into a new file. The file appears under its name when its digest and tag are
    /// right; until then it has no name.
    ///
    /// - Parameters:
    ///   - contentSize: The size of the content that the sender announced; nil if there is none.
    ///   - contentDigest: The SHA-512 of the content that the sender announced; nil if there is none.
    ///   - isRepeated: True if an interrupted call may have given the file its name already.
    /// - Returns: The path, and the header of the file.
    /// - Throws: ``FileFailure``.
    public static func decrypt(
        _ staged: String, of description: FileDescription, to target: LocalFile, contentSize: Int64? = nil,
        contentDigest: Bytes? = nil, isRepeated: Bool = false, isCancelled: () -> Bool = { false }
    ) throws(FileFailure) -> (path: String, header: EncryptedFileHeader) {
        var writer = try LocalFileWriter(target), content = SHA512.Stream(), size: Int64 = 0
        let header = try decrypt(staged, of: description, isCancelled: isCancelled) { part throws(FileFailure) in
            size += Int64(part.count)
            if let contentSize, size > contentSize { throw .wrongFile(.contentSize) }
            if contentDigest != nil { content.update(part) }
            try writer.write(part)
        }
        if let contentSize, size != contentSize { throw .wrongFile(.contentSize) }
        if let contentDigest, !constantTimeEqual(content.hash, contentDigest) { throw .wrongFile(.content) }
        return (try writer.publish(mayBeThere: isRepeated), header)
    }

    /// Decrypts the chunks at `staged`, which contain the description behind a redirect.
    ///
    /// - Throws: ``FileFailure``, with ``FileFailure/description(_:)`` if it is not the announced one.
    public static func decryptRedirect(
        _ staged: String, of description: FileDescription, _ redirect: FileDescription.Redirect
    ) throws(FileFailure) -> FileDescription {
        var content: Bytes = []
        _ = try decrypt(staged, of: description, isCancelled: { false }) { part throws(FileFailure) in
            guard content.count + part.count <= FileDescription.maximumText else {
                throw .description(.syntax("length"))
            }
            content += part
        }
        do throws(FileDescriptionError) {
            guard let text = String(validUTF8: content.span) else { throw .syntax("character") }
            let real = try FileDescription(text: text)
            guard real.party == .recipient, real.redirect == nil else { throw .party }
            guard real.size == redirect.size else { throw .size }
            guard constantTimeEqual(real.digest, redirect.digest) else { throw .digest }
            return real
        } catch {
            throw .description(error)
        }
    }

    private static func decrypt(
        _ staged: String, of description: FileDescription, isCancelled: () -> Bool,
        _ write: (Bytes) throws(FileFailure) -> Void
    ) throws(FileFailure) -> EncryptedFileHeader {
        var decryptor: FileDecryptor
        do throws(FileDecryptionError) {
            decryptor = try FileDecryptor(
                size: description.size, digest: description.digest, key: description.key)
        } catch {
            throw .wrongFile(error)
        }
        var position = 0
        while Int64(position) < description.size {
            guard !isCancelled() else { throw .cancelled }
            let part = try read(staged, at: position, limit: description.size)
            position += part.count
            let content: Bytes
            do throws(FileDecryptionError) {
                content = try decryptor.decrypt(part)
            } catch {
                throw .wrongFile(error)
            }
            try write(content)
        }
        do throws(FileDecryptionError) {
            return try decryptor.finish()
        } catch {
            throw .wrongFile(error)
        }
    }

    private static func read(_ path: String, at position: Int, limit: Int64) throws(FileFailure) -> Bytes {
        do throws(SystemError) {
            let count = min(partSize, Int(limit) - position)
            let bytes = try FileDescriptor(reading: path).read(count, at: position)
            if bytes.count == count { return bytes }
        } catch {
            throw .staging(error)
        }
        throw .wrongFile(.size)
    }
}

/// An encrypted file that is being written, with the digests of its chunks.
private struct StagedOutput: ~Copyable {
    private let file: FileDescriptor
    private var position = 0
    private var digests: ChunkDigests

    init(_ path: String, sizes: [UInt32]) throws(FileFailure) {
        digests = ChunkDigests(sizes: sizes)
        file = try StagedOutput.open(path)
    }

    private static func open(_ path: String) throws(FileFailure) -> FileDescriptor {
        do throws(SystemError) {
            let file = try FileDescriptor(creating: path)
            try file.resize(to: 0)
            return file
        } catch {
            throw .staging(error)
        }
    }

    mutating func append(_ bytes: Bytes) throws(FileFailure) {
        digests.update(bytes)
        do throws(SystemError) {
            try file.write(bytes, at: position)
        } catch {
            throw .staging(error)
        }
        position += bytes.count
    }

    /// Waits for the disk and returns the digests.
    borrowing func finish() throws(FileFailure) -> [Bytes] {
        do throws(SystemError) {
            try file.synchronize()
        } catch {
            throw .staging(error)
        }
        return digests.digests
    }
}
