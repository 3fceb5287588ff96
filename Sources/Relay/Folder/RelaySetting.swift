import ByteCoding
import CryptoCore
import SMPProtocol
import SecureTransport
import Store

/// A setting of relay.conf: its name, values and meaning.
///
/// The file of `tacit relay init`, the check of values and the manual are made from these declarations.
public struct RelaySetting: Sendable {
    /// The name.
    public let name: String
    /// The allowed values: `1 to 1000 messages`.
    public let values: String
    /// The description in the file and the manual.
    public let meaning: String
    /// True if a reload applies a new value, false if that requires a restart.
    public let isReloaded: Bool
    /// Returns the text of the value, or nil if it is not set.
    let text: @Sendable (RelaySettings) -> String?
    /// Sets the value; returns false for an invalid one.
    let set: @Sendable (inout RelaySettings, String) -> Bool

    /// The default value as text; nil for none.
    public var defaultText: String? {
        name == "host" ? nil : text(RelaySettings(hosts: [.domain("localhost")]))
    }

    /// The settings under a title.
    public struct Group: Sendable {
        /// The title.
        public let title: String
        /// The settings.
        public let settings: [RelaySetting]
    }

    /// All settings without groups.
    public static let all = groups.flatMap(\.settings)

    /// All settings except the fingerprint, in the order of the file.
    public static let groups = [
        Group(
            title: "Address",
            settings: [
                RelaySetting(
                    "host", "up to 16 names and addresses, separated by commas",
                    "Host names of the relay for clients, part of its address.",
                    { $0.hosts.map(\.description).joined(separator: ",") },
                    { settings, text in
                        var reader = TextReader(text)
                        let hosts = try? reader.commaSeparated { reader throws(DecodeError) in
                            try TransportHost(from: &reader)
                        }
                        // Clients reject an address with too many hosts.
                        guard let hosts, reader.isAtEnd, (try? ServerAddress.check(hosts)) != nil else { return false }
                        return take(hosts, &settings, \.hosts)
                    }),
                RelaySetting(
                    "port", "0 to 65535", "Port; 0 lets the system choose one, for tests.", isReloaded: false,
                    { "\($0.port)" }, { take(UInt16($1), &$0, \.port) }),
                RelaySetting(
                    "listen", "a name or an address",
                    "Local address on which the relay accepts connections. Without this line: all addresses.",
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
                    Password for creating queues and files and for using the relay as a proxy. Sending to a queue needs no \
                    password. \
                    Without this line: no password.
                    """,
                    { $0.password?.text }, { take(try? ServerPassword($1), &$0, \.password) }),
                RelaySetting(
                    "block", "addresses and ranges such as 203.0.113.0/24, separated by commas",
                    "Client addresses that are refused. Existing connections stay.",
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
                    "Log the address ranges of clients that reach a limit or are blocked. Other addresses are never logged."
                ),
            ]),
        Group(
            title: "Store",
            settings: [
                number(
                    "quota", \.quota, 1...100_000, "messages",
                    "Maximum number of messages in one queue. A full queue accepts messages again when it is empty."),
                number(
                    "message_days", \.messageDays, 1...3650, "days",
                    "Time to keep undelivered messages. Older messages are deleted."),
                number(
                    "queues", \.queueLimit, 1...1_000_000_000, "queues",
                    "Maximum number of queues. At the limit new queues are refused with a temporary error."),
                number(
                    "messages", \.messageLimit, 1...1_000_000_000, "messages",
                    """
                    Maximum number of stored messages, of 16 KB each. At the limit the relay reports its queues as full, and \
                    senders try again.
                    """),
                number(
                    "store_megabytes", \.storeMegabytes, 0...1_000_000_000, "MB",
                    """
                    Maximum size of the database. At the limit nothing is accepted that enlarges it; new messages can still \
                    replace received ones. 0 sets no limit.
                    """),
                number(
                    "reserve_megabytes", \.reserveMegabytes, 0...1_000_000, "MB",
                    """
                    Free disk space below which new queues and messages are refused. Stored messages can still be received and \
                    deleted. 0 uses the whole disk.
                    """),
                RelaySetting(
                    "durability", "process or power",
                    "Event that accepted messages survive: the end of the process, or also a power failure.",
                    isReloaded: false,
                    { $0.durability == .full ? "power" : "process" },
                    { take(["process": .process, "power": .full][$1], &$0, \.durability) }),
            ]),
        Group(
            title: "Files",
            settings: [
                RelaySetting(
                    "xftp_port", "0 to 65535",
                    """
                    Port for files (XFTP). 0 lets the system choose one, for tests. Clients expect 443 in an address without \
                    a port. Without this line the relay serves no files.
                    """,
                    isReloaded: false,
                    { $0.filePort.map { "\($0)" } }, { take(UInt16($1), &$0, \.filePort) }),
                RelaySetting(
                    "xftp_web_certificate", "a path",
                    """
                    Certificate for browsers, a PEM file with its chain, as certificate authorities issue it for the host. A \
                    relative path starts in the folder of the relay. Without this line browsers are not served.
                    """,
                    isReloaded: false, { $0.webCertificate }, { take(path($1), &$0, \.webCertificate) }),
                RelaySetting(
                    "xftp_web_key", "a path",
                    "Private key of the certificate for browsers, a PEM file without a passphrase.", isReloaded: false,
                    { $0.webKey }, { take(path($1), &$0, \.webKey) }),
                word("new_files", \.acceptsNewFiles, "Accept new files."),
                number(
                    "file_megabytes", \.fileMegabytes, 1...1_000_000_000, "MB",
                    "Maximum size of all files. At the limit new files are refused."),
                number(
                    "file_megabytes_per_address", \.fileMegabytesPerAddress, 1...1_000_000_000, "MB",
                    """
                    Maximum size of all files from one IPv4 address or IPv6 /64. One IPv4 /24 or IPv6 /48 can have twice as \
                    much. Addresses are kept in memory only: files from before the last start do not count. Behind a TCP gateway \
                    all clients have one address: set this to the value of file_megabytes there.
                    """),
                number(
                    "file_hours", \.fileHours, 1...8760, "h",
                    "Time to keep files. Older files are deleted within two hours."),
                number(
                    "files_per_hour", \.filesPerHour, 1...100_000_000, "chunks",
                    """
                    Maximum number of file chunks, of 64 KB to 4 MB each, that clients of one IPv4 /24 or IPv6 /48 can create \
                    per hour.
                    """),
                number(
                    "uploads_per_address", \.uploadsPerAddress, 1...1_000_000, "uploads",
                    """
                    Maximum number of unfinished uploads from one IPv4 address or IPv6 /64. One IPv4 /24 or IPv6 /48 can have \
                    four times as many. At the limit a new upload replaces one without data for five seconds; if there is \
                    none, the new one is refused with a temporary error.
                    """),
                number(
                    "upload_kilobytes_per_second", \.uploadKilobytesPerSecond, 0...1_000_000, "KB",
                    """
                    Minimum data rate of an upload after its first two minutes. A slower upload ends, and so does one without \
                    data for two minutes. 0 sets no minimum.
                    """),
            ]),
        Group(
            title: "Names",
            settings: [
                RelaySetting(
                    "resolver", "a program with arguments, or an address such as http://127.0.0.1:8765",
                    """
                    Program or HTTP service that resolves names of the network for clients. The program begins with / and gets \
                    the name as its last argument; it prints the record in JSON, or nothing for an unknown name. From a service \
                    the relay requests /resolve/NAME, and status 404 means an unknown name. Without this line the relay resolves \
                    no names.
                    """,
                    { $0.resolver?.description }, { take(try? NameSource(text: $1), &$0, \.resolver) })
            ]),
        Group(
            title: "Connections",
            settings: [
                number(
                    "connections", \.connectionLimit, 1...1_000_000, "connections",
                    """
                    Maximum number of connections. At a limit a new connection replaces the oldest one without a completed \
                    handshake; if there is none, the new one is refused.
                    """),
                number(
                    "connections_per_address", \.connectionsPerAddress, 1...1_000_000, "connections",
                    """
                    Maximum number of connections from one IPv4 address or IPv6 /64. Behind a TCP gateway all clients have one \
                    address: set this and connections_per_range to the value of connections there.
                    """),
                number(
                    "connections_per_range", \.connectionsPerRange, 1...1_000_000, "connections",
                    """
                    Maximum number of connections from one IPv4 /24 or IPv6 /48. Each loopback address counts as a \
                    separate range.
                    """),
                number(
                    "handshake_seconds", \.handshakeSeconds, 1...3600, "s",
                    "Time limit for the first byte of a new connection, then for TLS, then for the client handshake."
                ),
                number(
                    "idle_hours", \.idleHours, 1...8760, "h",
                    "Time after which a silent connection without subscriptions is closed."),
                number(
                    "commands_per_second", \.commandsPerSecond, 1...1_000_000, "commands",
                    "Commands per second of one connection, averaged over 10 s. Faster connections are read with a delay."
                ),
                number(
                    "megabytes_per_second", \.megabytesPerSecond, 1...100_000, "MB",
                    "Data rate of one connection, averaged in the same way. New values of both apply to new connections."
                ),
                number(
                    "queues_per_connection", \.queuesPerConnection, 1...100_000_000, "queues",
                    "Maximum number of queues that one connection can create."),
                number(
                    "queues_per_hour", \.queuesPerHour, 1...100_000_000, "queues",
                    """
                    Maximum number of queues that clients of one IPv4 /24 or IPv6 /48 can create per hour. More are refused \
                    with a temporary error.
                    """),
            ]),
        Group(
            title: "Proxy",
            settings: [
                word(
                    "proxy", \.isProxy,
                    "Forward messages to other relays for clients with the password (private message routing)."),
                word(
                    "proxy_private", \.proxyPrivate,
                    """
                    Also forward to relays at loopback, private, link-local and other non-public addresses. 'relay init' sets \
                    it for a relay that has such a host itself.
                    """),
                number(
                    "proxy_seconds", \.proxySeconds, 1...60, "s",
                    """
                    Time limit for connecting to another relay. A failure is reported after exactly this time, so that it does \
                    not reveal the state of an address.
                    """),
                number(
                    "proxy_relays", \.proxyRelays, 1...100_000, "relays",
                    "Maximum number of other relays with an open session."),
                number(
                    "proxy_relays_per_address", \.proxyRelaysPerAddress, 1...100_000, "relays",
                    """
                    Maximum number of other relays for clients at one IPv4 address or IPv6 /64. When proxy_relays is reached, \
                    the address with the most sessions gives one to a client with fewer.
                    """),
                number(
                    "proxy_openings_per_minute", \.proxyOpeningsPerMinute, 2...1_000_000, "sessions",
                    "New sessions per minute for clients at one address; one connection can open half of them."
                ),
                number(
                    "proxy_connections_per_host", \.proxyConnectionsPerHost, 1...1_000_000, "connections",
                    "Connections per minute to one host, for relays not reached there before."),
                number(
                    "proxy_requests", \.proxyRequests, 1...1000, "commands",
                    "Maximum number of forwarded commands of one connection that await an answer."),
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

    /// A path of printable characters.
    private static func path(_ text: String) -> String? {
        text.isEmpty || text.unicodeScalars.contains { $0.value < 0x20 } ? nil : text
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
