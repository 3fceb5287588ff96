package import ByteCoding
public import CryptoCore
public import SMPProtocol
public import SecureTransport
public import Store
import SystemIO

/// What the operator of a relay decides. As text (``text``): lines of `name = value`, and comments that begin with `#`.
public struct RelaySettings: Hashable, Sendable {
    /// Under which names clients reach the relay; at least one.
    public var hosts: [TransportHost]
    /// Where the relay listens; nil for all addresses of the machine.
    public var listen: TransportHost?
    /// 0 lets the system choose a port, for tests.
    public var port: UInt16
    /// What clients must know to create queues, and to use the relay as a proxy.
    public var password: ServerPassword?
    public var acceptsNewQueues = true
    /// Clients whose connections are refused.
    public var blocked: [IPRange] = []
    /// True if the address ranges of clients that reach a limit are logged.
    public var logsAddresses = true
    /// How many messages a queue holds.
    public var quota = 128
    /// How long a message waits for its recipient, in days.
    public var messageDays = 21
    /// How many queues the relay holds.
    public var queueLimit = 1_000_000
    /// How many messages all queues hold together.
    public var messageLimit = 1_000_000
    /// How large the database may become, in MB (1024 * 1024 bytes); 0 for no limit.
    public var storeMegabytes = 20_000
    /// How much of the disk is kept free, in MB (1024 * 1024 bytes). Less space than this refuses new queues and messages.
    public var reserveMegabytes = 64
    public var durability = Database.Durability.process

    /// Whether the relay forwards commands of its clients to other relays.
    public var isProxy = true
    /// Whether these may be at addresses that are not public: loopback, private networks and the like.
    public var proxyPrivate = false
    /// How long opening a session with another relay may take, in seconds. A failure is reported exactly after this time.
    public var proxySeconds = 10
    /// How many other relays it has sessions with at a time.
    public var proxyRelays = 1000
    /// How many of them clients at one IPv4 address or IPv6 /64 may have caused.
    public var proxyRelaysPerAddress = 100
    /// How many sessions with other relays they may open in a minute. One connection may open half of them.
    public var proxyOpeningsPerMinute = 60
    /// How many connections are made to one address in a minute for relays that were not reached there before.
    public var proxyConnectionsPerHost = 10
    /// How many commands of one client wait for other relays at a time.
    public var proxyRequests = 32

    /// How many connections there may be at a time.
    public var connectionLimit = 10_000
    /// How many of them may come from one IPv4 address, or from one /64 of IPv6.
    public var connectionsPerAddress = 1000
    /// How many of them may come from one /24 of IPv4, or from one /48 of IPv6.
    public var connectionsPerRange = 2000
    /// How long a new connection may take for TLS, and then for its hello, in seconds.
    public var handshakeSeconds = 60
    /// After how many hours without a command a connection that has no subscription is closed.
    public var idleHours = 6
    /// How much a connection may send in a second on average. One that sends more has to wait.
    public var commandsPerSecond = 10_000
    public var megabytesPerSecond = 200
    /// How many queues a connection may make.
    public var queuesPerConnection = 10_000
    /// How many queues the clients of one /24 of IPv4, or of one /48 of IPv6, may make in an hour.
    public var queuesPerHour = 20_000

    public init(hosts: [TransportHost], port: UInt16 = SMP.defaultPort, password: ServerPassword? = nil) {
        precondition(!hosts.isEmpty, "a relay has a host")
        self.hosts = hosts
        self.port = port
        self.password = password
    }

    /// Sets a new password that nobody can guess: 24 random bytes as base64url.
    public mutating func createPassword(random: any RandomSource = SystemRandom()) {
        guard let new = try? ServerPassword(Base64URL.encode(random.bytes(24))) else {
            preconditionFailure("base64url is made of characters that a password may have")
        }
        password = new
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
}

extension RelaySettings {
    /// How long a line of a comment is at most.
    private static let width = 100

    /// The lines of the settings file, without the fingerprint.
    package var text: String {
        var lines = [
            "# Settings of this relay. 'tacit relay start' reads them, and again on SIGHUP. See tacit-relay(8)."
        ]
        for group in RelaySetting.groups {
            lines += ["", "## \(group.title)"]
            for setting in group.settings {
                lines += [""] + RelaySettings.comment("\(setting.meaning) [\(setting.values)]")
                // A setting without a value is shown as one that could be set.
                lines.append(setting.text(self).map { "\(setting.name) = \($0)" } ?? "# \(setting.name) =")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func comment(_ text: String) -> [String] {
        var lines = ["#"]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].utf8.count + word.utf8.count >= width { lines.append("#") }
            lines[lines.count - 1] += " \(word)"
        }
        return lines
    }

    /// Reads the settings file.
    ///
    /// - Returns: The settings, and the fingerprint that the file holds beside them.
    package static func read(_ text: String) throws(RelayError) -> (settings: RelaySettings, fingerprint: Bytes) {
        let entries = try NamedValues(text).entries
        guard entries.contains(where: { $0.name == "host" }) else {
            throw .settings(line: 0, reason: "the line 'host = NAME' is missing")
        }
        var settings = RelaySettings(hosts: [.domain("localhost")])
        var fingerprint: Bytes?
        for entry in entries {
            if entry.name == "fingerprint" {
                fingerprint = try? Base64URL.decode(entry.value)
                guard fingerprint?.count == SHA256.size else {
                    throw .settings(line: entry.line, reason: "'fingerprint' is not a fingerprint")
                }
                continue
            }
            guard let setting = RelaySetting.all.first(where: { $0.name == entry.name }) else {
                throw .settings(line: entry.line, reason: "there is no such setting")
            }
            guard setting.set(&settings, entry.value) else {
                throw .settings(line: entry.line, reason: "'\(setting.name)' takes \(setting.values)")
            }
        }
        guard let fingerprint else { throw .settings(line: 0, reason: "the line 'fingerprint = ...' is missing") }
        return (settings, fingerprint)
    }
}

/// A text of lines `name = value`, with comments that begin with `#`.
struct NamedValues {
    /// One line that says something.
    struct Entry {
        /// Counted from 1.
        let line: Int
        let name: String
        let value: String
    }

    let entries: [Entry]

    /// Reads a text; ``RelayError/settings(line:)`` for a line without `=`.
    init(_ text: String) throws(RelayError) {
        var entries: [Entry] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.drop { $0.isWhitespace }
            guard !content.isEmpty, !content.hasPrefix("#") else { continue }
            let parts = content.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .settings(line: index + 1, reason: "it is not NAME = VALUE") }
            entries.append(
                Entry(line: index + 1, name: NamedValues.trimmed(parts[0]), value: NamedValues.trimmed(parts[1])))
        }
        self.entries = entries
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
