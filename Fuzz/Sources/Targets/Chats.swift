import ByteCoding
import ChatProtocol
import Compression
import JSONCoding
import TerminalKit

extension FuzzTarget {
    /// What contacts send each other.
    static let chat = FuzzTarget(name: "chat") { input in
        for element in ChatPayload.elements(of: input) {
            switch element.content {
            case .success(.message(let message)): check(message)
            case .success(.chunk(let chunk)): roundTrip(chunk.encoded, FileChunk.self)
            case .success(.forwarded), .failure: break
            }
        }
    }

    /// Binary payloads: batches, signed and forwarded elements.
    static let payloads = FuzzTarget(name: "payloads") { input in
        let elements = ChatPayload.elements(of: input)
        promise(elements.count <= ChatLimit.elements, "\(elements.count) elements")
        for element in elements { check(element) }
        // Every element means the same in a batch with others.
        guard input.count <= 65_535, input.first != UInt8(ascii: "X"), input.first != UInt8(ascii: "="),
            input.first != UInt8(ascii: "["), elements.count == 1
        else { return }
        let ok = ChatMessage(event: .ok).encoded
        var batch = ByteWriter()
        batch.character("=")
        batch.list([ok, input, ok]) { $0.largeBytes($1) }
        let together = ChatPayload.elements(of: batch.bytes)
        promise(together.count == 3 && together[1] == elements[0], "an element means something else in a batch")
        promise(together.first == together.last, "an element changes another")
    }

    private static func check(_ element: ChatElement) {
        switch element.content {
        case .success(.message(let message)):
            guard let signature = element.signature else { return }
            roundTrip(signature.encoded, ElementSignature.self)
            promise(signature.text == element.bytes, "another text is signed")
            promise((try? ChatMessage(decoding: signature.text)) == message, "a signed message means something else")
        case .success(.chunk(let chunk)):
            promise(element.signature == nil, "a chunk is signed")
            roundTrip(chunk.encoded, FileChunk.self)
        case .success(.forwarded(let forwarded, let original)):
            roundTrip(forwarded.encoded, ForwardedElement.self)
            promise(element.signature == nil, "a forward is signed")
            if case .success(.forwarded) = original.content { promise(false, "a forward is forwarded") }
            if case .failure = original.content { promise(false, "an unreadable element is forwarded") }
            check(original)
            guard let message = ForwardedMessage(forwarded, original) else { return }
            roundTrip(message.fields.encoded, { try ForwardedMessage(decoding: $0) }, \.fields.encoded)
        case .failure: break
        }
    }

    private static func check(_ message: ChatMessage) {
        roundTrip(message.encoded, { try ChatMessage(decoding: $0) }, \.encoded)
        let profile: Profile? =
            switch message.event {
            case .profile(let profile, _): profile
            case .contactRequest(let request): request.profile
            default: nil
            }
        guard let profile else { return }
        _ = try? profile.checkForSending()
        guard let name = Profile.DisplayName.suggestion(for: profile.displayName) else { return }
        promise((try? Profile.DisplayName(name.text)) == name, "a suggested name is not allowed: \(name.text)")
    }

    static let compression = FuzzTarget(name: "compression") { input in
        for limit in [0, 100, ChatLimit.decompressed] {
            guard let content = try? Zstandard.decompress(input, limit: limit) else { continue }
            promise(content.count <= limit, "\(content.count) bytes, with a limit of \(limit)")
        }
        let compressed = Zstandard.compress(input)
        promise((try? Zstandard.decompress(compressed, limit: input.count)) == input, "compression loses something")
    }

    static let json = FuzzTarget(name: "json") { input in
        roundTrip(input, { try JSONValue(decoding: $0) }, \.encoded)
        guard let value = try? JSONValue(decoding: input) else { return }
        _ = value.integer
        // Arrays of messages are known by their first byte.
        guard case .array(let values) = value, input.first == UInt8(ascii: "[") else { return }
        let elements = try? JSONElements.split(input)
        promise(elements?.count == values.count, "an array of \(values.count) is split into others")
    }

    /// Text of others on a terminal.
    static let screen = FuzzTarget(name: "screen") { input in
        let text = UntrustedText(bytes: input)
        let line = text.singleLine
        promise(!line.unicodeScalars.contains(where: \.isControl), "a control character is left")
        promise(UntrustedText(line).singleLine.unicodeScalars.elementsEqual(line.unicodeScalars), "escaped twice")
        promise(text.quoted.displayWidth <= 60, "a quoted name is too wide")
        for width in [nil, 0, 10, 80] as [Int?] {
            for row in text.body(width: width) {
                promise(row.width <= max(width ?? .max, 10), "a row is too wide")
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
