import FoundationEssentials
import JSONCoding
import TestSupport
import Testing

@Suite struct JSONWriterTests {
    static let strings = [
        "", "plain", "\"quoted\"", "back\\slash", "/", "line\nbreak", "\r\n", "\t", "\u{0}\u{1}\u{1f}",
        "\u{7f}\u{80}\u{85}\u{9f}", "\u{2028}\u{2029}", "\u{202e}\u{2066}\u{61c}", "é", "e\u{301}", "漢字", "👨‍👩‍👧‍👦",
        "\u{10ffff}", "\u{fffd}", "\u{feff}", "</script>", "\\u0041", "\u{1b}[31m", "{\"v\":1}\n{\"v\":1}",
    ]

    @Test(arguments: strings)
    func string_survives_one_safe_line(string: String) throws {
        let line = JSONValue.array([.string(string)]).line
        for scalar in line.unicodeScalars {
            #expect(![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory))
            #expect(!scalar.properties.isBidiControl)
        }
        let decoded = try JSONDecoder().decode([String].self, from: Data(line.utf8))
        #expect(decoded.map { Array($0.unicodeScalars) } == [Array(string.unicodeScalars)])
        #expect(try JSONValue(decoding: Array(line.utf8)) == [.string(string)])
    }

    @Test func every_unsafe_scalar_is_escaped() throws {
        var escaped = 0
        for scalar in (0...0x10ffff).lazy.compactMap(Unicode.Scalar.init) {
            let properties = scalar.properties
            guard
                [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
                    || properties.isBidiControl
            else { continue }
            escaped += 1
            let line = JSONValue.string(String(scalar)).line
            #expect(line.utf8.allSatisfy { (0x20..<0x7f).contains($0) }, "U+\(String(scalar.value, radix: 16))")
            #expect(try JSONValue(decoding: Array(line.utf8)) == .string(String(scalar)))
        }
        #expect(escaped == 65 + 2 + 12)
    }

    @Test func randomStringsAreReadBack() throws {
        var random = SeededRandom(seed: 8259)
        for _ in 0..<500 {
            var string = ""
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                let limit: UInt32 = [0x80, 0x300, 0x3000, 0x110000].randomElement(using: &random) ?? 0x80
                guard let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) else { continue }
                string.unicodeScalars.append(scalar)
            }
            var object = JSONObject()
            object.set(string, string)
            let decoded = try JSONDecoder().decode([String: String].self, from: Data(object.line.utf8))
            #expect(decoded == [string: string])
        }
    }

    @Test func aForgedObjectStaysAString() {
        let object: JSONObject = ["v": 1, "text": "\"}\n{\"v\":1,\"text\":\"forged"]
        #expect(object.line == #"{"v":1,"text":"\"}\n{\"v\":1,\"text\":\"forged"}"#)
    }
}
