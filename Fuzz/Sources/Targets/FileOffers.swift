import ByteCoding
import ChatCore
import ChatProtocol
import JSONCoding
import XFTPProtocol

extension FuzzTarget {
    /// What contacts and members say about files: offers, descriptions in parts, and pieces of small files.
    static let fileOffers = FuzzTarget(name: "file-offers") { input in
        for element in ChatPayload.elements(of: input) { check(element) }
        roundTrip(input, { try FileInvitation(decoding: $0) }, \.encoded)
        if let file = try? FileInvitation(decoding: input) { check(file) }
        roundTrip(input, FileChunk.self)
        let text = String(decoding: input, as: UTF8.self)
        check(name: text)
        check(text, ofContent: 70_000)
    }

    private static func check(_ element: ChatElement) {
        switch element.content {
        case .success(.chunk(let piece)): roundTrip(piece.encoded, FileChunk.self)
        case .success(.message(let message)):
            switch message.event {
            case .message(let container): if let file = container.file { check(file) }
            case .fileDescription(let part):
                check(part.description.text, ofContent: 70_000)
                roundTrip(message.encoded, { try ChatMessage(decoding: $0) }, \.encoded)
            default: break
            }
        case .success(.forwarded(_, let inner)): check(inner)
        case .failure: break
        }
    }

    private static func check(_ file: FileInvitation) {
        check(name: file.name)
        promise(file.contentDigest.map { $0.count == 64 } ?? true, "a digest has another length")
        promise(file.inlineMode == nil || file.description == nil, "a file comes in two ways")
        if let part = file.description { check(part.text, ofContent: file.size) }
    }

    /// The name of a file as it is stored.
    private static func check(name: String) {
        let safe = FileName.safe(name)
        promise((1...200).contains(safe.utf8.count), "a name has another length: \(Hex.encode(Bytes(name.utf8)))")
        let forbidden: Set<Unicode.Scalar> = ["/", "\\", "\0", "\n", "\u{1B}", "\u{202E}"]
        promise(
            !safe.unicodeScalars.contains(where: forbidden.contains) && !safe.hasPrefix("."),
            "a name is not safe: \(Hex.encode(Bytes(name.utf8)))")
        promise(FileName.safe(safe) == safe, "a safe name changes: \(Hex.encode(Bytes(name.utf8)))")
        _ = FileName.candidates(safe).first
    }

    /// The description of a file for an offer: what is downloaded is bounded by the offer.
    private static func check(_ text: String, ofContent size: Int64) {
        let sizes = ChunkPlan.encryptedSizes(ofContent: size)
        promise(sizes.map { $0.lowerBound > size && $0.upperBound <= XFTP.hardFileLimit } ?? true, "other sizes")
        guard let description = try? FileDescription(text: text) else { return }
        let sum = description.chunks.reduce(0) { $0 + Int64($1.size) }
        promise(sum == description.size && sum <= XFTP.hardFileLimit, "chunks of another size: \(text)")
        promise(!description.servers.isEmpty, "a file without relays: \(text)")
        var download = FileDownload(description)
        promise(!download.hasAllChunks && download.storedSize == 0, "a download begins with chunks: \(text)")
        for index in description.chunks.indices.prefix(100) {
            let chunk = description.chunks[index]
            promise(download.missingReplica(of: index) != nil, "a chunk without a copy: \(text)")
            // Every copy is tried, and then none.
            var attempts = 0
            while download.fail(index, isTemporary: false, hadWrongBytes: false) != .giveUp { attempts += 1 }
            promise(attempts < chunk.replicas.count, "too many attempts: \(text)")
            download.store(index)
        }
    }
}
