import ByteCoding

/// The metrics of a relay in the text format of Prometheus (version 0.0.4), for the textfile collector of its node
/// exporter.
public struct RelayMetrics {
    /// A metric with its name, type and meaning.
    public struct Metric: Sendable {
        /// The name with the prefix `tacit_relay_`.
        public let name: String
        /// The meaning, a noun phrase.
        public let meaning: String
        /// True if the metric is a counter, false for a gauge.
        public let isCounter: Bool
    }

    private static let prefix = "tacit_relay_"

    private static func gauge(_ name: String, _ meaning: String) -> Metric {
        Metric(name: prefix + name, meaning: meaning, isCounter: false)
    }

    private static let info = gauge("info", "Always 1; the label 'version' is the program version")
    private static let started = gauge("start_time_seconds", "Start of the process, in seconds since 1970")
    private static let connections = gauge("connections", "Open connections")
    private static let subscriptions = gauge("subscriptions", "Subscribed queues")
    private static let proxied = gauge("proxied_relays", "Sessions with other relays")
    private static let queues = gauge("queues", "Queues")
    private static let messages = gauge("messages", "Stored messages, including the markers of full queues")
    private static let size = gauge("database_bytes", "Bytes in use in the database")
    private static let files = gauge("files", "Uploaded file chunks and those announced")
    private static let fileBytes = gauge("file_bytes", "Bytes in use by files")
    private static let fileLimit = gauge("file_limit_bytes", "Value of the setting 'file_megabytes' in bytes")
    private static let free = gauge("disk_free_bytes", "Free bytes on the disk")
    private static let reserve = gauge(
        "disk_reserve_bytes", "Free bytes below which new queues and messages are refused")
    private static let isShort = gauge(
        "short_of_space", "1 while new queues and messages are refused because of the disk")
    private static let isFull = gauge("limit_reached", "1 while the store limit in the label 'limit' is reached")
    private static let limits = gauge(
        "limit", "Value of the setting in the label 'limit'; sizes in bytes, 0 for no limit")

    /// All metrics in order.
    public static let all =
        [
            info, started, connections, subscriptions, proxied, queues, messages, size, files, fileBytes, fileLimit,
            free, reserve, isShort, limits,
            isFull,
        ]
        + RelayStatistics.counters.map {
            Metric(name: "\(prefix)\($0.name)_total", meaning: "\($0.meaning) since the start", isCounter: true)
        }

    var version: String
    var started: Timestamp
    var statistics: RelayStatistics
    var queues: Int
    var messages: Int
    var size: Int
    /// The number of chunks, their space and its limit.
    var files: (count: Int, bytes: Int, limit: Int)
    var free: Int
    var reserve: Int
    var isShortOfSpace: Bool
    var limits: [(limit: StoreLimit, value: Int, isReached: Bool)]

    var text: String {
        var values: [String: [(labels: String, value: Int)]] = [:]
        func set(_ metric: Metric, _ value: Int, _ labels: String = "") {
            values[metric.name, default: []].append((labels, value))
        }
        // A version contains no quotes.
        set(RelayMetrics.info, 1, "{version=\"\(version)\"}")
        set(RelayMetrics.started, Int(started.seconds))
        set(RelayMetrics.connections, statistics.connections)
        set(RelayMetrics.subscriptions, statistics.subscriptions)
        set(RelayMetrics.proxied, statistics.proxiedRelays)
        set(RelayMetrics.queues, queues)
        set(RelayMetrics.messages, messages)
        set(RelayMetrics.size, size)
        set(RelayMetrics.files, files.count)
        set(RelayMetrics.fileBytes, files.bytes)
        set(RelayMetrics.fileLimit, files.limit)
        set(RelayMetrics.free, free)
        set(RelayMetrics.reserve, reserve)
        set(RelayMetrics.isShort, isShortOfSpace ? 1 : 0)
        for (limit, value, isReached) in limits {
            set(RelayMetrics.limits, value, "{limit=\"\(limit.setting)\"}")
            set(RelayMetrics.isFull, isReached ? 1 : 0, "{limit=\"\(limit.setting)\"}")
        }
        for counter in RelayStatistics.counters {
            values["\(RelayMetrics.prefix)\(counter.name)_total"] = [("", statistics[keyPath: counter.path])]
        }
        var lines: [String] = []
        for metric in RelayMetrics.all {
            lines.append("# HELP \(metric.name) \(metric.meaning).")
            lines.append("# TYPE \(metric.name) \(metric.isCounter ? "counter" : "gauge")")
            for (labels, value) in values[metric.name] ?? [] { lines.append("\(metric.name)\(labels) \(value)") }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
