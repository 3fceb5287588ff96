package import ByteCoding
import CryptoCore
import SMPProtocol
import Store

extension RelaySettings {
    /// The settings that are numbers, with what is possible.
    private static let numbers:
        [(name: String, path: any WritableKeyPath<RelaySettings, Int> & Sendable, range: ClosedRange<Int>)] = [
            ("quota", \.quota, 1...100_000),
            ("message_days", \.messageDays, 1...3650),
            ("reserve_megabytes", \.reserveMegabytes, 0...1_000_000),
            ("proxy_seconds", \.proxySeconds, 1...60),
            ("proxy_relays", \.proxyRelays, 1...100_000),
            ("proxy_relays_per_address", \.proxyRelaysPerAddress, 1...100_000),
            ("proxy_openings_per_minute", \.proxyOpeningsPerMinute, 2...1_000_000),
            ("proxy_connections_per_host", \.proxyConnectionsPerHost, 1...1_000_000),
            ("proxy_requests", \.proxyRequests, 1...1000),
            ("connections", \.connectionLimit, 1...1_000_000),
            ("connections_per_address", \.connectionsPerAddress, 1...1_000_000),
            ("handshake_seconds", \.handshakeSeconds, 1...3600),
            ("idle_hours", \.idleHours, 1...8760),
            ("commands_per_second", \.commandsPerSecond, 1...1_000_000),
            ("megabytes_per_second", \.megabytesPerSecond, 1...100_000),
            ("queues_per_connection", \.queuesPerConnection, 1...100_000_000),
        ]

    /// The lines of the settings file, without the fingerprint.
    package var text: String {
        func line(_ name: String, _ value: some CustomStringConvertible) -> String { "\(name) = \(value)" }
        func word(_ isOn: Bool) -> String { isOn ? "on" : "off" }
        var lines = [
            "# What clients are told: names of this machine, separated by commas, and the port.",
            line("host", hosts.map(\.description).joined(separator: ",")),
            line("port", port),
        ]
        if let listen { lines.append(line("listen", listen)) }
        lines += [
            "",
            "# Who may create queues: nobody (off), or everybody who knows the password, if there is one.",
            line("new_queues", word(acceptsNewQueues)),
        ]
        if let password { lines.append(line("password", password.text)) }
        lines += [
            "",
            "# Messages that a queue holds, and days that they wait.",
            line("quota", quota),
            line("message_days", messageDays),
            "",
            "# Free space of the disk, in MB, below which new queues and messages are refused. Waiting messages can be received.",
            line("reserve_megabytes", reserveMegabytes),
            "",
            "# What a message that was accepted survives: the end of the process, or also the loss of power.",
            line("durability", durability == .full ? "power" : "process"),
            "",
            "# Whether commands are forwarded to other relays, for everybody who knows the password; with how many relays",
            "# at a time, and how many commands of one connection may wait for them.",
            line("proxy", word(isProxy)),
            line("proxy_relays", proxyRelays),
            line("proxy_requests", proxyRequests),
            "# With how many relays clients at one IPv4 address or IPv6 /64 may have sessions, how many such sessions they may",
            "# open in a minute, and how many connections are made in a minute to one host for relays that were not reached yet.",
            line("proxy_relays_per_address", proxyRelaysPerAddress),
            line("proxy_openings_per_minute", proxyOpeningsPerMinute),
            line("proxy_connections_per_host", proxyConnectionsPerHost),
            "# Whether they may be at private, loopback and other addresses that are not public; and the seconds that connecting",
            "# may take. A failure is reported after exactly this time, so that it does not tell what is at an address.",
            line("proxy_private", word(proxyPrivate)),
            line("proxy_seconds", proxySeconds),
            "",
            "# Connections at a time: in all, and from one IPv4 address or IPv6 /64. Where one is full, a new connection takes",
            "# the place of the oldest one that has not introduced itself. Behind a gateway that forwards TCP connections all",
            "# clients have its address: set both to the same number there.",
            line("connections", connectionLimit),
            line("connections_per_address", connectionsPerAddress),
            "",
            "# Seconds that a new connection may take to introduce itself, and hours that one without subscriptions may be silent.",
            line("handshake_seconds", handshakeSeconds),
            line("idle_hours", idleHours),
            "",
            "# What a connection may send on average before it has to wait, and how many queues it may make.",
            line("commands_per_second", commandsPerSecond),
            line("megabytes_per_second", megabytesPerSecond),
            line("queues_per_connection", queuesPerConnection),
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reads the settings file.
    ///
    /// - Returns: The settings, and the fingerprint that the file holds beside them.
    package static func read(_ text: String) throws(RelayError) -> (settings: RelaySettings, fingerprint: Bytes) {
        let entries = try SettingsText(text).entries
        guard let host = entries.first(where: { $0.name == "host" }) else { throw .settings(line: 0) }
        guard let hosts = hosts(host.value) else { throw .settings(line: host.line) }
        var settings = RelaySettings(hosts: hosts)
        var fingerprint: Bytes?
        for entry in entries where entry.name != "host" {
            if entry.name == "fingerprint", let bytes = try? Base64URL.decode(entry.value), bytes.count == SHA256.size {
                fingerprint = bytes
            } else if !settings.set(entry.name, entry.value) {
                throw .settings(line: entry.line)
            }
        }
        guard let fingerprint else { throw .settings(line: 0) }
        return (settings, fingerprint)
    }

    private static func hosts(_ text: String) -> [TransportHost]? {
        var reader = TextReader(text)
        let hosts = try? reader.commaSeparated { reader throws(DecodeError) in try TransportHost(from: &reader) }
        return reader.isAtEnd ? hosts : nil
    }

    /// Takes over one value; false for an unknown name or an impossible value.
    private mutating func set(_ name: String, _ value: String) -> Bool {
        let words = ["on": true, "off": false]
        switch name {
        case "listen": return set(\.listen, try? TransportHost(text: value))
        case "port": return set(\.port, UInt16(value))
        case "password": return set(\.password, try? ServerPassword(value))
        case "new_queues": return set(\.acceptsNewQueues, words[value])
        case "proxy": return set(\.isProxy, words[value])
        case "proxy_private": return set(\.proxyPrivate, words[value])
        case "durability": return set(\.durability, ["process": .process, "power": .full][value])
        default:
            guard let (_, path, range) = RelaySettings.numbers.first(where: { $0.name == name }) else { return false }
            return set(path, Int(value).flatMap { range.contains($0) ? $0 : nil })
        }
    }

    private mutating func set<Value>(_ path: WritableKeyPath<RelaySettings, Value>, _ value: Value?) -> Bool {
        guard let value else { return false }
        self[keyPath: path] = value
        return true
    }
}
