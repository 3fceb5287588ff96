import Relay
import SystemIO
import TerminalKit

extension RelayNotice {
    /// The lines of the log about it.
    var lines: [(level: ServiceLog.Level, text: String)] {
        switch self {
        case .isShortOfSpace(let free, let reserve):
            [
                (
                    .warning,
                    """
                    the disk is nearly full: \(megabytes(free)) free, reserve \(megabytes(reserve)); new queues and messages are \
                    refused
                    """
                )
            ]
        case .hasSpace(let free):
            [(.info, "the disk has space again: \(megabytes(free)) free; new queues and messages are accepted")]
        case .isFull(let limit):
            [(.warning, "the limit '\(limit.setting)' is reached: \(limit.effect) are refused")]
        case .hasRoom(let limit): [(.info, "below the limit '\(limit.setting)' again: \(limit.effect) are accepted")]
        case .doubtsClock:
            [
                (
                    .warning,
                    "the clock of this machine jumped or was not seen for long: messages expire later until it is confirmed"
                )
            ]
        case .trustsClock: [(.info, "the clock of this machine is trusted again")]
        case .cannotRecord(let error): [(.error, "cannot write the statistics: \(error.reason)")]
        case .unreadableBlocked(.blocked(let line)):
            [(.error, "relay.blocked is not read: line \(line) is invalid; the former blocks stay in effect")]
        case .unreadableBlocked(let error):
            [(.error, "cannot read relay.blocked: \(error.cause ?? error.code); the former blocks stay in effect")]
        case .lostTurn: [(.error, "the disk is full: all connections were closed")]
        case .incidents(let incidents): incidents.lines
        }
    }

    private func megabytes(_ bytes: Int) -> String { bytes >> 20 > 0 ? "\(bytes >> 20) MB" : "\(bytes >> 10) kB" }
}

extension StoreLimit {
    /// What is refused at the limit.
    fileprivate var effect: String {
        switch self {
        case .queues: "new queues"
        case .messages: "new messages"
        case .size: "new queues and messages"
        }
    }
}

extension RelayIncidents {
    /// How many addresses are named in one line.
    private static let named = 5

    fileprivate var lines: [(level: ServiceLog.Level, text: String)] {
        var lines: [(level: ServiceLog.Level, text: String)] = []
        let all = counts(naming: RelayIncidents.named)
        for kind in Kind.allCases {
            let counts = all.filter { $0.kind == kind }
            guard !counts.isEmpty else { continue }
            let total = counts.reduce(0) { $0 + $1.count }
            let named = counts.compactMap { count in count.source.map { "\($0) (\(count.count))" } }
            let others = counts.first { $0.source == nil }.map { ["others (\($0.count))"] } ?? []
            let sources = named.isEmpty ? "" : ": " + (named + others).joined(separator: ", ")
            lines.append((.warning, "\(total) \(kind.words)\(sources)"))
        }
        if failedHandshakes > 0 { lines.append((.info, "failed handshakes: \(failedHandshakes)")) }
        if delays > 0 { lines.append((.info, "connections slowed down: \(delays)")) }
        return lines
    }
}

extension RelayIncidents.Kind {
    fileprivate var words: String {
        switch self {
        case .limitedConnections: "connections over a limit"
        case .limitedQueues: "new queues over queues_per_hour"
        case .limitedFiles: "new file chunks over files_per_hour"
        case .limitedUploads: "uploads over uploads_per_address"
        case .limitedSpace: "file chunks over file_megabytes_per_address"
        case .privateRelays: "requests to forward to private addresses, refused by proxy_private"
        case .blockedConnections: "connections from blocked addresses"
        }
    }
}

extension RelayReload {
    /// The lines of the log about it.
    var lines: [(level: ServiceLog.Level, text: String)] {
        let texts = changes.map { change in
            change.name == "password"
                ? "password changed" : "\(change.name) \(change.old ?? "(none)") -> \(change.new ?? "(none)")"
        }
        let restart = needRestart.map { "'\($0)'" }.joined(separator: ", ")
        return [(.info, "relay.conf read again: " + (texts.isEmpty ? "no change" : texts.joined(separator: ", ")))]
            + (restart.isEmpty ? [] : [(.warning, "a restart is needed for the new value of \(restart)")])
    }
}
