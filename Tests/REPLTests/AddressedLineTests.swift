import Testing

@testable import REPL

@Suite struct AddressedLineTests {
    private static let names = ["alice", "Ann", "Ann Lee", "bob", "o'neil", "a\"b"]

    private static func readings(_ line: String) -> [[String]]? {
        AddressedLine(line)?.readings(among: names).map { [$0.name, $0.text] }
    }

    @Test func aNameAndATextAreForOneContact() {
        #expect(AddressedLineTests.readings("@bob hello there") == [["bob", "hello there"]])
        #expect(AddressedLineTests.readings("  @bob\thello ") == [["bob", "hello "]])
        #expect(AddressedLineTests.readings("@bob\ntwo\nlines") == [["bob", "two\nlines"]])
        #expect(AddressedLineTests.readings("@o'neil isn't it") == [["o'neil", "isn't it"]])
        #expect(AddressedLineTests.readings("@a\"b \"quoted\"") == [["a\"b", "\"quoted\""]])
    }

    @Test func aNameAloneHasNoText() {
        #expect(AddressedLineTests.readings("@bob") == [["bob", ""]])
        #expect(AddressedLineTests.readings("@bob  ") == [["bob", ""]])
        #expect(AddressedLineTests.readings("@'bob'") == [["bob", ""]])
    }

    @Test func whatMayBeForSeveralIsForNoneOfThemAlone() {
        #expect(AddressedLineTests.readings("@Ann Lee hello") == [["Ann", "Lee hello"], ["Ann Lee", "hello"]])
        #expect(AddressedLineTests.readings("@Ann Leeds is nice") == [["Ann", "Leeds is nice"]])
        #expect(AddressedLineTests.readings("@Ann Lee") == [["Ann Lee", ""]])
        #expect(AddressedLineTests.readings("@\"Ann Lee\" hello") == [["Ann Lee", "hello"]])
        #expect(AddressedLineTests.readings("@'Ann' Lee hello") == [["Ann", "Lee hello"]])
    }

    @Test func whatNamesNobodyHasNoReading() {
        for line in [
            "@bobby hello", "@Bob hello", "@", "@ 5pm", "@@bob hello", "@\"bob\"hello", "@\"bob hello", "@\u{301} x",
        ] {
            #expect(AddressedLineTests.readings(line) ?? [] == [], "\(line)")
        }
        for line in ["", " ", "bob hello", "/@bob", "@", "@ bob", "@\nbob"] {
            #expect(AddressedLine(line) == nil, "\(line)")
        }
    }

    @Test func aPlusSignMarksAGroup() {
        #expect(AddressedLineTests.readings("+bob hello") == [["bob", "hello"]])
        #expect(AddressedLine("+bob")?.mark == "+" && AddressedLine("@bob")?.mark == "@")
        #expect(AddressedLine(argument: "bob hi")?.mark == nil && AddressedLine(argument: "+bob hi")?.mark == "+")
        for line in ["+", "+ 1", "+1", "+49 30 1234"] { #expect(AddressedLine(line) == nil, "\(line)") }
    }

    @Test func argumentsNeedNoMark() {
        #expect(
            AddressedLine(argument: "bob @alice")?.readings(among: AddressedLineTests.names).first?.text == "@alice")
        #expect(AddressedLine(argument: "@bob hi")?.readings(among: AddressedLineTests.names).first?.name == "bob")
        #expect(AddressedLine(argument: " ") == nil)
        #expect(AddressedLine("@bob")?.isName == true && AddressedLine("@bob x")?.isName == false)
    }

    @Test(arguments: [
        "", "\u{0}", "\u{1b}[2J", "\u{1f468}\u{200d}\u{1f469}", "\u{301}", String(repeating: "@", count: 3000),
    ])
    func anyNameIsReadWithoutATrap(name: String) {
        for line in ["@\(name)", "@\(name) text", "@\"\(name)\" text", "@\(name)\n", "@'\(name)"] {
            _ = AddressedLine(line)?.readings(among: [name, "bob"])
        }
    }
}
