public import ByteCoding
public import CryptoCore
public import SMPClient
public import SMPProtocol
public import SystemIO

/// The world outside of the agent: time, chance and relays. Tests replace it by one in which nothing happens by itself.
///
/// Everything is called, and calls back, on one thread.
public protocol AgentEnvironment: AnyObject {
    var now: Timestamp { get }
    var random: any RandomSource { get }
    /// What the user decided about connections.
    var network: NetworkSettings { get }
    /// How long the application waits at most for what it asks of a relay at once: a queue with its link, what is behind a
    /// link, a test. Connecting, handshake and answers share it.
    var requestDeadline: Duration { get }

    /// Calls `action` once after `delay`, unless what is returned was called before.
    func after(_ delay: Duration, _ action: @escaping () -> Void) -> () -> Void

    /// Calls `action` when everything that happens now has been dealt with.
    func atEndOfTurn(_ action: @escaping () -> Void)

    /// Begins a session with a relay.
    func connect(to server: ServerAddress, handler: @escaping (RelaySession.Event) -> Void) -> any RelayChannel
}

extension AgentEnvironment {
    public var network: NetworkSettings { NetworkSettings() }
    public var requestDeadline: Duration { .seconds(30) }
}

/// A session with a relay, which is open between ``RelaySession/Event/opened`` and ``RelaySession/Event/closed(_:)``.
public protocol RelayChannel: AnyObject {
    /// The agreed version of the protocol, while the session is open.
    var version: UInt16? { get }

    /// Sends a command; `finish` is called once with the answer.
    func send(_ command: RelayRequest, finish: @escaping (RelaySession.Answer) -> Void)

    /// Ends the session without a report.
    func close()
}

extension RelaySession: RelayChannel {}

/// The real world, on an event loop.
public final class LoopEnvironment: AgentEnvironment {
    public let random: any RandomSource
    public let network: NetworkSettings
    public var requestDeadline = Duration.seconds(30)
    private let loop: EventLoop
    private let parameters: SessionParameters

    /// - Parameter network: Says how relays are reached; what `parameters` say about that counts for nothing.
    public init(
        loop: EventLoop, parameters: SessionParameters, network: NetworkSettings = NetworkSettings(),
        random: any RandomSource = SystemRandom()
    ) {
        self.loop = loop
        self.network = network
        self.random = random
        var parameters = parameters
        parameters.route = network.route
        self.parameters = parameters
    }

    public var now: Timestamp { Timestamp(milliseconds: SystemClock.milliseconds()) }

    public func after(_ delay: Duration, _ action: @escaping () -> Void) -> () -> Void {
        loop.after(delay, action).cancel
    }

    public func atEndOfTurn(_ action: @escaping () -> Void) {
        loop.atEndOfTurn(action)
    }

    public func connect(
        to server: ServerAddress, handler: @escaping (RelaySession.Event) -> Void
    ) -> any RelayChannel {
        RelaySession(with: server, parameters: parameters, loop: loop, random: random, handler: handler)
    }
}
