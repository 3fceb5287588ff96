import ByteCoding

extension Timestamp {
    /// The time as archives have it (APPNOTE 4.4.6): a date above a time, in steps of two seconds. There is no zone; this
    /// is UTC. What is outside of the years 1980 to 2107 becomes the nearest time that is not.
    var archiveTime: UInt32 {
        let day = CivilDate(daysSince1970: seconds.quotientAndRemainder(dividingBy: 86_400).quotient)
        guard day.year >= 1980 else { return 1 << 21 | 1 << 16 }
        guard day.year <= 2107 else { return 127 << 25 | 12 << 21 | 31 << 16 | 23 << 11 | 59 << 5 | 29 }
        let inDay = seconds % 86_400
        let date = UInt32(day.year - 1980) << 9 | UInt32(day.month) << 5 | UInt32(day.day)
        return date << 16 | UInt32(inDay / 3600) << 11 | UInt32(inDay / 60 % 60) << 5 | UInt32(inDay % 60 / 2)
    }
}
