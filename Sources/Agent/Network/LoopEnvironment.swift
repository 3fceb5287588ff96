public import ByteCoding
public import CryptoCore
public import SMPClient
public import SMPProtocol
public import SystemIO

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
