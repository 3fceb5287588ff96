import Agent
import SMPClient
public import SMPProtocol
import SecureTransport
import SystemIO

/// Why something at a relay is not done, as a person needs to know it.
public enum RelayProblem: Hashable, Sendable {
    case unknownHost
    /// The system's reason.
    case unreachable(String)
    case timedOut
    /// The relay ended the connection.
    case closed
    /// The relay cannot prove that it is the one in the address.
    case wrongIdentity
    /// The relay and this program have no version in common.
    case incompatible
    /// The relay does not speak the protocol as it should.
    case unexpected
    /// The relay refused: the queue is gone, or the key or the password is not accepted.
    case authorization
    /// The operator blocked the queue.
    case blocked
    /// The queue is full until its recipient reads.
    case full
    /// The relay refused for another reason, in the word of the protocol.
    case refused(String)

    /// Whether trying again later may help.
    public var isTemporary: Bool {
        switch self {
        case .unreachable, .timedOut, .closed, .full: true
        case .refused(let word): word == ProtocolError.internal.word
        case .unknownHost, .wrongIdentity, .incompatible, .unexpected, .authorization, .blocked: false
        }
    }
}

/// A relay, and what is wrong with it.
public struct RelayObstacle: Hashable, Sendable {
    public let server: ServerAddress
    public let problem: RelayProblem

    package init(server: ServerAddress, problem: RelayProblem) {
        self.server = server
        self.problem = problem
    }
}

extension RelayObstacle {
    init(_ obstacle: Obstacle) {
        self.init(server: obstacle.server, problem: RelayProblem(obstacle.error))
    }
}

extension RelayProblem {
    init(_ error: SessionError) {
        switch error {
        case .connection(.unknownHost): self = .unknownHost
        case .connection(.unreachable(let error)), .connection(.broken(let error)): self = .unreachable(error.reason)
        case .connection(.timedOut), .timedOut: self = .timedOut
        case .connection(.closed): self = .closed
        case .connection(.wrongIdentity): self = .wrongIdentity
        case .handshake(.version): self = .incompatible
        case .handshake(.identity): self = .wrongIdentity
        case .connection, .handshake, .unexpectedAnswer, .tooLarge, .unusableKey: self = .unexpected
        case .refused(.authorization): self = .authorization
        case .refused(.blocked): self = .blocked
        case .refused(.quota): self = .full
        case .refused(let error): self = .refused(error.word)
        }
    }
}

extension ProtocolError {
    /// The first word of the error on the wire.
    var word: String {
        switch self {
        case .block: "BLOCK"
        case .session: "SESSION"
        case .command: "CMD"
        case .proxy: "PROXY"
        case .authorization: "AUTH"
        case .blocked: "BLOCKED"
        case .service: "SERVICE"
        case .crypto: "CRYPTO"
        case .quota: "QUOTA"
        case .store: "STORE"
        case .noMessage: "NO_MSG"
        case .largeMessage: "LARGE_MSG"
        case .expired: "EXPIRED"
        case .internal: "INTERNAL"
        case .duplicate: "DUPLICATE_"
        }
    }
}
