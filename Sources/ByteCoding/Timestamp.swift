/// A time in milliseconds since 1970-01-01T00:00:00Z, the only form of time in tacit.
///
/// The text form is RFC 3339 in UTC. The wire forms of the protocols count whole seconds (``seconds``), or have more
/// digits, which are cut.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The milliseconds since 1970.
    public let milliseconds: Int64

    /// Creates a time from milliseconds since 1970.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Creates a time from seconds since 1970. A value out of range becomes the nearest time.
    public init(seconds: Int64) {
        milliseconds = seconds.multipliedSaturated(by: 1000)
    }

    /// The range 1970-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z, for RFC 3339 and messages.
    public static let range = Timestamp(milliseconds: 0)...Timestamp(milliseconds: 253_402_300_799_999)

    /// The nearest time in ``range``, for times from relays, contacts and files.
    public var clamped: Timestamp { min(max(self, Timestamp.range.lowerBound), Timestamp.range.upperBound) }

    /// The seconds since 1970, rounded down.
    public var seconds: Int64 { milliseconds.floorDivided(by: 1000) }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Adds a duration. A result out of range becomes the nearest time.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let whole = Timestamp(seconds: seconds).milliseconds
        let sum = whole.addingSaturated(attoseconds / 1_000_000_000_000_000)
        return Timestamp(milliseconds: moment.milliseconds.addingSaturated(sum))
    }

    // MARK: - Text

    /// The text `2026-09-27T09:14:03.120Z`. A time outside the years 0 to 9999 becomes the first or last of them.
    public var description: String {
        let milliseconds = min(max(milliseconds, Timestamp.firstWritten), Timestamp.range.upperBound.milliseconds)
        let day = milliseconds.floorDivided(by: 86_400_000)
        let inDay = milliseconds - day * 86_400_000
        let date = CivilDate(daysSince1970: day)
        let time = [inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1000 % 60].map { $0.padded(2) }
        return "\(date)T\(time.joined(separator: ":")).\((inDay % 1000).padded(3))Z"
    }

    /// The time 0000-01-01T00:00:00.000Z.
    private static let firstWritten: Int64 = -62_167_219_200_000

    /// Reads RFC 3339: a date, `T`, `t` or a space, a time with any number of fraction digits, and `Z` or an offset.
    ///
    /// - Throws: ``DecodeError``.
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
        // A leap second equals the first second of the next minute.
        guard hour < 24, minute < 60, second <= 60 else { throw .invalid("time") }
        return (hour, minute, second)
    }

    /// Reads a fraction such as `.120` as milliseconds; zero without one.
    private static func fraction(from reader: inout TextReader) throws(DecodeError) -> Int64 {
        guard reader.skip(".") else { return 0 }
        let digits = reader.take { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty, let value = Int64((digits + "00").prefix(3)) else { throw .invalid("time") }
        return value
    }

    /// Reads the offset of local time from UTC in seconds.
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
    /// The year.
    public let year: Int64
    /// The month, 1 to 12.
    public let month: Int64
    /// The day, 1 to 31.
    public let day: Int64

    /// Creates the date of a day counted from 1970-01-01.
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

    /// The days since 1970-01-01, the inverse of ``init(daysSince1970:)``.
    public var daysSince1970: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.floorDivided(by: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Reads `2026-09-27`.
    ///
    /// - Throws: ``DecodeError``, also if the day does not exist.
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

    /// The date as `2026-09-27`.
    public var description: String {
        "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))"
    }
}

extension TextReader {
    /// Reads a number of exactly `count` digits.
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
    /// Returns the quotient rounded towards minus infinity.
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    /// Returns the decimal digits with leading zeros up to `width`.
    fileprivate func padded(_ width: Int) -> String {
        let digits = "\(magnitude)"
        return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
