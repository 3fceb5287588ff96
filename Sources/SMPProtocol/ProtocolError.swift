public import ByteCoding
import JSONCoding

/// A violation of the protocol by a command, `ERR CMD ...` (smp-agent.md 5.10).
public enum CommandError: String, Error, Hashable, Sendable, CaseIterable {
    /// The tag is unknown.
    case unknown = "UNKNOWN"
    /// The parameters are invalid.
    case syntax = "SYNTAX"
    /// The command is not allowed in this state.
    case prohibited = "PROHIBITED"
    /// The command requires an authorization.
    case noAuthorization = "NO_AUTH"
    /// The command must not have an authorization.
    case hasAuthorization = "HAS_AUTH"
    /// The command requires an entity id.
    case noEntity = "NO_ENTITY"
}

/// The error of a command that a relay rejects, `ERR ...` (smp-agent.md 5.10).
public indirect enum ProtocolError: Error, Hashable, Sendable {
    /// A block or transmission is malformed.
    case block
    /// The session id differs (version 6).
    case session
    /// The command violates the protocol.
    case command(CommandError)
    /// Proxying failed.
    case proxy(ProxyError)
    /// The authorization failed: no such entity, wrong key, wrong state or wrong password. The relay does not reveal
    /// which.
    case authorization
    /// The operator blocked the queue. Before version 12, `authorization`.
    case blocked(Blocking)
    /// A service signature is not allowed here.
    case service
    /// The relay failed to encrypt or decrypt.
    case crypto
    /// The queue is full until its recipient receives messages.
    case quota
    /// The storage of the relay failed.
    case store(String)
    /// There is no delivered message to acknowledge.
    case noMessage
    /// The message is too large.
    case largeMessage
    /// A key of a proxy has expired.
    case expired
    /// The relay has an internal error.
    case `internal`
    /// An id is already in use.
    case duplicate
    /// A name cannot be resolved.
    case name(NameError)
}

/// A failure of the resolution of a name, `ERR NAME ...` (SMP v20).
public enum NameError: Error, Hashable, Sendable {
    /// The relay has no resolver.
    case noResolver
    /// The name is not registered.
    case notFound
    /// The resolver of the relay failed, with a short text for the operator.
    case resolver(String)
}

/// The reason for blocking a queue.
public struct Blocking: Hashable, Sendable {
    /// The kind of abuse.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Unsolicited messages.
        case spam
        /// Illegal or unacceptable content.
        case content
    }

    /// A notice for the user, from version 18.
    public struct Notice: Hashable, Sendable {
        /// The duration of the notice in seconds, if any.
        public let seconds: Int64?

        /// Creates a notice with an optional duration in seconds.
        public init(seconds: Int64?) {
            self.seconds = seconds
        }
    }

    /// The kind of abuse.
    public let reason: Reason
    /// The notice for the user.
    public let notice: Notice?

    /// Creates a blocking from its parts.
    public init(reason: Reason, notice: Notice? = nil) {
        self.reason = reason
        self.notice = notice
    }
}

/// A failure of proxying, `ERR PROXY ...` (smp-agent.md 5.9).
public indirect enum ProxyError: Hashable, Sendable {
    /// The other relay rejected the forwarded command.
    case relay(ProtocolError)
    /// The proxy's connection to the other relay failed.
    case broker(BrokerError)
    /// The proxy requires a password.
    case password
    /// The session with the other relay has ended.
    case noSession
}

/// A failure of a proxy's connection to another relay.
public enum BrokerError: Hashable, Sendable {
    /// The response of the other relay is malformed.
    case response(String)
    /// The response of the other relay is unexpected.
    case unexpected(String)
    /// The other relay is unreachable.
    case network
    /// The host is unknown.
    case host
    /// The other relay does not support the service.
    case noService
    /// The handshake with the other relay failed.
    case transport(TransportError)
    /// The other relay did not respond in time.
    case timeout
}

/// A failure of a connection before the first command.
public enum TransportError: String, Error, Hashable, Sendable, CaseIterable {
    /// A block is malformed.
    case block = "BLOCK"
    /// There is no common version.
    case version = "VERSION"
    /// A message is too large.
    case largeMessage = "LARGE_MSG"
    /// The session id differs.
    case session = "SESSION"
    /// The relay has no session key.
    case noServerKey = "NO_AUTH"
    /// A hello is malformed.
    case handshakeSyntax = "HANDSHAKE PARSE"
    /// The certificate or key differs from the one in the address.
    case identity = "HANDSHAKE IDENTITY"
    /// The signature of a session key is invalid.
    case badAuthorization = "HANDSHAKE BAD_AUTH"
    /// The service certificate is invalid.
    case badService = "HANDSHAKE BAD_SERVICE"
}

extension ProtocolError: ByteCodable {
    /// The errors that consist of one word.
    private static let words: [(String, ProtocolError)] = [
        ("BLOCK", .block), ("SESSION", .session), ("AUTH", .authorization), ("SERVICE", .service), ("CRYPTO", .crypto),
        ("QUOTA", .quota), ("NO_MSG", .noMessage), ("LARGE_MSG", .largeMessage), ("EXPIRED", .expired),
        ("INTERNAL", .internal), ("DUPLICATE_", .duplicate),
    ]

    /// Returns the error in the form of this version.
    func translated(to version: UInt16) -> ProtocolError {
        guard case .blocked(let blocking) = self else { return self }
        if version < SMP.blockedError { return .authorization }
        return version < SMP.blockedNotice ? .blocked(Blocking(reason: blocking.reason)) : self
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .command(let error): writer.ascii("CMD \(error.rawValue)")
        case .proxy(let error):
            writer.ascii("PROXY ")
            writer.value(error)
        case .blocked(let blocking): writer.ascii("BLOCKED \(blocking.text)")
        case .store(let text): writer.ascii("STORE \(text)")
        case .name(let error):
            writer.ascii("NAME ")
            writer.value(error)
        default: writer.ascii(ProtocolError.words.first { $0.1 == self }?.0 ?? "INTERNAL")
        }
    }

    /// Reads an error up to the end of the input.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for an unknown word.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let rest = reader.rest()
        guard let text = String(validating: rest, as: UTF8.self) else { throw .invalid("error") }
        if let word = ProtocolError.words.first(where: { $0.0 == text }) {
            self = word.1
        } else if text.hasPrefix("CMD ") {
            let name = text.dropFirst(4)
            // The spelling of relays before the term "entity".
            guard let error = name == "NO_QUEUE" ? .noEntity : CommandError(rawValue: String(name)) else {
                throw .invalid("command error")
            }
            self = .command(error)
        } else if text.hasPrefix("STORE ") {
            self = .store(String(text.dropFirst(6)))
        } else if text.hasPrefix("BLOCKED ") {
            self = .blocked(try Blocking(text: String(text.dropFirst(8))))
        } else if text.hasPrefix("NAME ") {
            self = .name(try NameError(decoding: Bytes(rest.dropFirst(5))))
        } else if text.hasPrefix("PROXY ") {
            self = .proxy(try ProxyError(decoding: Bytes(rest.dropFirst(6))))
        } else {
            throw .invalid("error")
        }
    }
}

extension NameError: ByteCodable {
    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .noResolver: writer.ascii("NO_RESOLVER")
        case .notFound: writer.ascii("NOT_FOUND")
        case .resolver(let text): writer.raw(Bytes("RESOLVER \(text)".utf8))
        }
    }

    /// Reads an error up to the end of the input.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for an unknown word.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let rest = reader.rest()
        guard let text = String(validating: rest, as: UTF8.self) else { throw .invalid("name error") }
        switch text {
        case "NO_RESOLVER": self = .noResolver
        case "NOT_FOUND": self = .notFound
        default:
            guard text.hasPrefix("RESOLVER ") else { throw .invalid("name error") }
            self = .resolver(String(text.dropFirst(9)))
        }
    }
}

extension Blocking {
    /// The text form: `reason=spam`, or with a notice `reason=spam,notice={"ttl":86400}`.
    public var text: String {
        guard let notice else { return "reason=\(reason.rawValue)" }
        var fields = JSONObject()
        fields.set("ttl", notice.seconds)
        return "reason=\(reason.rawValue),notice=\(fields.line)"
    }

    /// Reads the text form.
    ///
    /// - Throws: ``DecodeError``.
    public init(text: String) throws(DecodeError) {
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
    /// Writes the binary form.
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

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let rest = reader.rest()
        switch String(decoding: rest.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self) {
        case "PROTOCOL":
            let inner = Bytes(rest.dropFirst(9))
            // A relay may report the error of another relay, one level deep. Without a limit, a block could nest errors
            // deeply enough to exhaust the stack.
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
    /// Writes the binary form.
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

    /// Reads the binary form.
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
        // An optional detail follows, which no program uses.
        case "NETWORK": self = .network
        case "HOST" where !hasParameter: self = .host
        case "NO_SERVICE" where !hasParameter: self = .noService
        case "TIMEOUT" where !hasParameter: self = .timeout
        default: throw .invalid("broker error")
        }
    }

    /// Reads the text behind a one-byte length.
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
