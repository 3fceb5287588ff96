import Glibc

/// The local time of the user (`TZ`, see tzset(3)).
public enum LocalTime {
    /// Returns the text `2026-09-27 11:14` of a Unix time in milliseconds, in local time or UTC. Nil for a year without
    /// such a form.
    public static func text(milliseconds: Int64, utc: Bool = false) -> String? {
        // Rounded down; a thousandth of the range, so no overflow.
        var seconds = time_t(milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0))
        var fields = unsafe tm()
        let isKnown = unsafe (utc ? gmtime_r(&seconds, &fields) : localtime_r(&seconds, &fields)) != nil
        let year = unsafe Int(fields.tm_year) + 1900
        guard isKnown, (0...9999).contains(year) else { return nil }
        // Lists show the time in each line, so this avoids a formatter and characters.
        var text: [UInt8] = []
        text.reserveCapacity(16)
        append(year / 100, to: &text)
        append(year % 100, to: &text)
        text.append(UInt8(ascii: "-"))
        append(unsafe Int(fields.tm_mon) + 1, to: &text)
        text.append(UInt8(ascii: "-"))
        append(unsafe Int(fields.tm_mday), to: &text)
        text.append(UInt8(ascii: " "))
        append(unsafe Int(fields.tm_hour), to: &text)
        text.append(UInt8(ascii: ":"))
        append(unsafe Int(fields.tm_min), to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the start of a day as Unix time in milliseconds, or nil if the system cannot compute it. The day must
    /// exist.
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

    /// Appends two digits.
    private static func append(_ number: Int, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "0") + UInt8(number / 10))
        text.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
