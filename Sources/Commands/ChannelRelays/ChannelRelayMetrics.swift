import ByteCoding
import ChatCore
import SystemIO

/// The metrics of a chat relay in the text format of Prometheus (version 0.0.4).
struct ChannelRelayMetrics {
    /// A metric with its name, type and meaning.
    struct Metric: Sendable {
        /// The name with the prefix `tacit_channel_relay_`.
        let name: String
        /// The meaning, a noun phrase.
        let meaning: String
        /// True if the metric is a counter, false for a gauge.
        var isCounter = false

        init(_ name: String, _ meaning: String, isCounter: Bool = false) {
            self.name = "tacit_channel_relay_\(name)\(isCounter ? "_total" : "")"
            self.meaning = meaning
            self.isCounter = isCounter
        }
    }

    private static let info = Metric("info", "Always 1; the label 'version' is the program version")
    private static let started = Metric("start_time_seconds", "Start of the process, in seconds since 1970")
    private static let channels = Metric("channels", "Served channels")
    private static let channelLimit = Metric("channel_limit", "Value of the setting 'channel_limit'")
    private static let subscribers = Metric("subscribers", "Members of all channels without owners and relays")
    private static let requests = Metric("requests_waiting", "Owners whose channels are about to be served")
    private static let deliveries = Metric(
        "deliveries_waiting", "Messages that wait for recipients, one for each recipient")
    private static let outbox = Metric("outbox", "Encrypted messages that no message relay has taken yet")
    private static let counters = ChatRelayActivity.counters.map { counter in
        (Metric(counter.name, "\(counter.meaning) since the start", isCounter: true), counter.path)
    }

    /// All metrics in order.
    static let all =
        [info, started, channels, channelLimit, subscribers, requests, deliveries, outbox] + counters.map(\.0)

    let version: String
    let started: Timestamp
    let channelLimit: Int
    let state: ChatRelayState
    let activity: ChatRelayActivity
    /// The number of messages in the outbox of the agent.
    let outbox: Int

    var text: String {
        // A version contains no quotes.
        let gauges: [(Metric, String)] = [
            (ChannelRelayMetrics.info, "{version=\"\(version)\"} 1"),
            (ChannelRelayMetrics.started, " \(started.seconds)"),
            (ChannelRelayMetrics.channels, " \(state.servedChannels)"),
            (ChannelRelayMetrics.channelLimit, " \(channelLimit)"),
            (ChannelRelayMetrics.subscribers, " \(state.subscribers)"),
            (ChannelRelayMetrics.requests, " \(state.requests)"),
            (ChannelRelayMetrics.deliveries, " \(state.deliveries)"),
            (ChannelRelayMetrics.outbox, " \(outbox)"),
        ]
        let values = gauges + ChannelRelayMetrics.counters.map { ($0, " \(activity[keyPath: $1])") }
        return values.map { metric, value in
            """
            # HELP \(metric.name) \(metric.meaning).
            # TYPE \(metric.name) \(metric.isCounter ? "counter" : "gauge")
            \(metric.name)\(value)

            """
        }.joined()
    }
}
