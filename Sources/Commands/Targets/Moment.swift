package import ByteCoding
import CommandKit
import SystemIO

/// A moment or a day, as people type it.
package enum Moment: Hashable, Sendable {
    /// `2026-09-27T09:14:03Z`
    case at(Timestamp)
    /// `2h` or `-2h`: a time before now.
    case ago(Duration)
    /// `2026-09-27`, in the zone of the clock on the wall.
    case day(CivilDate)
    case today
    case yesterday

    package init?(_ word: String) {
        if let timestamp = try? Timestamp(text: word) {
            self = .at(timestamp)
        } else if let time = ValueKind<Duration>.duration().value(
            of: String(word.hasPrefix("-") ? word.dropFirst() : word[...]))
        {
            self = .ago(time)
        } else if word == "today" || word == "yesterday" {
            self = word == "today" ? .today : .yesterday
        } else {
            var reader = TextReader(word)
            guard let date = try? CivilDate(from: &reader), reader.isAtEnd else { return nil }
            self = .day(date)
        }
    }

    package var word: String {
        switch self {
        case .at(let timestamp): timestamp.description
        case .ago(let duration): "-\(ValueKind<Duration>.duration().word(for: duration))"
        case .day(let date): date.description
        case .today: "today"
        case .yesterday: "yesterday"
        }
    }

    /// The moment, or the first one of the day.
    package func start(utc: Bool) -> Timestamp {
        switch self {
        case .at(let timestamp): timestamp
        case .ago(let duration): Moment.now + (.zero - duration)
        case .day(let date): Moment.start(of: date, utc)
        case .today: Moment.start(of: Moment.date(utc), utc)
        case .yesterday: Moment.start(of: CivilDate(daysSince1970: Moment.date(utc).daysSince1970 - 1), utc)
        }
    }

    /// The moment, or the first one after the day.
    package func end(utc: Bool) -> Timestamp {
        switch self {
        case .at, .ago: return start(utc: utc)
        case .day(let date): return Moment.start(of: CivilDate(daysSince1970: date.daysSince1970 + 1), utc)
        case .today: return Moment.start(of: CivilDate(daysSince1970: Moment.date(utc).daysSince1970 + 1), utc)
        case .yesterday: return Moment.start(of: Moment.date(utc), utc)
        }
    }

    private static var now: Timestamp { Timestamp(milliseconds: SystemClock.milliseconds()) }

    /// The day that it is now.
    private static func date(_ utc: Bool) -> CivilDate {
        let text = LocalTime.text(milliseconds: now.milliseconds, utc: utc) ?? now.description
        var reader = TextReader(String(text.prefix(10)))
        return (try? CivilDate(from: &reader)) ?? CivilDate(daysSince1970: now.seconds / 86_400)
    }

    private static func start(of date: CivilDate, _ utc: Bool) -> Timestamp {
        let milliseconds = LocalTime.start(
            ofDay: Int(date.day), month: Int(date.month), year: Int(date.year), utc: utc)
        return Timestamp(milliseconds: milliseconds ?? date.daysSince1970 * 86_400_000)
    }
}

extension ValueKind where Value == Moment {
    /// A moment, a day, or how long ago.
    static func moment() -> ValueKind {
        ValueKind(
            ValueForm("TIME", expected: "a time such as 2026-09-27, 2026-09-27T09:14:03Z, 2h, today or yesterday"),
            read: { Moment($0) }, write: { $0.word })
    }
}
