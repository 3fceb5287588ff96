import Glibc

/// The clock on the wall of the user (`TZ`, see tzset(3)).
public enum LocalTime {
    /// `2026-09-27 11:14`, of milliseconds since 1970; in UTC if asked for. Nil for a year that has no such form.
    public static func text(milliseconds: Int64, utc: Bool = false) -> String? {
        // Rounded down, and never more than a thousandth of what can be counted.
        var seconds = time_t(milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0))
        var fields = unsafe tm()
        let isKnown = unsafe (utc ? gmtime_r(&seconds, &fields) : localtime_r(&seconds, &fields)) != nil
        let year = unsafe Int(fields.tm_year) + 1900
        guard isKnown, (0...9999).contains(year) else { return nil }
        var text = ""
        append(year / 100, to: &text)
        append(year % 100, to: &text)
        text += "-"
        append(unsafe Int(fields.tm_mon) + 1, to: &text)
        text += "-"
        append(unsafe Int(fields.tm_mday), to: &text)
        text += " "
        append(unsafe Int(fields.tm_hour), to: &text)
        text += ":"
        append(unsafe Int(fields.tm_min), to: &text)
        return text
    }

    /// The first moment of a day, in milliseconds since 1970. The day must exist; nil if the clock cannot tell.
    public static func start(ofDay day: Int, month: Int, year: Int, utc: Bool = false) -> Int64? {
        var fields = unsafe tm()
        unsafe fields.tm_year = Int32(clamping: year - 1900)
        unsafe fields.tm_mon = Int32(clamping: month - 1)
        unsafe fields.tm_mday = Int32(clamping: day)
        unsafe fields.tm_isdst = -1
        let seconds = unsafe utc ? timegm(&fields) : mktime(&fields)
        guard seconds != -1 else { return nil }
        let (milliseconds, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1000)
        return overflow ? nil : milliseconds
    }

    /// Two digits. Lists show the time in each line.
    private static func append(_ number: Int, to text: inout String) {
        for digit in [number / 10, number % 10] {
            text.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "0") + UInt8(digit)))
        }
    }
}
