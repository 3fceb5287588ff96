import ByteCoding
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_790_500_443_120, "2026-09-27T09:14:03.120Z"),
            (951_782_400_001, "2000-02-29T00:00:00.001Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func writesAndReads(milliseconds: Int64, text: String) throws {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
        #expect(try Timestamp(text: text).milliseconds == milliseconds)
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:01.000000001Z", 1000),
            ("1970-01-01T00:00:01.9999Z", 1999),
            ("1970-01-01 00:00:01.5z", 1500),
            ("1970-01-01T01:00:00+01:00", 0),
            ("1969-12-31T23:30:00-00:30", 0),
            ("1970-01-01T23:59:60Z", 86_400_000),
        ] as [(String, Int64)])
    func readsOtherSpellings(text: String, milliseconds: Int64) throws {
        #expect(try Timestamp(text: text).milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00Zx", "2026-1-1T00:00:00Z", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+0100",
    ])
    func refuses(text: String) {
        #expect(throws: DecodeError.self) { try Timestamp(text: text) }
    }

    @Test(arguments: [.min, .min + 1, -9_223_372_036_854_775_000, -62_167_219_200_001, .max, .max - 1] as [Int64])
    func everyMomentHasAText(milliseconds: Int64) throws {
        for moment in [Timestamp(milliseconds: milliseconds), Timestamp(seconds: milliseconds)] {
            let text = moment.description
            #expect(text == (milliseconds < 0 ? "0000-01-01T00:00:00.000Z" : "9999-12-31T23:59:59.999Z"))
            #expect(try Timestamp(text: text).description == text)
            #expect(Timestamp.range.contains(moment.clamped))
            _ = moment.seconds
            for duration in [Duration.seconds(Int64.max), .seconds(Int64.min), .milliseconds(-1), .zero] {
                _ = (moment + duration).description
            }
        }
    }

    @Test func everyDayHasItsDate() {
        for day in stride(from: -800_000 as Int64, through: 800_000, by: 37) {
            #expect(CivilDate(daysSince1970: day).daysSince1970 == day)
        }
    }

    @Test func times_out_of_range_become_nearest() {
        #expect(Timestamp(seconds: .max).milliseconds == .max)
        #expect(Timestamp(seconds: .min).milliseconds == .min)
        #expect(Timestamp(milliseconds: .max) + .seconds(1) == Timestamp(milliseconds: .max))
        #expect(Timestamp(seconds: 5) + .milliseconds(-1) == Timestamp(milliseconds: 4999))
    }
}
