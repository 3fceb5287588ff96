public import ByteCoding
public import CryptoCore
public import SMPClient
public import SMPProtocol
import SystemIO

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
    func send(_ command: RelayCommand, finish: @escaping (RelaySession.Answer) -> Void)

    /// Ends the session without a report.
    func close()
}

extension RelaySession: RelayChannel {}
