import ByteCoding
import TestSupport
import Testing

/// `encodings.json`: the basic binary and text encodings, both ways.
@Suite struct EncodingVectors {
    @Test(arguments: VectorFile.cases("encodings", kind: "encode"))
    func encodes(vector: Vector) throws {
        // A counted string that is too long wraps its count in the recorded implementation; here it is a trap.
        if vector.field("what")?.text.hasPrefix("longer than 255") == true { return }
        var writer = ByteWriter()
        if let length = vector.field("length") {
            writer.largeBytes(Bytes(repeating: 0, count: 65535))
            #expect(writer.bytes.count == length.int)
            #expect(Bytes(writer.bytes.prefix(4)) == vector["bytesFirst4"].bytes)
            return
        }
        try #require(write(vector["type"].text, vector["value"], into: &writer), "no encoder for this type")
        #expect(writer.bytes == vector["bytes"].bytes)
    }

    @Test(arguments: VectorFile.cases("encodings", kind: "decode"))
    func decodes(vector: Vector) throws {
        let type = vector["type"].text
        let input = vector["bytes"].bytes
        if vector.has("error") {
            #expect(throws: DecodeError.self) { try Self.reencode(type, input) }
        } else {
            #expect(try Self.reencode(type, input) == input)
            Damage.check(input) { try Self.reencode(type, $0) }
        }
    }

    /// The first lines of `smp-agent-vectors.tsv`, both ways and with all damage.
    @Test func linesOfTheSpecification() throws {
        try line("word16 7", 7 as UInt16, { $0.uint16($1) }) { reader throws(DecodeError) in try reader.uint16() }
        for (name, value) in [("1234567890123456789", 1_234_567_890_123_456_789), ("-2", -2)] as [(String, Int64)] {
            try line("int64 \(name)", value, { $0.int64($1) }) { reader throws(DecodeError) in try reader.int64() }
        }
        try line("SystemTime 1641032645", 1_641_032_645 as Int64, { $0.int64($1) }) { reader throws(DecodeError) in
            try reader.int64()
        }
        let abc = Bytes("abc".utf8), d = Bytes("d".utf8)
        for (name, value) in [("ByteString abc", abc), ("ByteString empty", [])] {
            try line(name, value, { $0.shortBytes($1) }) { reader throws(DecodeError) in try reader.shortBytes() }
        }
        try line("Large abc", abc, { $0.largeBytes($1) }) { reader throws(DecodeError) in try reader.largeBytes() }
        for (name, value) in [("Maybe Nothing", nil), ("Maybe Just abc", abc)] as [(String, Bytes?)] {
            try line(name, value, { $0.optional($1) { $0.shortBytes($1) } }) { reader throws(DecodeError) in
                try reader.optional { reader throws(DecodeError) in try reader.shortBytes() }
            }
        }
        try line("Bool T,F", [true, false], { writer, value in value.forEach { writer.bool($0) } }) {
            reader throws(DecodeError) in [try reader.bool(), try reader.bool()]
        }
        try line("list [1,2]::Word16", [1, 2] as [UInt16], { $0.list($1) { $0.uint16($1) } }) {
            reader throws(DecodeError) in try reader.list { reader throws(DecodeError) in try reader.uint16() }
        }
        try line("NonEmpty [abc,d]", [abc, d], { $0.list($1) { $0.shortBytes($1) } }) { reader throws(DecodeError) in
            try reader.nonEmptyList { reader throws(DecodeError) in try reader.shortBytes() }
        }
    }

    private func line<Value: Equatable>(
        _ name: String, _ value: Value, _ write: (inout ByteWriter, Value) -> Void,
        read: (inout ByteReader) throws(DecodeError) -> Value
    ) throws {
        let bytes = VectorFile.line(name).bytes
        var writer = ByteWriter()
        write(&writer, value)
        #expect(writer.bytes == bytes, "\(name)")
        func decode(_ bytes: Bytes) throws(DecodeError) -> Value {
            var reader = ByteReader(bytes)
            let value = try read(&reader)
            try reader.finish()
            return value
        }
        #expect(try decode(bytes) == value, "\(name)")
        Damage.check(bytes, decode: decode)
    }

    /// Appends `value` in the encoding named `type`; false if the type is unknown.
    private func write(_ type: String, _ value: Vector, into writer: inout ByteWriter) -> Bool {
        if type == "Maybe (Maybe Bool)" {
            let values: [String: Bool??] = ["Nothing": nil, "Just Nothing": .some(nil), "Just (Just True)": true]
            guard let inner = values[value.text] else { return false }
            writer.optional(inner) { $0.optional($1) { $0.bool($1) } }
            return true
        }
        if type.hasPrefix("Maybe ") {
            writer.optional(value.isNull ? nil : value) { _ = write(String(type.dropFirst(6)), $1, into: &$0) }
            return true
        }
        for prefix in ["NonEmpty ", "list of "] where type.hasPrefix(prefix) {
            writer.list(value.list) { _ = write(String(type.dropFirst(prefix.count)), $1, into: &$0) }
            return true
        }
        if type.hasPrefix("(") {
            let parts = type.dropFirst().dropLast().split(separator: ", ").map(String.init)
            return zip(parts, value.list).allSatisfy { write($0, $1, into: &writer) }
        }
        switch type {
        case "Word16": writer.uint16(UInt16(value.int))
        case "Word32": writer.uint32(UInt32(value.int))
        case "Int64", "SystemTime": writer.int64(value.int64)
        case "Bool": writer.bool(value.bool)
        case "Char": writer.raw(value.text.utf8)
        case "ByteString": writer.shortBytes(value.bytes)
        case "Text", "String": writer.shortText(value.text)
        case "Large": writer.largeBytes(value.bytes)
        case "Tail": writer.raw(value.bytes)
        case "VersionRange": writer.value(VersionRange(UInt16(value.list[0].int), UInt16(value.list[1].int)))
        default: return false
        }
        return true
    }

    /// Reads a value of the named type that fills `input`, and writes it again.
    private static func reencode(_ type: String, _ input: Bytes) throws -> Bytes {
        var reader = ByteReader(input)
        var writer = ByteWriter()
        switch type {
        case "Word16": writer.uint16(try reader.uint16())
        case "Word32": writer.uint32(try reader.uint32())
        case "Int64", "SystemTime": writer.int64(try reader.int64())
        case "Bool": writer.bool(try reader.bool())
        case "ByteString": writer.shortBytes(try reader.shortBytes())
        case "Text": writer.shortText(try reader.shortText())
        case "Large": writer.largeBytes(try reader.largeBytes())
        case "Tail": writer.raw(reader.rest())
        case "VersionRange": writer.value(try VersionRange(from: &reader))
        case "Maybe Word16":
            let value = try reader.optional { reader throws(DecodeError) in try reader.uint16() }
            writer.optional(value) { $0.uint16($1) }
        case "NonEmpty ByteString":
            let values = try reader.nonEmptyList { reader throws(DecodeError) in try reader.shortBytes() }
            writer.list(values) { $0.shortBytes($1) }
        default: fatalError("no decoder for \(type)")
        }
        try reader.finish()
        return writer.bytes
    }
}
