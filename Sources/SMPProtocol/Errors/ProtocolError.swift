import ByteCoding

/// Why a command does not fit the protocol, `ERR CMD ...`.
public enum CommandError: String, Error, Hashable, Sendable, CaseIterable {
    case unknown = "UNKNOWN"
    case syntax = "SYNTAX"
    /// Not allowed in this state.
    case prohibited = "PROHIBITED"
    case noAuthorization = "NO_AUTH"
    case hasAuthorization = "HAS_AUTH"
    case noEntity = "NO_ENTITY"
}

/// What a relay answers to a command that it does not carry out, `ERR ...`.
public indirect enum ProtocolError: Error, Hashable, Sendable {
    /// A block or transmission does not parse.
    case block
    /// The session id is another one (version 6).
    case session
    case command(CommandError)
    case proxy(ProxyError)
    /// No such entity, wrong key, wrong state, wrong password: which one is not told.
    case authorization
    /// The operator blocked the queue; before version 12 the same as `authorization`.
    case blocked(Blocking)
    /// A service signature where none is allowed.
    case service
    case crypto
    /// The queue is full until its recipient has emptied it.
    case quota
    case store(String)
    /// There is no delivered message to acknowledge.
    case noMessage
    case largeMessage
    /// A key that a proxy used is no longer valid.
    case expired
    case `internal`
    /// An id was used twice.
    case duplicate
}

/// Why a queue was blocked.
public struct Blocking: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable {
        case spam
        case content
    }

    /// A notice for the user, from version 18. Its duration may be missing.
    public struct Notice: Hashable, Sendable {
        public let seconds: Int64?

        public init(seconds: Int64?) {
            self.seconds = seconds
        }
    }

    public let reason: Reason
    public let notice: Notice?

    public init(reason: Reason, notice: Notice? = nil) {
        self.reason = reason
        self.notice = notice
    }
}

/// A problem of proxying, `ERR PROXY ...`.
public indirect enum ProxyError: Hashable, Sendable {
    /// The other relay refused what the proxy forwarded.
    case relay(ProtocolError)
    case broker(BrokerError)
    /// The proxy asks for a password.
    case password
    /// The session with the other relay is gone.
    case noSession
}

/// A problem of a proxy with its connection to another relay.
public enum BrokerError: Hashable, Sendable {
    case response(String)
    case unexpected(String)
    /// The other relay cannot be reached.
    case network
    /// The host is not known.
    case host
    case noService
    case transport(TransportError)
    case timeout
}

/// What goes wrong on a connection before commands are exchanged.
public enum TransportError: String, Error, Hashable, Sendable, CaseIterable {
    case block = "BLOCK"
    case version = "VERSION"
    case largeMessage = "LARGE_MSG"
    case session = "SESSION"
    case noServerKey = "NO_AUTH"
    case handshakeSyntax = "HANDSHAKE PARSE"
    /// The certificate or the key is not the one that the address promises.
    case identity = "HANDSHAKE IDENTITY"
    case badAuthorization = "HANDSHAKE BAD_AUTH"
    case badService = "HANDSHAKE BAD_SERVICE"
}
