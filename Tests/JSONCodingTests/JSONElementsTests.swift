import ByteCoding
import JSONCoding
import Testing

@Suite struct JSONElementsTests {
    private func split(_ text: String) throws(DecodeError) -> [String] {
        try JSONElements.split(Bytes(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("[]", []), ("[ \n]", []), ("[1]", ["1"]), ("[ 1 ,\t{ } ]\n", ["1", "{ }"]),
        (#"["],[\"\\",{"a":"}"}]"#, [#""],[\"\\""#, #"{"a":"}"}"#]),
        // Elements need not be JSON.
        ("[,]", ["", ""]), ("[1,]", ["1", ""]), ("[nonsense,[1}]", ["nonsense", "[1}"]),
    ])
    func elementsAreCutAtTheirCommas(text: String, elements: [String]) throws {
        #expect(try split(text) == elements)
    }

    @Test(arguments: [
        ("", DecodeError.invalid("array")), ("{}", .invalid("array")), (" []", .invalid("array")),
        ("[", .truncated), ("[1", .truncated), ("[1,", .truncated), (#"["]"#, .truncated), (#"["\"]"#, .truncated),
        ("[[]", .truncated), ("[]x", .trailing), ("[]]", .trailing), ("[}", .invalid("array")),
    ])
    func whatDoesNotEndIsAnError(text: String, error: DecodeError) {
        #expect(throws: error) { try split(text) }
    }
}
