import ByteCoding
import JSONCoding
import TestSupport
import Testing

@Suite struct JSONReaderTests {
    private func read(_ text: String) throws(DecodeError) -> JSONValue {
        try JSONValue(decoding: Bytes(text.utf8))
    }

    /// What is read, and how it is written again.
    @Test(arguments: [
        ("null", "null"), (" true ", "true"), ("false\n", "false"),
        ("0", "0"), ("-1", "-1"), ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"), ("9223372036854775808", "9223372036854775808"),
        ("1.0", "1.0"), ("-0.10", "-0.10"), ("1e2", "1e2"), ("1E+2", "1E+2"), ("1e-2", "1e-2"), ("1e999", "1e999"),
        ("3.14159265358979323846264338327950288", "3.14159265358979323846264338327950288"),
        ("[]", "[]"), ("[ ]", "[]"), ("[1 , [2],{}]", "[1,[2],{}]"),
        ("{}", "{}"), (#"{ "b" : 1 , "a" : {"c":null} }"#, #"{"b":1,"a":{"c":null}}"#),
        (#"{"b":0,"B":0,"10":0,"9":0,"é":0,"":0}"#, #"{"b":0,"B":0,"10":0,"9":0,"é":0,"":0}"#),
        (#""a/b<>&""#, #""a/b<>&""#), (#""\/\"\\\b\f\n\r\t""#, #""/\"\\\u0008\u000c\n\r\t""#),
        (#""\u0041\u00e9\u20AC\u0000""#, "\"Aé€\\u0000\""), (#""\ud83d\uDE00""#, "\"😀\""),
        ("\"\u{7f}\u{2028}❤\u{fe0f}\"", "\"\\u007f\\u2028❤\u{fe0f}\""),
    ])
    func readsAndWrites(text: String, expected: String) throws {
        let value = try read(text)
        #expect(value.line == expected)
        #expect(try read(value.line) == value)
    }

    @Test(arguments: [
        "nulL", "True", "NaN", "-Infinity", "+1", ".5", "1.x", "1e+x", "'a'",
        "[,]", "[1,]", "[1 2]", "[1}", "{1:2}", "{a:1}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1]"#, #"{,}"#,
        "\"\u{1}\"", "\"a\nb\"", #""\x41""#, #""\u12G4""#, #""\u+123""#, #""\ud800""#, #""\ud800x""#, #""\ud800\n""#,
        #""\udc00""#, #""\ud800\ud800""#, #""\ud800A""#, "// comment\n1", "\u{feff}{}",
    ])
    func refuses(text: String) {
        #expect { try read(text) } throws: { error in
            if case .invalid = error as? DecodeError { true } else { false }
        }
    }

    @Test(arguments: [
        "", " ", "nul", "tru", "-", "1.", "1e", "1e-", "[", "[1", "[1,", "{", #"{"a"#, #"{"a""#, #"{"a":"#, #"{"a":1"#,
        #"{"a":1,"#, "\"", "\"a", "\"\\", #""\u"#, #""\u12"#, #""\ud800\"#, #""\ud800\u"#,
    ])
    func tellsWhatIsCutOff(text: String) {
        #expect(throws: DecodeError.truncated) { try read(text) }
    }

    @Test(arguments: ["1 2", "{}{}", "[]]", "null,", "\"a\"b", "01", "-01", "0x1", "1_000", "1.5.5"])
    func trailing_input_is_an_error(text: String) {
        #expect(throws: DecodeError.trailing) { try read(text) }
    }

    /// Not UTF-8: bare bytes, an overlong form, half of a surrogate pair, beyond Unicode, UTF-16.
    @Test(arguments: [
        "22ff22", "22c0af22", "22eda08022", "22f490808022", "22c322", "7b22ff223a317d", "7b007d00", "feff005b005d",
    ])
    func refusesOtherEncodings(hex: String) throws {
        let bytes = try Hex.decode(hex)
        #expect(throws: DecodeError.self) { try JSONValue(decoding: bytes) }
    }

    @Test func theFirstOfEqualNamesCounts() throws {
        #expect(try read(#"{"a":1,"\u0061":2,"b":{"c":3,"c":4}}"#) == read(#"{"a":1,"b":{"c":3}}"#))
        // Canonically equivalent: one character, and a letter with an accent.
        #expect(try read("{\"\u{e9}\":1,\"e\u{301}\":2}").object?.names.count == 1)
    }

    /// Names cost the same however many there are.
    @Test(.timeLimit(.minutes(5))) func manyNames() throws {
        let names = (0..<20_000).map { String($0, radix: 36) }
        let text = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        #expect(try read(text).object?.names == names)
        #expect(try read(text).line == text)
    }

    /// Reading it must not take a time that grows with the square of the length.
    @Test(.timeLimit(.minutes(5))) func text_of_escapes_only() throws {
        let count = 1_000_000
        var bytes: Bytes = [UInt8(ascii: "\"")]
        for _ in 0..<count { bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")] }
        bytes.append(UInt8(ascii: "\""))
        #expect(try JSONValue(decoding: bytes).string?.utf8.count == count)
    }

    @Test func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        func nestedObjects(_ depth: Int) -> String {
            String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        }
        let limit = JSONValue.maximumDepth
        for text in [nested(limit), nestedObjects(limit), "[\(nested(limit - 1)),\(nested(limit - 1))]"] {
            #expect(try read(text).line == text)
        }
        for depth in [limit + 1, 511, 512, 513, 65_536] {
            #expect(throws: DecodeError.invalid("json depth")) { try read(nested(depth)) }
            #expect(throws: DecodeError.invalid("json depth")) { try read(nestedObjects(depth)) }
            #expect(throws: DecodeError.invalid("json depth")) { try read(String(repeating: "[", count: depth)) }
        }
    }

    /// The largest payload, made of what costs most.
    @Test(
        .timeLimit(.minutes(5)), arguments: ["[],", "{},", "1,", "-1.5e3,", #""","#, #""\n","#, #"{"a":{"b":[1]}},"#])
    func size(element: String) throws {
        let count = 65_536 / element.utf8.count
        let text = "[" + String(repeating: element, count: count).dropLast() + "]"
        #expect(try read(text).array?.count == count)
    }

    @Test func numbers() throws {
        #expect(try read("3600").integer == 3600)
        #expect(try read("3600.0").integer == 3600)
        #expect(try read("36e2").integer == 3600)
        for text in ["3600.5", "1e999", "-1e999", "9223372036854775808", "1e19", "\"1\"", "true", "null"] {
            #expect(try read(text).integer == nil)
        }
        #expect(try read("1" + String(repeating: "0", count: 60_000)).integer == nil)
        #expect(JSONNumber(.nan) == nil)
        #expect(JSONNumber(.infinity) == nil)
        for value in [0.1, -1.5, 1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude] {
            let number = try #require(JSONNumber(value))
            #expect(try read(JSONValue.number(number).line) == .number(number))
            #expect(number.double == value)
        }
    }

    /// Whatever is accepted, the reader of Foundation accepts as the same value.
    @Test(arguments: [1, 9])
    func agreesWithFoundation(number: Int) throws {
        var accepted = 0
        let line = try #require(VectorFile.rows("chat-messages").first { $0[0] == "\(number)" })
        for variant in Damage.variants(of: Bytes(line[2].utf8)) {
            guard let value = try? JSONValue(decoding: variant) else { continue }
            accepted += 1
            #expect(try ForeignJSON(variant).value == value)
        }
        #expect(accepted > 100)
    }
}
