import Agent
import AgentProtocol
public import JSONCoding
import SMPClient
import SMPProtocol
import SecureTransport
import Store

extension ChatError {
    /// `ChatError` of the API.
    public var json: JSONObject {
        switch self {
        case .noActiveProfile: ChatError.command("noActiveUser")
        case .profileNotFound(let id): ChatError.store("userNotFound", ["userId": .integer(id.number)])
        case .nameTaken(let name): ChatError.command("userExists", ["contactName": .string(name)])
        case .invalidName(let name, let suggestion):
            ChatError.command(
                "invalidDisplayName", ["displayName": .string(name), "validName": .string(suggestion ?? "")])
        case .invalidProfile: ChatError.command("commandError", ["message": "profile"])
        case .contactNotFound(let id): ChatError.store("contactNotFound", ["contactId": .integer(id.number)])
        case .contactNotFoundByName(let name):
            ChatError.store("contactNotFoundByName", ["contactName": .string(name)])
        case .itemNotFound(let id): ChatError.store("chatItemNotFound", ["itemId": .integer(id.number)])
        case .connectionNotFound(let id): ChatError.store("connectionNotFoundById", ["connId": .integer(id.number)])
        case .invalidLink: ChatError.command("invalidConnReq")
        case .unsupportedLink: ChatError.command("unsupportedConnReq")
        case .ownLink: ChatError.command("connectionPlan", ["connectionPlan": .object(["type": "ownLink"])])
        case .noServer: ChatError.command("commandError", ["message": "no server"])
        case .contactNotReady(let name): ChatError.store("contactNotReady", ["contactName": .string(name)])
        case .contactNotActive(let name): ChatError.command("contactNotActive", ["contactName": .string(name)])
        case .emptyMessage: ChatError.command("commandError", ["message": "empty message"])
        case .messageTooLarge: ChatError.store("largeMsg")
        case .commandSyntax: ChatError.command("commandError", ["message": "syntax"])
        case .readOnly: ChatError.command("commandError", ["message": "read only"])
        case .agent(.relay(let server, let error)):
            ["type": "errorAgent", "agentError": error.agentJSON(server), "agentConnId": ""]
        case .agent(let error):
            [
                "type": "errorAgent", "agentConnId": "",
                "agentError": .object(["type": "INTERNAL", "internalErr": .string("\(error)")]),
            ]
        case .store(let error):
            ChatError.store("dBException", ["message": .string(error.description)])
        }
    }

    private static func command(_ type: String, _ fields: JSONObject = [:]) -> JSONObject {
        ["type": "error", "errorType": .object(JSONObject(dictionaryLiteral: ("type", .string(type))).merging(fields))]
    }

    private static func store(_ type: String, _ fields: JSONObject = [:]) -> JSONObject {
        [
            "type": "errorStore",
            "storeError": .object(JSONObject(dictionaryLiteral: ("type", .string(type))).merging(fields)),
        ]
    }
}

extension SessionError {
    /// `AgentErrorType` of the API.
    func agentJSON(_ server: ServerAddress?) -> JSONValue {
        let address = server?.description ?? ""
        switch self {
        case .refused(let error):
            return .object([
                "type": "SMP", "serverAddress": .string(address),
                "smpErr": .object(["type": .string(error.tag)]),
            ])
        case .timedOut: return SessionError.broker(address, ["type": "TIMEOUT"])
        case .connection(.unknownHost): return SessionError.broker(address, ["type": "HOST"])
        case .connection(.timedOut): return SessionError.broker(address, ["type": "TIMEOUT"])
        case .connection(.wrongIdentity):
            return SessionError.broker(
                address,
                [
                    "type": "TRANSPORT",
                    "transportErr": .object(["type": "handshake", "handshakeErr": "IDENTITY"]),
                ])
        case .connection:
            return SessionError.broker(
                address, ["type": "NETWORK", "networkError": .object(["type": "failedError"])])
        case .handshake(let error):
            return SessionError.broker(
                address, ["type": "TRANSPORT", "transportErr": .object(["type": .string(error.rawValue)])])
        case .unexpectedAnswer, .tooLarge, .unusableKey:
            return SessionError.broker(address, ["type": "UNEXPECTED", "respErr": .string("\(self)")])
        }
    }

    private static func broker(_ address: String, _ error: JSONObject) -> JSONValue {
        .object(["type": "BROKER", "brokerAddress": .string(address), "brokerErr": .object(error)])
    }
}

extension ProtocolError {
    /// The first word of the error on the wire.
    fileprivate var tag: String {
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
