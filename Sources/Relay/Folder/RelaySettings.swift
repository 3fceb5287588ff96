package import ByteCoding
public import CryptoCore
public import SMPProtocol
public import SecureTransport
public import Store
import SystemIO

/// The settings of a relay. The text form (``text``) has lines `name = value`, and comments after `#`.
public struct RelaySettings: Hashable, Sendable {
    /// The host names of the relay, at least one.
    public var hosts: [TransportHost]
    /// The first host name that is an address of a private network; nil if there is none.
    public var privateHost: TransportHost? { hosts.first { IPAddress.isPrivate(host: $0.description) } }
    /// The address to listen at; nil for all addresses of the machine.
    public var listen: TransportHost?
    /// The port; 0 lets the system choose one, for tests.
    public var port: UInt16
    /// The password for creating queues and for proxying.
    public var password: ServerPassword?
    /// True if clients may create queues.
    public var acceptsNewQueues = true
    /// The blocked ranges of addresses.
    public var blocked: [IPRange] = []
    /// True if logs contain the address ranges of clients that reach a limit.
    public var logsAddresses = true
    /// The largest number of messages in a queue.
    public var quota = 128
    /// The lifetime of a message in days.
    public var messageDays = 21
    /// The largest number of queues.
    public var queueLimit = 1_000_000
    /// The largest number of messages in all queues.
    public var messageLimit = 1_000_000
    /// The largest size of the database in MB (1024 * 1024 bytes); 0 for no limit.
    public var storeMegabytes = 20_000
    /// The free space to keep on the disk, in MB (1024 * 1024 bytes). With less, new queues and messages are rejected.
    public var reserveMegabytes = 64
    /// The durability of transactions.
    public var durability = Database.Durability.process

    /// The resolver of names; nil for none.
    public var resolver: NameSource?

    /// The port for files (XFTP); nil if the relay serves none, 0 lets the system choose one, for tests.
    public var filePort: UInt16?
    /// The certificate for browsers; nil if the relay serves none. A path that does not begin with / is in the folder.
    public var webCertificate: String?
    /// The private key of the certificate for browsers.
    public var webKey: String?
    /// True if clients may create files.
    public var acceptsNewFiles = true
    /// The largest space of files in MB (1024 * 1024 bytes).
    public var fileMegabytes = 10_000
    /// The largest space of files from one IPv4 address or IPv6 /64 in MB (1024 * 1024 bytes).
    public var fileMegabytesPerAddress = 2000
    /// The lifetime of a file in hours.
    public var fileHours = 48
    /// The largest number of chunks of files created from one IPv4 /24 or IPv6 /48 in an hour.
    public var filesPerHour = 20_000
    /// The largest number of unfinished uploads from one IPv4 address or IPv6 /64.
    public var uploadsPerAddress = 64
    /// The average amount of data per second of an upload in KB (1024 bytes). A slower one ends.
    public var uploadKilobytesPerSecond = 2

    /// True if the relay forwards commands of its clients to other relays.
    public var isProxy = true
    /// True if other relays may have addresses that are not public: loopback, private networks and similar.
    public var proxyPrivate = false
    /// The time limit for opening a session with another relay, in seconds. A failure is reported exactly after this
    /// time.
    public var proxySeconds = 10
    /// The largest number of concurrent sessions with other relays.
    public var proxyRelays = 1000
    /// The largest number of sessions opened for clients of one IPv4 address or IPv6 /64.
    public var proxyRelaysPerAddress = 100
    /// The largest number of sessions that these clients may open in a minute. One connection may open half of them.
    public var proxyOpeningsPerMinute = 60
    /// The largest number of connections to one address in a minute for relays that were not reached there before.
    public var proxyConnectionsPerHost = 10
    /// The largest number of a client's commands that wait for other relays.
    public var proxyRequests = 32

    /// The largest number of connections.
    public var connectionLimit = 10_000
    /// The largest number of connections from one IPv4 address or IPv6 /64.
    public var connectionsPerAddress = 1000
    /// The largest number of connections from one IPv4 /24 or IPv6 /48.
    public var connectionsPerRange = 2000
    /// The time limit of a new connection for TLS, and then for its hello, in seconds.
    public var handshakeSeconds = 60
    /// The time in hours after which a connection without commands and subscriptions is closed.
    public var idleHours = 6
    /// The average number of commands per second of a connection. Faster connections are delayed.
    public var commandsPerSecond = 10_000
    /// The average amount of data per second of a connection in MB.
    public var megabytesPerSecond = 200
    /// The largest number of queues created by a connection.
    public var queuesPerConnection = 10_000
    /// The largest number of queues created from one IPv4 /24 or IPv6 /48 in an hour.
    public var queuesPerHour = 20_000

    /// Creates a relay settings from its parts.
    public init(hosts: [TransportHost], port: UInt16 = SMP.defaultPort, password: ServerPassword? = nil) {
        precondition(!hosts.isEmpty, "a relay has a host")
        self.hosts = hosts
        self.port = port
        self.password = password
    }

    /// Sets a random password: 24 random bytes as base64url.
    public mutating func createPassword(random: any RandomSource = SystemRandom()) {
        guard let new = try? ServerPassword(Base64URL.encode(random.bytes(24))) else {
            preconditionFailure("base64url is made of characters that a password may have")
        }
        password = new
    }

    /// Replaces each port of 0 by an unused one.
    ///
    /// - Throws: ``RelayError``.
    public mutating func chooseFreePorts() throws(RelayError) {
        let loop: EventLoop
        do throws(SystemError) { loop = try EventLoop() } catch { throw .system(error) }
        do throws(ConnectionError) {
            // Both at once, so that they differ.
            let first = try Listener(host: listen?.description, port: 0, loop: loop) { _ in }
            let second = try Listener(host: listen?.description, port: 0, loop: loop) { _ in }
            if port == 0 { port = first.port }
            if filePort == 0 { filePort = second.port }
        } catch {
            throw .listening(error)
        }
    }
}

extension RelaySettings {
    /// The lines of the settings file, without the fingerprint.
    package var text: String {
        var lines = [
            "# Settings of this relay. 'tacit relay start' reads them, and again on SIGHUP. See tacit-relay(8)."
        ]
        for group in RelaySetting.groups {
            lines += ["", "## \(group.title)"]
            for setting in group.settings {
                lines += [""] + NamedValues.comment("\(setting.meaning) [\(setting.values)]")
                // An unset setting is written as a comment.
                lines.append(setting.text(self).map { "\(setting.name) = \($0)" } ?? "# \(setting.name) =")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reads the settings file.
    ///
    /// - Returns: The settings, and the fingerprint in the file.
    /// - Throws: ``RelayError/settings(line:reason:)``.
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

/// A text of lines `name = value`, with comments after `#`.
package struct NamedValues {
    /// A line with a value.
    package struct Entry {
        /// The number of the line, from 1.
        package let line: Int
        package let name: String
        package let value: String
    }

    package let entries: [Entry]

    /// The largest width of a comment line.
    private static let width = 100

    /// The comment lines with a text.
    package static func comment(_ text: String) -> [String] {
        var lines = ["#"]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].utf8.count + word.utf8.count >= width { lines.append("#") }
            lines[lines.count - 1] += " \(word)"
        }
        return lines
    }

    /// Reads a text.
    ///
    /// - Throws: ``RelayError`` for a line without `=`.
    package init(_ text: String) throws(RelayError) {
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
