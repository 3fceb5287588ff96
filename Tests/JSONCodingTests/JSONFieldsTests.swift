import ByteCoding
import JSONCoding
import Testing

@Suite struct JSONFieldsTests {
    private struct Point: JSONObjectCodable, Equatable {
        let x: Int64
        let label: String?

        init(from fields: inout JSONFields) throws(DecodeError) {
            x = try fields.integer("x")
            label = try fields.optionalText("label")
        }

        var fields: JSONObject {
            var fields = JSONObject()
            fields.set("x", x)
            fields.set("label", label)
            return fields
        }
    }

    private func fields(_ text: String) throws -> JSONFields {
        try JSONFields(decoding: Bytes(text.utf8))
    }

    @Test func takesFieldsOutAndKeepsTheRest() throws {
        var fields = try fields(
            #"{"new":[1],"t":"a","i":7,"b":true,"o":{"k":1},"p":{"x":2,"y":3},"d":"AQI","n":null,"late":{}}"#)
        #expect(try fields.text("t") == "a")
        #expect(try fields.integer("i") == 7)
        #expect(try fields.bool("b"))
        #expect(try fields.object("o").rest == ["k": 1])
        let point: Point = try fields.required("p")
        #expect(point.line == #"{"x":2}"#)
        #expect(try fields.optionalBytes("d") == [1, 2])
        #expect(fields.value("n") == nil)
        #expect(fields.rest.line == #"{"new":[1],"late":{}}"#)
        #expect(throws: DecodeError.invalid("t")) { try fields.text("t") }
    }

    @Test func absent_and_null_fields_are_nil() throws {
        for text in ["{}", #"{"a":null}"#] {
            var fields = try fields(text)
            #expect(try fields.optionalText("a") == nil)
            #expect(try fields.optionalInteger("a") == nil)
            #expect(try fields.optionalBool("a") == nil)
            #expect(try fields.optionalBytes("a") == nil)
            let point: Point? = try fields.optional("a")
            #expect(point == nil)
        }
    }

    @Test(arguments: ["{}", #"{"a":null}"#, #"{"a":[]}"#, #"{"a":1.5}"#])
    func missing_and_mistyped_fields_are_named(text: String) {
        #expect(throws: DecodeError.invalid("a")) {
            var fields = try fields(text)
            _ = try fields.text("a")
        }
        #expect(throws: DecodeError.invalid("a")) {
            var fields = try fields(text)
            _ = try fields.integer("a")
        }
        #expect(throws: DecodeError.invalid("a")) {
            var fields = try fields(text)
            _ = try fields.bool("a")
        }
        #expect(throws: DecodeError.invalid("a")) {
            var fields = try fields(text)
            _ = try fields.object("a")
        }
        #expect(throws: DecodeError.invalid("a")) {
            var fields = try fields(text)
            let _: Point = try fields.required("a")
        }
    }

    @Test func bytesAreBase64URLAndNotEmpty() throws {
        for text in ["\"\"", "\"A\"", "\"+/+/\"", "1"] {
            var fields = try fields("{\"a\":\(text)}")
            #expect(throws: DecodeError.invalid("a")) { try fields.optionalBytes("a") }
        }
    }

    @Test func value_requires_an_object() throws {
        #expect(try Point(decoding: Bytes(#"{"label":"a","x":1,"new":2}"#.utf8)).line == #"{"x":1,"label":"a"}"#)
        for text in ["[]", "1", "null", "\"{}\""] {
            #expect(throws: DecodeError.invalid("object")) { try Point(decoding: Bytes(text.utf8)) }
        }
        #expect(throws: DecodeError.invalid("x")) { try Point(decoding: Bytes("{}".utf8)) }
        #expect(throws: DecodeError.trailing) { try Point(decoding: Bytes(#"{"x":1}{}"#.utf8)) }
    }
}

extension JSONObjectCodable {
    fileprivate var line: String { String(decoding: encoded, as: UTF8.self) }
}
