import ByteCoding
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
