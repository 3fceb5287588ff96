import SystemIO
import Testing

/// Times as the clock on the wall of another process shows them.
@Suite struct LocalTimeTests {
    private static let hour: Int64 = 3600

    @Test func theRulesOfAnotherClockAreFollowed() throws {
        let rules = try #require(
            ZoneRules([
                ZoneRules.Offset(begin: 1000 * Self.hour, seconds: 2 * Self.hour),
                ZoneRules.Offset(begin: 0, seconds: -Self.hour),
            ]))
        func text(_ hours: Int64) -> String? { LocalTime.text(milliseconds: hours * Self.hour * 1000, zone: rules) }
        #expect(text(1) == "1970-01-01 00:00")
        #expect(text(999) == "1970-02-11 14:00")
        #expect(text(1000) == "1970-02-11 18:00")
        // The first holds for what was before.
        #expect(text(-1) == "1969-12-31 22:00")
        #expect(LocalTime.text(milliseconds: 0, utc: true, zone: rules) == "1970-01-01 00:00")
    }

    @Test func theRulesOfThisProcessSayTheSame() throws {
        let rules = try #require(ZoneRules.current), now = SystemClock.milliseconds()
        for day in stride(from: Int64(-3000), through: 300, by: 7) {
            let time = now + day * 86_400_000
            #expect(LocalTime.text(milliseconds: time, zone: rules) == LocalTime.text(milliseconds: time))
        }
    }

    @Test func thereIsAlwaysARule() {
        #expect(ZoneRules([]) == nil)
        #expect(ZoneRules([ZoneRules.Offset(begin: 0, seconds: 86_401)]) == nil)
    }
}
