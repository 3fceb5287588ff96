import Glibc

/// The clock on the wall of the user (`TZ`, see tzset(3)).
public enum LocalTime {
    /// `2026-09-27 11:14`, of milliseconds since 1970; in UTC if asked for. Nil for a year that has no such form.
    public static func text(milliseconds: Int64, utc: Bool = false) -> String? {
        var seconds = time_t(milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000)
        var fields = unsafe tm()
        let isKnown = unsafe (utc ? gmtime_r(&seconds, &fields) : localtime_r(&seconds, &fields)) != nil
        let numbers = unsafe [fields.tm_year + 1900, fields.tm_mon + 1, fields.tm_mday, fields.tm_hour, fields.tm_min]
        guard isKnown, (0...9999).contains(numbers[0]) else { return nil }
        let parts = numbers.enumerated().map { padded(Int($1), $0 == 0 ? 4 : 2) }
        return "\(parts[0])-\(parts[1])-\(parts[2]) \(parts[3]):\(parts[4])"
    }

    /// The first moment of a day, in milliseconds since 1970. The day must exist; nil if the clock cannot tell.
    public static func start(ofDay day: Int, month: Int, year: Int, utc: Bool = false) -> Int64? {
        var fields = unsafe tm()
        unsafe fields.tm_year = Int32(clamping: year - 1900)
        unsafe fields.tm_mon = Int32(clamping: month - 1)
        unsafe fields.tm_mday = Int32(clamping: day)
        unsafe fields.tm_isdst = -1
        let seconds = unsafe utc ? timegm(&fields) : mktime(&fields)
        return seconds == -1 ? nil : Int64(seconds) * 1000
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
