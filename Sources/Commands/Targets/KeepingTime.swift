import ChatCore
import CommandKit

/// How long something is kept, in an option: a time, or a word.
enum KeepingTime: Hashable, Sendable {
    case off
    /// As a wider setting has it.
    case standard
    case seconds(Int64)

    /// A time, or `off`; where a wider setting may hold, `default` too.
    static func kind(hasDefault: Bool = false) -> ValueKind<KeepingTime> {
        let time = ValueKind<Duration>.duration()
        let words = hasDefault ? "off|default" : "off"
        return ValueKind(
            ValueForm(
                "TIME|\(words)",
                expected:
                    "whole seconds up to 36500d, such as 90s, 12h or 30d, or \(hasDefault ? "'off' or 'default'" : "'off'")"
            ),
            read: { word in
                if word == "off" { return .off }
                if word == "default" { return hasDefault ? .standard : nil }
                guard let duration = time.read(word), duration >= .seconds(1),
                    duration <= .seconds(Retention.longest), duration.components.attoseconds == 0
                else { return nil }
                return .seconds(duration.components.seconds)
            }, write: { $0.text })
    }

    var text: String {
        switch self {
        case .off: "off"
        case .standard: "default"
        case .seconds(let seconds): ValueKind<Duration>.duration().write(.seconds(seconds))
        }
    }

    /// For a message, in seconds: 0 stands for never.
    var ttl: Int64 {
        if case .seconds(let seconds) = self { seconds } else { 0 }
    }

    var retention: Retention {
        switch self {
        case .off: .unlimited
        case .standard: .standard
        case .seconds(let seconds): .limited(seconds: seconds)
        }
    }

    init(_ retention: Retention) {
        self =
            switch retention {
            case .unlimited: .off
            case .standard: .standard
            case .limited(let seconds): .seconds(seconds)
            }
    }
}
