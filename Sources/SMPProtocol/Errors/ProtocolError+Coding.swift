public import ByteCoding
import JSONCoding

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
