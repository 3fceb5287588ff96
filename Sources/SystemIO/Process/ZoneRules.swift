import Glibc

/// How far a clock on the wall is ahead of UTC, and since when: enough to show times as another process would.
public struct ZoneRules: Hashable, Sendable {
    /// What holds from a moment on.
    public struct Offset: Hashable, Sendable {
        /// In seconds since 1970.
        public let begin: Int64
        /// Seconds ahead of UTC.
        public let seconds: Int64

        public init(begin: Int64, seconds: Int64) {
            self.begin = begin
            self.seconds = seconds
        }
    }

    /// In order. The first holds for all times before, too.
    public let offsets: [Offset]

    /// Rules that were told; nil without any, or with one that no clock has.
    public init?(_ offsets: [Offset]) {
        guard !offsets.isEmpty, offsets.allSatisfy({ (-86_400...86_400).contains($0.seconds) }) else { return nil }
        self.offsets = offsets.sorted { $0.begin < $1.begin }
    }

    /// Those of this process (`TZ`, see tzset(3)), for ten years back and one ahead.
    public static var current: ZoneRules? {
        let now = SystemClock.milliseconds() / 1000, year: Int64 = 366 * 86_400
        // No zone changes twice in two weeks.
        let moments = stride(from: now - 10 * year, through: now + year, by: 14 * 86_400)
        var offsets: [Offset] = []
        for moment in moments {
            guard let ahead = offset(at: moment) else { continue }
            guard let last = offsets.last else {
                offsets.append(Offset(begin: moment, seconds: ahead))
                continue
            }
            if last.seconds == ahead { continue }
            var before = moment - 14 * 86_400, after = moment
            while after - before > 1 {
                let middle = (before + after) / 2
                if offset(at: middle) == ahead { after = middle } else { before = middle }
            }
            offsets.append(Offset(begin: after, seconds: ahead))
        }
        return ZoneRules(offsets)
    }

    private static func offset(at moment: Int64) -> Int64? {
        var seconds = time_t(moment), fields = unsafe tm()
        guard unsafe localtime_r(&seconds, &fields) != nil else { return nil }
        return unsafe Int64(fields.tm_gmtoff)
    }

    /// Seconds ahead of UTC at a moment, in seconds since 1970.
    func offset(at moment: Int64) -> Int64 {
        (offsets.last { $0.begin <= moment } ?? offsets.first)?.seconds ?? 0
    }
}
