import ByteCoding
import JSONCoding
import Testing

@Suite struct JSONObjectTests {
    @Test func fieldsKeepTheirOrderAndAbsentOnesAreLeftOut() {
        var object: JSONObject = ["z": 1, "type": "message"]
        object.set("id", "m7")
        object.set("text", String?.none)
        object.set("size", 12)
        object.set("large", Int64.max)
        object.set("none", Int?.none)
        object.set("read", true)
        object.set("muted", Bool?.none)
        object.set("tags", ["a", "b"])
        object["list"] = [1, "two", false, []]
        object["inner"] = .object(["z": 1, "a": 2])
        object["empty"] = .object(JSONObject())
        object.set("id", "m8")
        object.set("gone", "x")
        object["gone"] = nil
        object["never"] = nil
        #expect(
            object.line
                == #"{"z":1,"type":"message","id":"m8","size":12,"large":9223372036854775807,"read":true,"#
                + #""tags":["a","b"],"list":[1,"two",false,[]],"inner":{"z":1,"a":2},"empty":{}}"#)
        #expect(object["size"] == 12)
        #expect(object.names.prefix(3) == ["z", "type", "id"])
        #expect(!object.isEmpty && JSONObject().isEmpty)
        object["id"] = nil
        object.set("id", "m9")
        #expect(object.names.last == "id")
    }

    @Test func numbersOutsideOfTheRangeAreTheNearest() {
        var object = JSONObject()
        object.set("n", UInt64.max)
        #expect(object.line == #"{"n":9223372036854775807}"#)
    }

    @Test func merging() {
        let object: JSONObject = ["a": 1, "b": 2]
        #expect(object.merging(["c": 3, "a": 4]).line == #"{"a":4,"b":2,"c":3}"#)
        #expect(object.merging([:]) == object)
    }

    @Test func equalityIgnoresTheOrder() {
        let first: JSONObject = ["a": 1, "b": [.object(["c": 2, "d": 3])]]
        let second: JSONObject = ["b": [.object(["d": 3, "c": 2])], "a": 1]
        #expect(first == second && first.hashValue == second.hashValue)
        #expect(first.line != second.line)
        #expect(first != ["a": 1] && first != ["a": 1, "b": []] && first != ["a": 1, "c": 2])
        #expect(JSONValue.object(["a": .null]) != .object([:]))
    }

    @Test func ofEqualNamesInALiteralTheLastCounts() {
        // Canonically equivalent: one character, and a letter with an accent.
        let object: JSONObject = ["\u{e9}": 1, "a": 2, "e\u{301}": 3]
        #expect(object.names.count == 2)
        #expect(object["\u{e9}"] == 3)
    }
}
