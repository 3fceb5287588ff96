/// A moment as milliseconds since 1970-01-01T00:00:00Z, the only form in which tacit keeps time.
///
/// Text is RFC 3339 in UTC. Wire forms of the protocols count whole seconds (``seconds``) or carry more digits, which
/// are read and cut.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// A whole second; seconds outside of what milliseconds can count become the nearest moment that can be.
    public init(seconds: Int64) {
        milliseconds = seconds.multipliedSaturated(by: 1000)
    }

    /// 1970-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z: what RFC 3339 can write and what a message can have.
    public static let range = Timestamp(milliseconds: 0)...Timestamp(milliseconds: 253_402_300_799_999)

    /// The nearest moment in ``range``, for times from relays, contacts and files.
    public var clamped: Timestamp { min(max(self, Timestamp.range.lowerBound), Timestamp.range.upperBound) }

    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 { milliseconds.floorDivided(by: 1000) }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// This moment moved by a duration; a result that cannot be counted becomes the nearest that can.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let whole = Timestamp(seconds: seconds).milliseconds
        let sum = whole.addingSaturated(attoseconds / 1_000_000_000_000_000)
        return Timestamp(milliseconds: moment.milliseconds.addingSaturated(sum))
    }

    // MARK: - Text

    /// `2026-09-27T09:14:03.120Z`; a moment outside the years 0 to 9999 as the first or last of them.
    public var description: String {
        let milliseconds = min(max(milliseconds, Timestamp.firstWritten), Timestamp.range.upperBound.milliseconds)
        let day = milliseconds.floorDivided(by: 86_400_000)
        let inDay = milliseconds - day * 86_400_000
        let date = CivilDate(daysSince1970: day)
        let time = [inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1000 % 60].map { $0.padded(2) }
        return "\(date)T\(time.joined(separator: ":")).\((inDay % 1000).padded(3))Z"
    }

    /// 0000-01-01T00:00:00.000Z.
    private static let firstWritten: Int64 = -62_167_219_200_000

    /// Reads RFC 3339: a date, `T` or `t` or a space, a time with any number of fraction digits, and `Z` or an offset.
    public init(text: String) throws(DecodeError) {
        var reader = TextReader(text)
        let date = try CivilDate(from: &reader)
        guard reader.skip("T") || reader.skip("t") || reader.skip(" ") else { throw .invalid("time") }
        let (hour, minute, second) = try Timestamp.clockTime(from: &reader)
        let fraction = try Timestamp.fraction(from: &reader)
        let offset = try Timestamp.offset(from: &reader)
        try reader.finish()
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
        self.init(milliseconds: seconds * 1000 + fraction)
    }

    private static func clockTime(
        from reader: inout TextReader
    ) throws(DecodeError) -> (hour: Int64, minute: Int64, second: Int64) {
        let hour = try reader.digits(2)
        try reader.expect(":")
        let minute = try reader.digits(2)
        try reader.expect(":")
        let second = try reader.digits(2)
        // A leap second is the same moment as the first one of the next minute.
        guard hour < 24, minute < 60, second <= 60 else { throw .invalid("time") }
        return (hour, minute, second)
    }

    /// The milliseconds of a fraction such as `.120`, or zero.
    private static func fraction(from reader: inout TextReader) throws(DecodeError) -> Int64 {
        guard reader.skip(".") else { return 0 }
        let digits = reader.take { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty, let value = Int64((digits + "00").prefix(3)) else { throw .invalid("time") }
        return value
    }

    /// The seconds that local time is ahead of UTC.
    private static func offset(from reader: inout TextReader) throws(DecodeError) -> Int64 {
        if reader.skip("Z") || reader.skip("z") { return 0 }
        let sign: Int64 = reader.skip("-") ? -1 : 1
        if sign > 0 { try reader.expect("+") }
        let hours = try reader.digits(2)
        try reader.expect(":")
        let minutes = try reader.digits(2)
        guard hours < 24, minutes < 60 else { throw .invalid("time offset") }
        return sign * (hours * 3600 + minutes * 60)
    }
}

/// A day of the proleptic Gregorian calendar.
public struct CivilDate: Hashable, Sendable, CustomStringConvertible {
    public let year: Int64
    public let month: Int64
    public let day: Int64

    /// The date of a day counted from 1970-01-01.
    ///
    /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years start in March, so that the leap day is the
    /// last of its year and 400 years always have 146,097 days.
    public init(daysSince1970 days: Int64) {
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The inverse of ``init(daysSince1970:)``.
    public var daysSince1970: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.floorDivided(by: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Reads `2026-09-27`; the day must exist.
    public init(from reader: inout TextReader) throws(DecodeError) {
        year = try reader.digits(4)
        try reader.expect("-")
        month = try reader.digits(2)
        try reader.expect("-")
        day = try reader.digits(2)
        guard (1...12).contains(month), day >= 1, CivilDate(daysSince1970: daysSince1970) == self else {
            throw .invalid("date")
        }
    }

    public var description: String {
        "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))"
    }
}

extension TextReader {
    /// A number of exactly `count` digits.
    fileprivate mutating func digits(_ count: Int) throws(DecodeError) -> Int64 {
        var taken = 0
        let text = take { byte in
            defer { taken += 1 }
            return taken < count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard text.utf8.count == count, let value = Int64(text) else { throw isAtEnd ? .truncated : .invalid("digits") }
        return value
    }
}

extension Int64 {
    /// The quotient rounded towards minus infinity.
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    /// The decimal digits, with zeros in front up to `width`.
    fileprivate func padded(_ width: Int) -> String {
        let digits = "\(magnitude)"
        return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
