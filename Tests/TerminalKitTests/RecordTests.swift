import FoundationEssentials
import JSONCoding
import TerminalKit
import TestSupport
import Testing

/// The two formats for programs.
@Suite struct RecordTests {
    // MARK: - Plain

    static let records: [(fields: [String], line: String)] = [
        (["a", "b"], "a\tb\n"), ([], "\n"), ([""], "\n"), (["", ""], "\t\n"), (["a\tb", "c"], "a\\tb\tc\n"),
        (["a\nb"], "a\\nb\n"), (["a\\nb"], "a\\\\nb\n"), (["a\r\nb"], "a\\r\\nb\n"), (["\u{1b}[2J"], "\\x1b[2J\n"),
        (["\u{0}"], "\\x00\n"), (["\u{9b}"], "\\x9b\n"), (["é 漢 👍🏽 \u{202e}"], "é 漢 👍🏽 \u{202e}\n"),
    ]

    @Test(arguments: records.indices)
    func aRecordIsOneLine(index: Int) {
        let (fields, line) = Self.records[index]
        #expect(PlainRecord(fields).text() == line)
        #expect(
            PlainRecord(fields).text(endingWith: .nul) == line.unicodeScalars.dropLast().reduce(into: "") {
                $0.unicodeScalars.append($1)
            } + "\0")
    }

    @Test func fieldsCanBeReadBack() {
        for fields in Self.strings.map({ [$0, "x", $0] }) {
            let text = PlainRecord(fields).text()
            #expect(text.utf8.filter { $0 == UInt8(ascii: "\n") }.count == 1)
            let cells = text.unicodeScalars.dropLast().split(separator: "\t", omittingEmptySubsequences: false)
            #expect(
                cells.map { Self.unescaped(String($0)) }.map { Array($0.unicodeScalars) }
                    == fields.map { Array($0.unicodeScalars) })
        }
    }

    /// What a script does to a field.
    private static func unescaped(_ field: String) -> String {
        var result = String.UnicodeScalarView()
        var rest = field.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\", let letter = rest.popFirst() else {
                result.append(scalar)
                continue
            }
            switch letter {
            case "t": result.append("\t")
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "x":
                result.append(UInt32(String(rest.prefix(2)), radix: 16).flatMap(Unicode.Scalar.init) ?? "?")
                rest = rest.dropFirst(2)
            default: result.append(letter)
            }
        }
        return String(result)
    }

    // MARK: - JSON

    static let strings =
        [
            "", "plain", "\"quoted\"", "back\\slash", "/", "line\nbreak", "\r\n", "\t", "\u{0}\u{1}\u{1f}",
            "\u{7f}\u{80}\u{85}\u{9f}",
            "\u{2028}\u{2029}", "\u{202e}\u{2066}\u{61c}", "é", "e\u{301}", "漢字", "👨‍👩‍👧‍👦", "\u{10ffff}", "\u{fffd}",
            "\u{feff}",
            "</script>", "\\u0041", "\u{1b}[31m", "{\"v\":1}\n{\"v\":1}",
        ] + HostileTextTests.corpus.map(\.text) + HostileTextTests.honest

    @Test func everyStringIsReadBackFromOneLine() throws {
        for string in Self.strings {
            let line = JSONValue.array([.string(string)]).line
            #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f })
            #expect(String(validating: Array(line.utf8), as: UTF8.self) != nil)
            let decoded = try JSONDecoder().decode([String].self, from: Data(line.utf8))
            #expect(decoded.map { Array($0.unicodeScalars) } == [Array(string.unicodeScalars)])
        }
    }

    @Test func aReportBeginsWithItsVersionAndItsType() {
        var object = JSONObject(type: "message")
        object.set("id", "m7")
        #expect(object.line == #"{"v":1,"type":"message","id":"m7"}"#)
    }
}
