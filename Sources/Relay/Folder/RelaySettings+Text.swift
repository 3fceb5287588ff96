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
            ("proxy_relays", \.proxyRelays, 1...100_000),
            ("proxy_requests", \.proxyRequests, 1...1000),
            ("connections", \.connectionLimit, 1...1_000_000),
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
            "# What a message that was accepted survives: the end of the process, or also the loss of power.",
            line("durability", durability == .full ? "power" : "process"),
            "",
            "# Whether commands are forwarded to other relays, for everybody who knows the password; with how many relays",
            "# at a time, and how many commands of one connection may wait for them.",
            line("proxy", word(isProxy)),
            line("proxy_relays", proxyRelays),
            line("proxy_requests", proxyRequests),
            "",
            "# Connections at a time; how long a new one may take to introduce itself, and an old one without subscriptions",
            "# be silent.",
            line("connections", connectionLimit),
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
