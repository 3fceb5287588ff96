public import ByteCoding
import JSONCoding

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

extension ProtocolError: ByteCodable {
    /// The errors that are a word and nothing else.
    private static let words: [(String, ProtocolError)] = [
        ("BLOCK", .block), ("SESSION", .session), ("AUTH", .authorization), ("SERVICE", .service), ("CRYPTO", .crypto),
        ("QUOTA", .quota), ("NO_MSG", .noMessage), ("LARGE_MSG", .largeMessage), ("EXPIRED", .expired),
        ("INTERNAL", .internal), ("DUPLICATE_", .duplicate),
    ]

    /// The error as a client of this version knows it.
    func translated(to version: UInt16) -> ProtocolError {
        guard case .blocked(let blocking) = self else { return self }
        if version < SMP.blockedError { return .authorization }
        return version < SMP.blockedNotice ? .blocked(Blocking(reason: blocking.reason)) : self
    }

    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .command(let error): writer.ascii("CMD \(error.rawValue)")
        case .proxy(let error):
            writer.ascii("PROXY ")
            writer.value(error)
        case .blocked(let blocking):
            writer.ascii("BLOCKED reason=\(blocking.reason.rawValue)")
            if let notice = blocking.notice {
                var fields = JSONObject()
                fields.set("ttl", notice.seconds)
                writer.ascii(",notice=\(fields.line)")
            }
        case .store(let text): writer.ascii("STORE \(text)")
        default: writer.ascii(ProtocolError.words.first { $0.1 == self }?.0 ?? "INTERNAL")
        }
    }

    /// Reads an error up to the end of the input. Words that this program does not know are an error of their own.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let rest = reader.rest()
        guard let text = String(validating: rest, as: UTF8.self) else { throw .invalid("error") }
        if let word = ProtocolError.words.first(where: { $0.0 == text }) {
            self = word.1
        } else if text.hasPrefix("CMD ") {
            let name = text.dropFirst(4)
            // The spelling of relays before entities had this name.
            guard let error = name == "NO_QUEUE" ? .noEntity : CommandError(rawValue: String(name)) else {
                throw .invalid("command error")
            }
            self = .command(error)
        } else if text.hasPrefix("STORE ") {
            self = .store(String(text.dropFirst(6)))
        } else if text.hasPrefix("BLOCKED ") {
            self = .blocked(try Blocking(text: String(text.dropFirst(8))))
        } else if text.hasPrefix("PROXY ") {
            self = .proxy(try ProxyError(decoding: Bytes(rest.dropFirst(6))))
        } else {
            throw .invalid("error")
        }
    }
}

extension Blocking {
    /// Reads `reason=spam`, or with a notice `reason=spam,notice={"ttl":86400}`.
    init(text: String) throws(DecodeError) {
        var reader = TextReader(text)
        try reader.expect("reason=")
        guard let reason = Reason(rawValue: reader.take(until: ",")) else { throw .invalid("blocking reason") }
        self.reason = reason
        guard !reader.isAtEnd else {
            notice = nil
            return
        }
        try reader.expect(",notice=")
        var fields = try JSONFields(decoding: Bytes(reader.rest().utf8))
        notice = Notice(seconds: try fields.optionalInteger("ttl"))
    }
}

extension ProxyError: ByteCodable {
    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .relay(let error):
            writer.ascii("PROTOCOL ")
            writer.value(error)
        case .broker(let error):
            writer.ascii("BROKER ")
            writer.value(error)
        case .password: writer.ascii("BASIC_AUTH")
        case .noSession: writer.ascii("NO_SESSION")
        }
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let rest = reader.rest()
        switch String(decoding: rest.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self) {
        case "PROTOCOL":
            let inner = Bytes(rest.dropFirst(9))
            // A relay may tell what another one told it, once. Without a limit errors would be read as deep as a block
            // allows.
            guard !inner.starts(with: Bytes("PROXY PROTOCOL PROXY ".utf8)) else { throw .invalid("proxy error") }
            self = .relay(try ProtocolError(decoding: inner))
        case "BROKER": self = .broker(try BrokerError(decoding: Bytes(rest.dropFirst(7))))
        case "BASIC_AUTH" where rest.count == 10: self = .password
        case "NO_SESSION" where rest.count == 10: self = .noSession
        default: throw .invalid("proxy error")
        }
    }
}

extension BrokerError: ByteCodable {
    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .response(let text):
            writer.ascii("RESPONSE ")
            writer.shortText(BrokerError.clipped(text))
        case .unexpected(let text):
            writer.ascii("UNEXPECTED ")
            writer.shortText(BrokerError.clipped(text))
        case .transport(let error): writer.ascii("TRANSPORT \(error.rawValue)")
        case .network: writer.ascii("NETWORK")
        case .host: writer.ascii("HOST")
        case .noService: writer.ascii("NO_SERVICE")
        case .timeout: writer.ascii("TIMEOUT")
        }
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let rest = reader.rest()
        let word = String(decoding: rest.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        let parameter = Bytes(rest.dropFirst(word.utf8.count + 1))
        let hasParameter = rest.count > word.utf8.count
        switch word {
        case "RESPONSE": self = .response(try BrokerError.text(parameter))
        case "UNEXPECTED": self = .unexpected(try BrokerError.text(parameter))
        case "TRANSPORT":
            guard let error = TransportError(rawValue: String(decoding: parameter, as: UTF8.self)) else {
                throw .invalid("transport error")
            }
            self = .transport(error)
        // A detail may follow, which says nothing that a program can use.
        case "NETWORK": self = .network
        case "HOST" where !hasParameter: self = .host
        case "NO_SERVICE" where !hasParameter: self = .noService
        case "TIMEOUT" where !hasParameter: self = .timeout
        default: throw .invalid("broker error")
        }
    }

    /// The text has a one-byte length.
    private static func text(_ bytes: Bytes) throws(DecodeError) -> String {
        var reader = ByteReader(bytes)
        let text = try reader.shortText()
        try reader.finish()
        return text
    }

    private static func clipped(_ text: String) -> String {
        var clipped = text
        while clipped.utf8.count > UInt8.max { clipped.removeLast() }
        return clipped
    }
}
