import JSONCoding
import Testing

@Suite struct JSONObjectTests {
    /// Sizes around the one from which names are looked up in another way.
    @Test(arguments: [0, 1, 2, 15, 16, 17, 18, 40])
    func fieldsAreFoundChangedAndTakenOut(count: Int) {
        var object = JSONObject()
        let names = (0..<count).map { "name \($0)" }
        for name in names { object[name] = .string(name) }
        #expect(object.names == names)
        for name in names { #expect(object[name] == .string(name)) }
        #expect(object["other"] == nil)
        object["other"] = nil
        #expect(object.names == names)
        for name in names { object[name] = .bool(true) }
        #expect(object.names == names)
        for (index, name) in names.enumerated() where index.isMultiple(of: 3) { object[name] = nil }
        let left = names.enumerated().filter { !$0.offset.isMultiple(of: 3) }.map(\.element)
        #expect(object.names == left)
        for name in names { #expect(object[name] == (left.contains(name) ? .bool(true) : nil)) }
    }

    @Test(arguments: [2, 16, 17, 30])
    func order_does_not_affect_equality(count: Int) {
        var first = JSONObject(), second = JSONObject()
        for index in 0..<count { first["\(index)"] = .integer(Int64(index)) }
        for index in (0..<count).reversed() { second["\(index)"] = .integer(Int64(index)) }
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(first.names != second.names)
        second["0"] = .bool(false)
        #expect(first != second)
        second["0"] = nil
        #expect(first != second && second != first)
        second["another"] = .integer(0)
        #expect(first != second && second != first)
    }
}
