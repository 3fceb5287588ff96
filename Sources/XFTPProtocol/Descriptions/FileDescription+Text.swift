import ByteCoding
import CryptoCore
import SMPProtocol

extension FileDescription {
    /// The longest text that is read, in bytes: twice that of the longest file with the smallest chunks.
    public static let maximumText = 32 << 20

    // MARK: - Writing

    /// The text form, a small part of YAML: names in alphabetical order, replicas grouped by relay (smp-agent.md 10.6).
    public var text: String {
        var lines = [
            "chunkSize: \(quoted(FileSizeText.encode(Int64(chunkSize))))",
            "digest: \(quoted(Base64URL.encode(digest)))",
            "key: \(quoted(Base64URL.encode(key.key.copyBytes())))",
            "nonce: \(quoted(Base64URL.encode(key.nonce.bytes)))",
            "party: \(party.rawValue)",
        ]
        if let redirect {
            lines += [
                "redirect:", "  digest: \(quoted(Base64URL.encode(redirect.digest)))", "  size: \(redirect.size)",
            ]
        }
        lines.append("replicas:")
        for (server, chunks) in chunkTextsByServer {
            lines.append("- chunks:")
            lines += chunks.map { "  - \($0)" }
            lines.append("  server: \(server.text(scheme: .xftp))")
        }
        lines.append("size: \(quoted(FileSizeText.encode(size)))")
        return lines.map { $0 + "\n" }.joined()
    }

    /// The relays in the order of their addresses with the texts of their chunks.
    private var chunkTextsByServer: [(ServerAddress, [String])] {
        var texts: [ServerAddress: [String]] = [:]
        for chunk in chunks {
            for (index, replica) in chunk.replicas.enumerated() {
                texts[replica.server, default: []].append(text(of: replica, in: chunk, isFirst: index == 0))
            }
        }
        return texts.sorted { ($0.key.location, $0.key.description) < ($1.key.location, $1.key.description) }
            .map { ($0.key, $0.value) }
    }

    private func text(of replica: Replica, in chunk: Chunk, isFirst: Bool) -> String {
        var parts = ["\(chunk.number)", Base64URL.encode(replica.id.bytes), Base64URL.encode(replica.key.pkcs8)]
        if isFirst {
            parts.append(Base64URL.encode(chunk.digest))
            if chunk.size != chunkSize { parts.append(FileSizeText.encode(Int64(chunk.size))) }
        }
        return parts.joined(separator: ":")
    }

    /// Quotes a text that YAML would read as a number or as the start of a document.
    private func quoted(_ text: String) -> String {
        let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber || text.hasPrefix("---") ? "'\(text)'" : text
    }

    // MARK: - Reading

    /// Reads the text form. Unknown fields with a simple value are ignored.
    ///
    /// - Throws: ``FileDescriptionError``.
    public init(text: String) throws(FileDescriptionError) {
        let fields = try DescriptionText(text)
        guard let party = Party(rawValue: try fields.required("party")) else { throw .syntax("party") }
        let chunkSize = try FileDescription.chunkSize(try fields.required("chunkSize"))
        let secret = try FileDescription.base64(try fields.required("key"), "key")
        let nonce = try FileDescription.base64(try fields.required("nonce"), "nonce")
        guard secret.count == SecretBox.keySize else { throw .syntax("key") }
        guard nonce.count == Nonce.size else { throw .syntax("nonce") }
        try self.init(
            party: party, size: try FileDescription.size(try fields.required("size")),
            digest: try FileDescription.base64(try fields.required("digest"), "digest"),
            key: FileEncryptionKey(key: Secret(copying: secret), nonce: Nonce(nonce)), chunkSize: chunkSize,
            chunks: try FileDescription.chunks(fields.replicas, chunkSize: chunkSize),
            redirect: try fields.redirect.map(FileDescription.redirect))
    }

    private static func redirect(_ fields: [String: String]) throws(FileDescriptionError) -> Redirect {
        guard let text = fields["size"], let size = Int64(text), "\(size)" == text, let digest = fields["digest"] else {
            throw .syntax("redirect")
        }
        return Redirect(size: size, digest: try base64(digest, "digest"))
    }

    /// Collects the replicas of each chunk in the order of the text.
    private static func chunks(
        _ replicas: [DescriptionText.Replica], chunkSize: UInt32
    ) throws(FileDescriptionError) -> [Chunk] {
        var drafts: [Int: ChunkDraft] = [:]
        for replica in replicas {
            guard let server = try? ServerAddress(text: replica.server, scheme: .xftp),
                server.fingerprint.count == SHA256.size
            else { throw .syntax("server") }
            for text in replica.chunks {
                let entry = try ChunkEntry(text)
                try drafts[entry.number, default: ChunkDraft()].add(entry, server: server)
            }
        }
        guard !drafts.isEmpty else { throw .chunkNumbers }
        var chunks: [Chunk] = []
        for number in 1...drafts.count {
            guard let draft = drafts[number] else { throw .chunkNumbers }
            guard let digest = draft.digest else { throw .digest }
            chunks.append(
                Chunk(number: number, size: draft.size ?? chunkSize, digest: digest, replicas: draft.replicas))
        }
        return chunks
    }

    fileprivate static func base64(_ text: String, _ field: StaticText) throws(FileDescriptionError) -> Bytes {
        guard !text.isEmpty, let bytes = try? Base64URL.decode(text) else { throw .syntax(field) }
        return bytes
    }

    private static func size(_ text: String) throws(FileDescriptionError) -> Int64 {
        guard let size = try? FileSizeText.decode(text) else { throw .syntax("size") }
        return size
    }

    fileprivate static func chunkSize(_ text: String) throws(FileDescriptionError) -> UInt32 {
        guard let size = UInt32(exactly: try size(text)), size > 0 else { throw .size }
        return size
    }
}

/// A chunk of which some replicas were read.
private struct ChunkDraft {
    var size: UInt32?
    var digest: Bytes?
    var replicas: [FileDescription.Replica] = []

    mutating func add(_ entry: ChunkEntry, server: ServerAddress) throws(FileDescriptionError) {
        guard !replicas.contains(where: { $0.server == server }) else { throw .chunkNumbers }
        if let digest, let other = entry.digest, digest != other { throw .digest }
        if let size, let other = entry.size, size != other { throw .size }
        digest = digest ?? entry.digest
        size = size ?? entry.size
        replicas.append(FileDescription.Replica(server: server, id: entry.id, key: entry.key))
    }
}

/// One line of a relay: `number:id:key[:digest[:size]]`.
private struct ChunkEntry {
    /// More chunks than any file has.
    static let maximumNumber = Int(XFTP.hardFileLimit / Int64(XFTP.chunkSizes[0]))

    let number: Int
    let id: EntityID
    let key: AuthorizationPrivateKey
    let digest: Bytes?
    let size: UInt32?

    init(_ text: String) throws(FileDescriptionError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (3...5).contains(parts.count) else { throw .syntax("chunk") }
        guard let number = Int(parts[0]), "\(number)" == parts[0] else { throw .syntax("chunk number") }
        guard (1...ChunkEntry.maximumNumber).contains(number) else { throw .chunkNumbers }
        let id = try FileDescription.base64(parts[1], "chunk id")
        guard id.count <= UInt8.max else { throw .syntax("chunk id") }
        guard let key = try? AuthorizationPrivateKey(pkcs8: try FileDescription.base64(parts[2], "chunk key")) else {
            throw .syntax("chunk key")
        }
        self.number = number
        self.id = EntityID(id)
        self.key = key
        digest = parts.count > 3 ? try FileDescription.base64(parts[3], "digest") : nil
        size = parts.count > 4 ? try FileDescription.chunkSize(parts[4]) : nil
        guard digest.map({ $0.count == SHA256.size }) ?? true else { throw .digest }
    }
}
