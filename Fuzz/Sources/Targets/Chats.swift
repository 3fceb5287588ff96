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
            case .failure: break
            }
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
