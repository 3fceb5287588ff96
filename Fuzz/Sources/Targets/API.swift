import ByteCoding
import ChatCore
import JSONCoding
import WebSocket

extension FuzzTarget {
    /// The texts of commands, by which programs drive a core.
    static let commands = FuzzTarget(name: "commands") { input in
        guard let text = String(validating: input, as: UTF8.self), let command = try? ChatCommands.parse(text) else {
            return
        }
        let printed = command.text
        guard let again = try? ChatCommands.parse(printed) else {
            return promise(false, "its own text is refused: \(printed)")
        }
        promise(again.text == printed, "two texts: \(printed)")
        promise(AnyHashable(again) == AnyHashable(command), "its text means something else: \(printed)")
    }

    /// The JSON of events and errors, which other programs may send.
    static let events = FuzzTarget(name: "events") { input in
        guard let object = (try? JSONValue(decoding: input))?.object else { return }
        if case .known(let event)? = try? ChatEvents.decode(object) {
            guard case .known(let again)? = try? ChatEvents.decode(event.json) else {
                return promise(false, "its own JSON is refused: \(event.json)")
            }
            promise(AnyHashable(again) == AnyHashable(event), "its JSON means something else: \(event.json)")
        }
        roundTrip(input, { try ChatError(decoding: $0) }, { $0.fields.encoded })
    }

    /// What a client sends over WebSocket: the handshake, and frames in any portions.
    static let webSocket = FuzzTarget(name: "websocket") { input in
        _ = try? UpgradeRequest.read(input)
        for end in [MessageReader.End.server, .client] {
            let whole = messages(in: input, of: end, portion: input.count)
            promise(messages(in: input, of: end, portion: 3) == whole, "portions make other messages")
        }
    }

    private static func messages(
        in input: Bytes, of end: MessageReader.End, portion: Int
    ) -> [MessageReader.Incoming] {
        var reader = MessageReader(end, limit: 1 << 16), found: [MessageReader.Incoming] = []
        for start in stride(from: 0, to: input.count, by: max(portion, 1)) {
            reader.take(Bytes(input[start..<min(start + portion, input.count)]))
            while let incoming = try? reader.next() { found.append(incoming) }
        }
        return found
    }
}
