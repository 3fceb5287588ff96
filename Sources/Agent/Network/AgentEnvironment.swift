public import ByteCoding
public import CryptoCore
public import SMPClient
public import SMPProtocol
public import SystemIO

/// The environment of the agent: time, randomness and relays. Tests replace it with a simulation.
///
/// All calls and callbacks are on one thread.
public protocol AgentEnvironment: AnyObject {
    /// The current time.
    var now: Timestamp { get }
    /// The source of randomness.
    var random: any RandomSource { get }
    /// The network settings of the user.
    var network: NetworkSettings { get }
    /// The time limit of requests that wait for a relay: creating a queue with its link, reading a link, a test.
    /// Connecting, handshake and response share it.
    var requestDeadline: Duration { get }

    /// Calls `action` once after `delay`. The returned function cancels the call.
    func after(_ delay: Duration, _ action: @escaping () -> Void) -> () -> Void

    /// Calls `action` at the end of the current turn.
    func atEndOfTurn(_ action: @escaping () -> Void)

    /// Starts a session with a relay.
    func connect(to server: ServerAddress, handler: @escaping (RelaySession.Event) -> Void) -> any RelayChannel
}

extension AgentEnvironment {
    /// The default settings.
    public var network: NetworkSettings { NetworkSettings() }
    /// 30 s.
    public var requestDeadline: Duration { .seconds(30) }
}

/// A session with a relay, open between ``RelaySession/Event/opened`` and ``RelaySession/Event/closed(_:)``.
public protocol RelayChannel: AnyObject {
    /// The agreed version of the protocol, while the session is open.
    var version: UInt16? { get }

    /// Sends a command and calls `finish` once with the response.
    func send(_ command: RelayRequest, finish: @escaping (RelaySession.Answer) -> Void)

    /// Ends the session without an event.
    func close()
}

extension RelaySession: RelayChannel {}

/// The environment of a real agent, on an event loop.
public final class LoopEnvironment: AgentEnvironment {
    /// The source of randomness.
    public let random: any RandomSource
    /// The network settings of the user.
    public let network: NetworkSettings
    /// The time limit of requests that wait for a relay.
    public var requestDeadline = Duration.seconds(30)
    private let loop: EventLoop
    private let parameters: SessionParameters

    /// Creates an environment. The route in `network` replaces that in `parameters`.
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

    /// The current time.
    public var now: Timestamp { Timestamp(milliseconds: SystemClock.milliseconds()) }

    /// Calls `action` once after `delay`. The returned function cancels the call.
    public func after(_ delay: Duration, _ action: @escaping () -> Void) -> () -> Void {
        loop.after(delay, action).cancel
    }

    /// Calls `action` at the end of the current turn.
    public func atEndOfTurn(_ action: @escaping () -> Void) {
        loop.atEndOfTurn(action)
    }

    /// Starts a session with a relay.
    public func connect(
        to server: ServerAddress, handler: @escaping (RelaySession.Event) -> Void
    ) -> any RelayChannel {
        RelaySession(with: server, parameters: parameters, loop: loop, random: random, handler: handler)
    }
}
