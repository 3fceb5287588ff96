import JSONCoding
import SMPProtocol

extension ProtocolError {
    /// `ErrorType` of the API.
    var json: JSONObject {
        var fields: JSONObject = ["type": .string(word)]
        switch self {
        case .command(let error): fields["cmdErr"] = .object(["type": .string(error.rawValue)])
        case .proxy(let error): fields["proxyErr"] = .object(error.json)
        case .blocked(let blocking): fields["blockInfo"] = .object(["reason": .string(blocking.reason.rawValue)])
        case .store(let text): fields["storeErr"] = .string(text)
        case .name(let error): fields["nameErr"] = .object(error.json)
        default: break
        }
        return fields
    }

    /// The first word on the wire.
    private var word: String { String(text.prefix { $0 != " " }) }
}

extension NameError {
    /// `NameErrorType` of the API.
    fileprivate var json: JSONObject {
        switch self {
        case .noResolver: ["type": "NO_RESOLVER"]
        case .notFound: ["type": "NOT_FOUND"]
        case .resolver(let text): ["type": "RESOLVER", "resolverErr": .string(text)]
        }
    }
}

extension ProxyError {
    /// `ProxyError` of the API.
    fileprivate var json: JSONObject {
        switch self {
        case .relay(let error): ["type": "PROTOCOL", "protocolErr": .object(error.json)]
        case .broker(let error): ["type": "BROKER", "brokerErr": .object(error.json)]
        case .password: ["type": "BASIC_AUTH"]
        case .noSession: ["type": "NO_SESSION"]
        }
    }
}

extension BrokerError {
    /// `BrokerErrorType` of the API.
    fileprivate var json: JSONObject {
        switch self {
        case .response(let text): ["type": "RESPONSE", "respErr": .string(text)]
        case .unexpected(let text): ["type": "UNEXPECTED", "respErr": .string(text)]
        case .network: ["type": "NETWORK", "networkError": .object(["type": "failedError"])]
        case .host: ["type": "HOST"]
        case .noService: ["type": "NO_SERVICE"]
        case .transport(let error): ["type": "TRANSPORT", "transportErr": .object(error.json)]
        case .timeout: ["type": "TIMEOUT"]
        }
    }
}

extension TransportError {
    /// `TransportError` of the API.
    fileprivate var json: JSONObject {
        switch self {
        case .block: ["type": "badBlock"]
        case .version: ["type": "version"]
        case .largeMessage: ["type": "largeMsg"]
        case .session: ["type": "badSession"]
        case .noServerKey: ["type": "noServerAuth"]
        case .handshakeSyntax: ["type": "handshake", "handshakeErr": "PARSE"]
        case .identity: ["type": "handshake", "handshakeErr": "IDENTITY"]
        case .badAuthorization: ["type": "handshake", "handshakeErr": "BAD_AUTH"]
        case .badService: ["type": "handshake", "handshakeErr": "BAD_SERVICE"]
        }
    }
}
