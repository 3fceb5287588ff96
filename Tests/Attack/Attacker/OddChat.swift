import ByteCoding

/// Chat messages as no honest program writes them, always the same for a number.
enum OddChat {
    static func body(_ number: UInt64) -> Bytes {
        var state = number &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ limit: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(limit))
        }
        let strings = [
            "\\u0000", "\\u202e\\u2066\\u2069", "\\u001b[31m\\u001b]0;x\\u0007", "\\ud800", "a\\nb\\r\\tc", "\u{FEFF}",
            String(repeating: "x", count: 12_000), String(repeating: "\u{0301}", count: 3000), "'@", "", "../../x",
        ]
        let numbers = [
            "-9223372036854775808", "9223372036854775807", "18446744073709551616", "1e400", "-0.0", "-1", "1.5",
            "1E-999",
        ]
        func value(_ depth: Int) -> String {
            switch next(depth > 3 ? 4 : 7) {
            case 0: return "\"" + strings[next(strings.count)] + "\""
            case 1: return numbers[next(numbers.count)]
            case 2: return ["null", "true", "false", "{}", "[]"][next(5)]
            case 3: return "\"AAAA\""
            case 4: return "[" + (0..<next(4)).map { _ in value(depth + 1) }.joined(separator: ",") + "]"
            default: return "{\"text\":\(value(depth + 1)),\"type\":\(value(depth + 1))}"
            }
        }
        let events = [
            "x.msg.new", "x.msg.update", "x.msg.del", "x.msg.react", "x.info", "x.contact", "x.direct.del", "x.ok",
            "x.grp.inv",
            "x.call.inv", "x.call.offer", "x.call.end", "x.file.acpt", "x.unknown",
        ]
        // The contact is not to be gone by its own word.
        let event = events[next(events.count)]
        let content = #""content":{"type":"text","text":"odd"}"#
        let text: String
        switch next(9) {
        case 0: text = String(repeating: "[", count: 1 + next(7000))
        case 1:
            text = String(repeating: #"{"a":"#, count: 1 + next(2500)) + "1" + String(repeating: "}", count: next(2500))
        case 2: text = value(0)
        case 3: text = "[" + (0..<50).map { _ in #"{"v":"1","event":"x.ok","params":{}}"# }.joined(separator: ",") + "]"
        case 4:
            text =
                #"{"v":"1-\#(numbers[next(numbers.count)])","msgId":"AAAA","event":"x.msg.new","params":{\#(content)}}"#
        case 5:
            text = #"{"v":"1","msgId":\#(value(1)),"event":"x.msg.new","params":{\#(content),"ttl":\#(value(1))}}"#
        case 6:
            text =
                #"{"v":"1","msgId":"AAAA","event":"x.msg.new","params":{"quote":\#(value(0)),"forward":\#(value(1)),\#(content)}}"#
        default:
            let known = event == "x.direct.del" ? "x.ok" : event
            text = #"{"v":"1","msgId":"AAAA","event":"\#(known)","params":\#(value(0))}"#
        }
        var bytes = Bytes(text.utf8.prefix(15_000))
        if next(6) == 0, !bytes.isEmpty { bytes[next(bytes.count)] = UInt8(next(256)) }
        // Compressed, as it seems.
        if next(12) == 0 { bytes.insert(UInt8(ascii: "X"), at: 0) }
        return bytes
    }
}
