import ByteCoding
import CryptoCore
public import SMPProtocol
import SecureTransport
public import Store
import SystemIO

/// What the operator of a relay decides. As text: lines of `name = value`, and comments that begin with `#`.
public struct RelaySettings: Hashable, Sendable {
    /// Under which names clients reach the relay; at least one.
    public var hosts: [TransportHost]
    /// Where the relay listens; nil for all addresses of the machine.
    public var listen: TransportHost?
    /// 0 lets the system choose a port, for tests.
    public var port: UInt16
    /// What clients must know to create queues.
    public var password: ServerPassword?
    public var acceptsNewQueues = true
    /// How many messages a queue holds.
    public var quota = 128
    /// How long a message waits for its recipient, in days.
    public var messageDays = 21
    public var durability = Database.Durability.process
    /// How many connections there may be at a time.
    public var connectionLimit = 10_000

    public init(hosts: [TransportHost], port: UInt16 = SMP.defaultPort, password: ServerPassword? = nil) {
        precondition(!hosts.isEmpty, "a relay has a host")
        self.hosts = hosts
        self.port = port
        self.password = password
    }

    /// Takes a port that nobody uses at the moment, for a relay on a machine where that does not matter.
    public mutating func chooseFreePort() throws(RelayError) {
        let loop: EventLoop
        do throws(SystemError) { loop = try EventLoop() } catch { throw .system(error) }
        do throws(ConnectionError) {
            port = try Listener(host: listen?.description, port: 0, loop: loop) { _ in }.port
        } catch {
            throw .listening(error)
        }
    }

    /// The lines of the settings file, without the fingerprint.
    var text: String {
        var lines = [
            "# What clients are told: names of this machine, separated by commas, and the port.",
            "host = \(hosts.map(\.description).joined(separator: ","))",
            "port = \(port)",
        ]
        if let listen { lines.append("listen = \(listen)") }
        lines += [
            "",
            "# Who may create queues: nobody (off), or everybody who knows the password, if there is one.",
            "new_queues = \(acceptsNewQueues ? "on" : "off")",
        ]
        if let password { lines.append("password = \(password.text)") }
        lines += [
            "",
            "# Messages that a queue holds, and days that they wait.",
            "quota = \(quota)",
            "message_days = \(messageDays)",
            "",
            "# What a message that was accepted survives: the end of the process, or also the loss of power.",
            "durability = \(durability == .full ? "power" : "process")",
            "",
            "connections = \(connectionLimit)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reads the settings file.
    ///
    /// - Returns: The settings, and the fingerprint that the file holds beside them.
    static func read(_ text: String) throws(RelayError) -> (settings: RelaySettings, fingerprint: Bytes) {
        var entries: [Entry] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let entry = try Entry(line, number: index + 1) { entries.append(entry) }
        }
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

    /// One line that says something.
    private struct Entry {
        let line: Int
        let name: String
        let value: String

        /// Nil for an empty line or a comment.
        init?(_ text: Substring, number: Int) throws(RelayError) {
            let content = text.drop { $0.isWhitespace }
            guard !content.isEmpty, !content.hasPrefix("#") else { return nil }
            let parts = content.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .settings(line: number) }
            line = number
            name = Entry.trimmed(parts[0])
            value = Entry.trimmed(parts[1])
        }

        private static func trimmed(_ text: Substring) -> String {
            var text = text.drop { $0.isWhitespace }
            while text.last?.isWhitespace == true { text.removeLast() }
            return String(text)
        }
    }

    private static func hosts(_ text: String) -> [TransportHost]? {
        var reader = TextReader(text)
        let hosts = try? reader.commaSeparated { reader throws(DecodeError) in try TransportHost(from: &reader) }
        return reader.isAtEnd ? hosts : nil
    }

    /// Takes over one value; false for an unknown name or an impossible value.
    private mutating func set(_ name: String, _ value: String) -> Bool {
        switch name {
        case "listen": return set(\.listen, try? TransportHost(text: value))
        case "port": return set(\.port, UInt16(value))
        case "password": return set(\.password, try? ServerPassword(value))
        case "new_queues": return set(\.acceptsNewQueues, ["on": true, "off": false][value])
        case "quota": return set(\.quota, Int(value).flatMap { (1...100_000).contains($0) ? $0 : nil })
        case "message_days": return set(\.messageDays, Int(value).flatMap { (1...3650).contains($0) ? $0 : nil })
        case "durability": return set(\.durability, ["process": .process, "power": .full][value])
        case "connections":
            return set(\.connectionLimit, Int(value).flatMap { (1...1_000_000).contains($0) ? $0 : nil })
        default: return false
        }
    }

    private mutating func set<Value>(_ path: WritableKeyPath<RelaySettings, Value>, _ value: Value?) -> Bool {
        guard let value else { return false }
        self[keyPath: path] = value
        return true
    }
}
