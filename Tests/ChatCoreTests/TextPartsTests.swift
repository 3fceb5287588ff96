import JSONCoding
import Testing

@testable import ChatCore

/// Texts in parts.
@Suite struct TextPartsTests {
    private static func size(_ text: String) -> Int { JSONValue.string(text).line.utf8.count - 2 }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func parts_fit_and_are_the_text(seed: UInt64) {
        var random = Seeded(state: seed)
        let pieces = ["a", "word ", "line\n", "\r\n", "\"", "\\", "\u{1}", "é", "e\u{301}", "漢", "👩‍👩‍👧‍👦", "🇩🇪", "\u{202e}"]
        let text = (0..<Int.random(in: 0...300, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
        let first = Int.random(in: 60...200, using: &random), others = Int.random(in: 60...200, using: &random)
        let parts = TextParts(text).parts { $0 == 0 ? first : others }
        #expect(parts.joined() == text && parts.joined().utf8.elementsEqual(text.utf8))
        for (index, part) in parts.enumerated() {
            #expect(!part.isEmpty && Self.size(part) <= (index == 0 ? first : others))
        }
        // Between two parts there is a border between two characters.
        #expect(parts.flatMap { Array($0) } == Array(text))
    }

    @Test func a_part_ends_at_a_line_break_else_a_space_in_its_second_half() {
        func parts(_ text: String) -> [String] { TextParts(text).parts { _ in 10 } }
        #expect(parts("123 56\n890 23") == ["123 56\n", "890 23"])
        #expect(parts("1234567 90123") == ["1234567 ", "90123"])
        #expect(parts("1\n34567890123") == ["1\n3456789", "0123"])
        #expect(parts("1234567890") == ["1234567890"])
        #expect(parts("") == [])
    }

    @Test func a_character_that_is_too_long_is_taken_apart() {
        let text = "a" + String(repeating: "\u{301}", count: 20)
        let parts = TextParts("x" + text + "y").parts { _ in 10 }
        #expect(parts.joined().utf8.elementsEqual(("x" + text + "y").utf8))
        #expect(parts.allSatisfy { Self.size($0) <= 10 })
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }
}
