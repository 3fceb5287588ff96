import TerminalKit
import Testing

@Suite struct TableTests {
    private static func people() -> Table {
        var table = Table([
            Table.Column("ID"), Table.Column("NAME", isFlexible: true), Table.Column("UNREAD", .right),
            Table.Column("LAST", isFlexible: true),
        ])
        table.add(["m7", StyledText("@alice", .name), "3", "see you at nine"])
        table.add(["m1234", "@漢字漢字", "12", ""])
        table.add(["m9", "@bob\n@mallory", "", "👍🏽 fine"])
        table.add(["m10"])
        return table
    }

    @Test func columnsAreAligned() {
        #expect(
            Self.people().lines(width: nil).map(\.text) == [
                "ID     NAME            UNREAD  LAST",
                "m7     @alice               3  see you at nine",
                "m1234  @漢字漢字           12",
                "m9     @bob\\n@mallory          👍🏽 fine",
                "m10",
            ])
    }

    @Test func flexibleColumnsShrinkTheWidestFirst() {
        #expect(
            Self.people().lines(width: 38).map(\.text) == [
                "ID     NAME        UNREAD  LAST",
                "m7     @alice           3  see you at…",
                "m1234  @漢字漢字       12",
                "m9     @bob\\n@ma…          👍🏽 fine",
                "m10",
            ])
        for width in 27...60 {
            for line in Self.people().lines(width: width) { #expect(line.width <= width) }
        }
    }

    @Test func inflexible_columns_widen_the_line() {
        #expect(
            Self.people().lines(width: 10, withTitles: false).map(\.text) == [
                "m7     @al…   3  see…", "m1234  @漢…  12", "m9     @bo…      👍🏽 …", "m10",
            ])
    }

    @Test func stylesSurvive() {
        let line = Self.people().lines(width: 38)[1].rendered(inColor: true)
        #expect(line.hasPrefix("m7     \u{1b}[1;36m@alice\u{1b}[0m   "))
        #expect(Self.people().lines(width: nil)[0].rendered(inColor: true).hasPrefix("\u{1b}[1mID\u{1b}[0m"))
    }

    @Test func anEmptyTableIsItsTitles() {
        let table = Table([Table.Column("A"), Table.Column("B")])
        #expect(table.isEmpty)
        #expect(table.lines(width: 80).map(\.text) == ["A  B"])
        #expect(table.lines(width: 80, withTitles: false).isEmpty)
    }

    @Test func wide_cell_is_cut_quickly() {
        var table = Table([Table.Column("A", isFlexible: true), Table.Column("B", isFlexible: true)])
        table.add([
            StyledText(String(repeating: "x", count: 1_000_000)), StyledText(String(repeating: "y", count: 999_999)),
        ])
        #expect(table.lines(width: 21, withTitles: false).map(\.text) == ["xxxxxxxxx…  yyyyyyyy…"])
    }
}
