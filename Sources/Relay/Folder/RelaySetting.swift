import ByteCoding
import CryptoCore
import SMPProtocol
import SecureTransport
import Store

/// One setting of relay.conf: its name, its values and its meaning.
///
/// The file that `tacit relay init` writes, the check of values and the manual are made from these declarations.
public struct RelaySetting: Sendable {
    public let name: String
    /// The values that it can have: `1 to 1000 messages`.
    public let values: String
    /// Sentences for the file and the manual.
    public let meaning: String
    /// True if a reload puts a new value into effect; false if that takes a restart.
    public let isReloaded: Bool
    /// The text of the value; nil if it is not set.
    let text: @Sendable (RelaySettings) -> String?
    /// Takes a value over; false for an impossible one.
    let set: @Sendable (inout RelaySettings, String) -> Bool

    /// The value without a line in the file; nil for none.
    public var defaultText: String? {
        name == "host" ? nil : text(RelaySettings(hosts: [.domain("localhost")]))
    }

    /// Settings under a title.
    public struct Group: Sendable {
        public let title: String
        public let settings: [RelaySetting]
    }

    public static let all = groups.flatMap(\.settings)

    /// All settings but the fingerprint, in the order of the file.
    public static let groups = [
        Group(
            title: "Address",
            settings: [
                RelaySetting(
                    "host", "up to 16 names and addresses, separated by commas",
                    "The names under which clients reach the relay. They are part of the address of the relay.",
                    { $0.hosts.map(\.description).joined(separator: ",") },
                    { settings, text in
                        var reader = TextReader(text)
                        let hosts = try? reader.commaSeparated { reader throws(DecodeError) in
                            try TransportHost(from: &reader)
                        }
                        // Clients refuse an address with too many.
                        guard let hosts, reader.isAtEnd, (try? ServerAddress.check(hosts)) != nil else { return false }
                        return take(hosts, &settings, \.hosts)
                    }),
                RelaySetting(
                    "port", "0 to 65535", "The port; 0 lets the system choose one, for tests.", isReloaded: false,
                    { "\($0.port)" }, { take(UInt16($1), &$0, \.port) }),
                RelaySetting(
                    "listen", "a name or an address",
                    "The local address at which the relay accepts connections. Without this line: all addresses.",
                    isReloaded: false,
                    { $0.listen?.description }, { take(try? TransportHost(text: $1), &$0, \.listen) }),
            ]),
        Group(
            title: "Clients",
            settings: [
                word("new_queues", \.acceptsNewQueues, "Accept new queues."),
                RelaySetting(
                    "password", "characters without spaces, @, : and /",
                    """
                    The password that clients need to make queues and to use the relay as a proxy. Everybody can send to a queue. Without \
                    this line: no password.
                    """,
                    { $0.password?.text }, { take(try? ServerPassword($1), &$0, \.password) }),
                RelaySetting(
                    "block", "addresses and ranges such as 203.0.113.0/24, separated by commas",
                    "Clients whose connections are refused. Connections that exist stay.",
                    { settings in
                        settings.blocked.isEmpty
                            ? nil : settings.blocked.map(\.description).joined(separator: ",")
                    },
                    { settings, text in
                        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
                            let words = part.split(separator: " ")
                            return words.count == 1 ? IPRange(String(words[0])) : nil
                        }
                        guard !parts.contains(nil) else { return false }
                        settings.blocked = parts.compactMap(\.self)
                        return true
                    }),
                word(
                    "log_addresses", \.logsAddresses,
                    "Log the address ranges of clients that reach a limit or are blocked. No other address is ever logged."
                ),
            ]),
        Group(
            title: "Store",
            settings: [
                number(
                    "quota", \.quota, 1...100_000, "messages",
                    "The messages that one queue holds. A full queue accepts messages again when it is empty."),
                number(
                    "message_days", \.messageDays, 1...3650, "days",
                    "The time that a message waits for its recipient. Older messages are deleted."),
                number(
                    "queues", \.queueLimit, 1...1_000_000_000, "queues",
                    "The queues of the whole relay. At the limit new queues are refused with a temporary error."),
                number(
                    "messages", \.messageLimit, 1...1_000_000_000, "messages",
                    """
                    The waiting messages of the whole relay, of 16 KB each. At the limit messages are refused as by a full queue: \
                    senders try again.
                    """),
                number(
                    "store_megabytes", \.storeMegabytes, 0...1_000_000_000, "MB",
                    """
                    The size of the database. At the limit nothing is accepted that makes it larger; messages still take the place of \
                    received ones. 0 sets no limit.
                    """),
                number(
                    "reserve_megabytes", \.reserveMegabytes, 0...1_000_000, "MB",
                    """
                    The free space of the disk below which new queues and messages are refused. Waiting messages can be received and \
                    deleted. 0 uses the disk until it is full.
                    """),
                RelaySetting(
                    "durability", "process or power",
                    "The event that an accepted message survives: the end of the process, or also a loss of power.",
                    isReloaded: false,
                    { $0.durability == .full ? "power" : "process" },
                    { take(["process": .process, "power": .full][$1], &$0, \.durability) }),
            ]),
        Group(
            title: "Connections",
            settings: [
                number(
                    "connections", \.connectionLimit, 1...1_000_000, "connections",
                    """
                    The connections at a time. At a limit of connections a new one takes the place of the oldest one that has not \
                    introduced itself, or is refused if there is none.
                    """),
                number(
                    "connections_per_address", \.connectionsPerAddress, 1...1_000_000, "connections",
                    """
                    Those of one IPv4 address or IPv6 /64. Behind a gateway that forwards TCP connections all clients have one address: \
                    set this and connections_per_range to the value of connections there.
                    """),
                number(
                    "connections_per_range", \.connectionsPerRange, 1...1_000_000, "connections",
                    "Those of one IPv4 /24 or IPv6 /48. Each loopback address is a range of its own."),
                number(
                    "handshake_seconds", \.handshakeSeconds, 1...3600, "s",
                    "The time until a new connection sends its first byte, then for TLS, then for the greeting of the client."
                ),
                number(
                    "idle_hours", \.idleHours, 1...8760, "h",
                    "The time after which a silent connection without subscriptions is closed."),
                number(
                    "commands_per_second", \.commandsPerSecond, 1...1_000_000, "commands",
                    "The commands of one connection in a second, on average over 10 s. Faster connections are read later."
                ),
                number(
                    "megabytes_per_second", \.megabytesPerSecond, 1...100_000, "MB",
                    "The bytes of one connection in a second, in the same way. New connections use a new value of both."
                ),
                number(
                    "queues_per_connection", \.queuesPerConnection, 1...100_000_000, "queues",
                    "The queues that one connection can make."),
                number(
                    "queues_per_hour", \.queuesPerHour, 1...100_000_000, "queues",
                    """
                    The queues that the clients of one IPv4 /24 or IPv6 /48 can make in an hour. More are refused with a temporary error.
                    """),
            ]),
        Group(
            title: "Proxy",
            settings: [
                word(
                    "proxy", \.isProxy,
                    "Forward messages to other relays, for everybody who knows the password (private message routing)."),
                word(
                    "proxy_private", \.proxyPrivate,
                    "Forward also to relays at loopback, private, link-local and other addresses that are not public."),
                number(
                    "proxy_seconds", \.proxySeconds, 1...60, "s",
                    """
                    The time for connecting to another relay. A failure is reported after exactly this time, so that it does not tell \
                    what is at an address.
                    """),
                number(
                    "proxy_relays", \.proxyRelays, 1...100_000, "relays", "The other relays with a session at a time."),
                number(
                    "proxy_relays_per_address", \.proxyRelaysPerAddress, 1...100_000, "relays",
                    """
                    Those that clients at one IPv4 address or IPv6 /64 asked for. If all places are taken, the address with the most \
                    gives one to a client with fewer.
                    """),
                number(
                    "proxy_openings_per_minute", \.proxyOpeningsPerMinute, 2...1_000_000, "sessions",
                    "The new sessions that clients at one address can ask for in a minute; one connection can ask for half of them."
                ),
                number(
                    "proxy_connections_per_host", \.proxyConnectionsPerHost, 1...1_000_000, "connections",
                    "The connections to one host in a minute, for relays that were not reached there before."),
                number(
                    "proxy_requests", \.proxyRequests, 1...1000, "commands",
                    "The commands of one connection that wait for other relays at a time."),
            ]),
    ]

    private init(
        _ name: String, _ values: String, _ meaning: String, isReloaded: Bool = true,
        _ text: @escaping @Sendable (RelaySettings) -> String?,
        _ set: @escaping @Sendable (inout RelaySettings, String) -> Bool
    ) {
        self.name = name
        self.values = values
        self.meaning = meaning
        self.isReloaded = isReloaded
        self.text = text
        self.set = set
    }

    private static func number(
        _ name: String, _ path: any WritableKeyPath<RelaySettings, Int> & Sendable, _ range: ClosedRange<Int>,
        _ unit: String, _ meaning: String
    ) -> RelaySetting {
        RelaySetting(
            name, "\(range.lowerBound) to \(range.upperBound) \(unit)", meaning, { "\($0[keyPath: path])" },
            { take(Int($1).flatMap { range.contains($0) ? $0 : nil }, &$0, path) })
    }

    private static func word(
        _ name: String, _ path: any WritableKeyPath<RelaySettings, Bool> & Sendable, _ meaning: String
    ) -> RelaySetting {
        RelaySetting(
            name, "on or off", meaning, { $0[keyPath: path] ? "on" : "off" },
            { take(["on": true, "off": false][$1], &$0, path) })
    }

    private static func take<Value>(
        _ value: Value?, _ settings: inout RelaySettings, _ path: WritableKeyPath<RelaySettings, Value>
    ) -> Bool {
        guard let value else { return false }
        settings[keyPath: path] = value
        return true
    }

    private static func take<Value>(
        _ value: Value?, _ settings: inout RelaySettings, _ path: WritableKeyPath<RelaySettings, Value?>
    ) -> Bool {
        guard let value else { return false }
        settings[keyPath: path] = value
        return true
    }
}
