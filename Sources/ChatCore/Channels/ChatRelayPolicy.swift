public import AgentProtocol
import ByteCoding

/// What a chat relay takes, as its operator says.
public struct ChatRelayPolicy: Hashable, Sendable {
    /// The channels that owners may bring.
    public enum Channels: Hashable, Sendable {
        case all
        /// Those with one of these links.
        case listed([ShortLink])
        /// No further ones.
        case none
    }

    public var channels = Channels.all
    /// The most channels that are served at the same time; nil for no limit.
    public var mostChannels: Int?
    /// The most members of a channel; nil for the limit of all groups.
    public var mostMembers: Int?
    /// The most requests of owners and subscribers in a minute; nil for no limit.
    public var requestsPerMinute: Int?
    /// The domain on which channels are shown on the web; nil for none.
    public var webDomain: String?

    public init() {}

    /// Returns why a channel is not served; nil if it is.
    ///
    /// - Parameter count: The number of channels that are served.
    func refusal(of link: ShortLink, serving count: Int) -> ChatRelayRefusal? {
        switch channels {
        case .none: return .closed
        case .listed(let links) where !links.contains(where: { $0.isSame(as: link) }): return .unlisted
        case .listed, .all: break
        }
        if let mostChannels, count >= mostChannels { return .full }
        return nil
    }
}

/// Why a chat relay does not serve a channel, as its owner is told.
enum ChatRelayRefusal: String {
    case closed = "the relay serves no new channels"
    case unlisted = "the operator of the relay has not listed the channel"
    case full = "the relay serves as many channels as it can"
}

/// The numbers of what a chat relay has done since it began.
public struct ChatRelayActivity: Hashable, Sendable {
    /// A number, its name, and what it counts.
    public struct Counter: Sendable {
        public let name: String
        public let path: any WritableKeyPath<ChatRelayActivity, Int> & Sendable
        /// A noun phrase.
        public let meaning: String
    }

    public var channels = 0
    public var refusals = 0
    public var joins = 0
    public var refusedJoins = 0
    public var messages = 0
    public var deliveries = 0

    public init() {}

    /// Adds what was done before.
    public func adding(_ other: ChatRelayActivity) -> ChatRelayActivity {
        var sum = self
        for counter in ChatRelayActivity.counters { sum[keyPath: counter.path] += other[keyPath: counter.path] }
        return sum
    }

    /// All numbers in order.
    public static let counters: [Counter] = [
        Counter(name: "channels_accepted", path: \.channels, meaning: "Requests of owners that were accepted"),
        Counter(name: "channels_refused", path: \.refusals, meaning: "Requests of owners that were refused"),
        Counter(name: "joins", path: \.joins, meaning: "Subscribers that joined"),
        Counter(name: "joins_refused", path: \.refusedJoins, meaning: "Subscribers that were refused at a limit"),
        Counter(name: "messages", path: \.messages, meaning: "Messages of members that are passed on"),
        Counter(name: "deliveries", path: \.deliveries, meaning: "Payloads passed on, one for each recipient"),
    ]
}

/// The requests of one minute.
struct RequestCount {
    private var minute: Int64 = 0
    private var count = 0

    /// Counts a request. Returns false if there were as many as may be in this minute.
    mutating func take(at time: Timestamp, limit: Int?) -> Bool {
        guard let limit else { return true }
        let minute = time.seconds / 60
        if minute != self.minute {
            self.minute = minute
            count = 0
        }
        guard count < limit else { return false }
        count += 1
        return true
    }
}
