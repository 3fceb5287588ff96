import Agent
public import ByteCoding
import SMPClient
public import SMPProtocol
import SecureTransport
import SystemIO

/// Why something at a relay is not done, as a person needs to know it.
public indirect enum RelayProblem: Hashable, Sendable {
    case unknownHost
    /// The system's reason.
    case unreachable(String)
    case timedOut
    /// The relay ended the connection.
    case closed
    /// The relay cannot prove that it is the one in the address.
    case wrongIdentity
    /// The relay is the one in the address, but by the clock of this machine its certificate is not valid yet.
    case certificateNotYetValid
    /// The relay is the one in the address, but by the clock of this machine its certificate has expired.
    case certificateExpired
    /// The relay and this program have no version in common.
    case incompatible
    /// The relay does not speak the protocol as it should.
    case unexpected
    /// The relay refused: the queue is gone, or the key or the password is not accepted.
    case authorization
    /// The operator blocked the queue, for `spam` or `content`; nil for an unknown reason.
    case blocked(reason: String?)
    /// The operator blocked a queue of the user for abuse, and permits no new addresses until a time; nil for no end.
    case addressesRefused(until: Timestamp?)
    /// The queue is full until its recipient reads.
    case full
    /// The relay refused for another reason, in the text of the protocol, such as `LARGE_MSG` or `NAME NO_RESOLVER`.
    case refused(String)
    /// A SOCKS proxy is required, and there is none.
    case proxyRequired
    /// The user wants no connections for now.
    case offline
    /// The SOCKS proxy does not work, with the reason.
    case proxyFailed(String)
    /// The SOCKS proxy does not accept user and password.
    case proxyLogin
    /// No host of the relay may be connected to: onion hosts are required, or refused.
    case hostExcluded
    /// Messages to this relay have to go through another one, and there is none.
    case forwarderRequired
    /// The relay that should have passed a message on does not.
    case forwarder(RelayProblem)

    /// Whether trying again later may help.
    public var isTemporary: Bool {
        switch self {
        case .unreachable, .timedOut, .closed, .full, .proxyFailed, .offline: true
        case .refused(let text): text == ProtocolError.internal.text
        case .forwarder(let problem): problem.isTemporary
        case .unknownHost, .wrongIdentity, .certificateNotYetValid, .certificateExpired, .incompatible, .unexpected,
            .authorization, .blocked, .addressesRefused, .proxyRequired,
            .proxyLogin, .hostExcluded, .forwarderRequired:
            false
        }
    }
}

/// A relay, and what is wrong with it.
public struct RelayObstacle: Hashable, Sendable {
    public let server: ServerAddress
    public let problem: RelayProblem
    /// True if messages could not be received there; false if only queued messages could not be sent.
    public let isForReceiving: Bool

    package init(server: ServerAddress, problem: RelayProblem, isForReceiving: Bool = false) {
        self.server = server
        self.problem = problem
        self.isForReceiving = isForReceiving
    }
}

extension RelayObstacle {
    init(_ obstacle: Obstacle, isForReceiving: Bool = false) {
        self.init(
            server: obstacle.server, problem: RelayProblem(obstacle), isForReceiving: isForReceiving)
    }
}

extension RelayProblem {
    init(_ obstacle: Obstacle) {
        self.init(obstacle.error)
    }

    init(_ error: SessionError) {
        switch error {
        case .connection(.unknownHost): self = .unknownHost
        case .connection(.unreachable(let error)), .connection(.broken(let error)): self = .unreachable(error.reason)
        case .connection(.timedOut), .timedOut: self = .timedOut
        case .connection(.closed): self = .closed
        case .connection(.proxy(let error)): self.init(error)
        case .noRoute(.proxyRequired): self = .proxyRequired
        case .noRoute(.offline), .forwarder(.noRoute(.offline)): self = .offline
        case .noRoute(.onionRequired), .noRoute(.onionRefused): self = .hostExcluded
        case .noRoute(.forwarderRequired): self = .forwarderRequired
        // A SOCKS proxy stands before all relays, whatever they are asked for.
        case .forwarder(.connection(.proxy(let error))): self.init(error)
        case .forwarder(.noRoute(.proxyRequired)): self = .proxyRequired
        case .forwarder(.refused(.proxy(.broker(.host)))): self = .forwarder(.hostExcluded)
        case .forwarder(let error): self = .forwarder(RelayProblem(error))
        case .connection(.wrongIdentity(.notYetValid)): self = .certificateNotYetValid
        case .connection(.wrongIdentity(.expired)): self = .certificateExpired
        case .connection(.wrongIdentity): self = .wrongIdentity
        case .handshake(.version): self = .incompatible
        case .handshake(.identity): self = .wrongIdentity
        case .connection, .handshake, .unexpectedAnswer, .tooLarge, .unusableKey: self = .unexpected
        case .refused(.authorization): self = .authorization
        case .refused(.blocked(let blocking)): self = .blocked(reason: blocking.reason.rawValue)
        case .refused(.quota): self = .full
        case .refused(.proxy(let error)): self.init(error)
        case .refused(let error): self = .refused(error.text)
        }
    }
}

extension RelayProblem {
    fileprivate init(_ error: SOCKSError) {
        switch error {
        case .unknownHost: self = .proxyFailed("its name does not resolve")
        case .unreachable(let error): self = .proxyFailed(error.reason)
        case .closed: self = .proxyFailed("it ended the connection")
        case .invalidAnswer: self = .proxyFailed("it does not speak SOCKS5")
        case .noCommonMethod, .wrongPassword: self = .proxyLogin
        case .refused(.notAllowed): self = .unreachable("the proxy does not allow it")
        case .refused(.connectionRefused): self = .unreachable("connection refused")
        case .refused(.unknownCommand), .refused(.unknownAddressType):
            self = .unreachable("the proxy does not know how")
        case .refused: self = .unreachable("the proxy cannot reach it")
        }
    }

    /// What a relay in between says about the one behind it.
    fileprivate init(_ error: ProxyError) {
        switch error {
        case .broker(.host): self = .unknownHost
        case .broker(.timeout): self = .timedOut
        case .broker(.network): self = .unreachable("the relay in between cannot reach it")
        case .broker(.transport(.version)): self = .incompatible
        case .broker(.transport(.identity)): self = .wrongIdentity
        case .broker: self = .unexpected
        case .relay(let error): self = .refused(error.text)
        case .noSession: self = .closed
        case .password: self = .authorization
        }
    }
}

extension ProtocolError {
    /// The text on the wire.
    var text: String { String(decoding: encoded, as: UTF8.self) }
}
