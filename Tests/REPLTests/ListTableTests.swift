import SystemIO
import TerminalKit
import Testing

@testable import REPL

@Suite struct ListTableTests {
    private static let day: Int64 = 86_400_000
    private static let now: Int64 = 1_790_000_000_000

    private static func rows(_ width: Int, _ names: [String] = ["bob", "carol"]) -> [String] {
        var table = ListTable(count: names.count, now: now)
        for (index, name) in names.enumerated() {
            table.add(
                StyledText(name, .name), unread: index == 0 ? 2 : 0, time: now - Int64(index) * 2 * day,
                StyledText("some words"))
        }
        return table.lines(DrawingArea(width: width, height: 24)).map(\.text)
    }

    @Test func todayHasATimeAndOtherDaysADay() throws {
        let time = try #require(LocalTime.text(milliseconds: ListTableTests.now)).suffix(5)
        let other = try #require(LocalTime.text(milliseconds: ListTableTests.now - 2 * ListTableTests.day)).prefix(10)
        #expect(
            ListTableTests.rows(80) == [
                "1  bob    (2)       \(time)  some words", "2  carol       \(other)  some words",
            ])
        #expect(ListTableTests.rows(40) == ["1  bob    (2)       \(time)", "2  carol       \(other)"])
        #expect(ListTableTests.rows(30) == ["1  bob    (2)  \(time)", "2  carol       \(other.dropFirst(5))"])
        #expect(ListTableTests.rows(20) == ["1  bob    (2)", "2  carol"])
        #expect(ListTableTests.rows(20, ["bob"]) == ["1  bob  (2)  \(time)"])
    }

    @Test(arguments: [4, 10, 20, 30, 36, 44, 80, 200]) func rowsFit(width: Int) {
        for row in ListTableTests.rows(width, ["张伟", String(repeating: "long ", count: 60), "\u{1b}[2J"]) {
            #expect(row.displayWidth < width, "\(row)")
        }
    }

    @Test func emptyColumnsAreLeftOut() {
        var table = ListTable(count: 1, now: ListTableTests.now)
        table.add("net", "servers")
        #expect(table.lines(DrawingArea(width: 80, height: 24)).map(\.text) == ["1  net  servers"])
    }
}
