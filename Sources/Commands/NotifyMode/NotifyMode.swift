import CommandKit
import Host

/// How new messages arrive, as the user decided.
struct NotifyMode: Hashable {
    enum Kind: String, CaseIterable, Sendable {
        /// A daemon keeps its sessions with the relays.
        case instant
        /// A timer runs `fetch`.
        case periodic
        /// Only when the user fetches.
        case off
    }

    let kind: Kind
    /// How often, where that is periodic.
    let interval: Duration
    /// Where the process that receives serves bots; nil for a daemon. Only where that is instant.
    let websocket: ListenAddress?

    static let off = NotifyMode(kind: .off, interval: defaultInterval)
    static let defaultInterval = Duration.seconds(600)
    /// The shortest interval: a relay is asked no more often than that.
    static let shortestInterval = Duration.seconds(60)

    /// For how long a process begins later than it could, at most, so that not all ask at the same moment.
    var jitter: Duration { min(.seconds(120), interval / 5) }

    // MARK: - In the store

    init(kind: Kind, interval: Duration, websocket: ListenAddress? = nil) {
        self.kind = kind
        self.interval = interval
        self.websocket = kind == .instant ? websocket : nil
    }

    /// The mode that a text in the store means: `instant`, `instant 127.0.0.1:5225` with the address for bots, or `periodic 600`
    /// with seconds.
    init?(stored text: String) {
        let words = text.split(separator: " ")
        guard let kind = words.first.flatMap({ Kind(rawValue: String($0)) }) else { return nil }
        let detail = words.dropFirst().first.map { String($0) }
        let seconds = kind == .periodic ? detail.flatMap { Int64($0) } : nil
        self.init(
            kind: kind, interval: seconds.map { .seconds($0) } ?? NotifyMode.defaultInterval,
            websocket: detail.flatMap { ListenAddress($0) })
    }

    var stored: String {
        switch kind {
        case .periodic: "\(kind.rawValue) \(interval.components.seconds)"
        case .instant: websocket.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue
        case .off: kind.rawValue
        }
    }
}

extension Duration {
    /// As services and people write it: a whole number of the largest unit that fits.
    var inWords: String {
        let seconds = components.seconds
        for (size, unit) in [(Int64(86_400), "d"), (3600, "h"), (60, "min")] where seconds % size == 0 && seconds > 0 {
            return "\(seconds / size)\(unit)"
        }
        return "\(seconds)s"
    }
}
