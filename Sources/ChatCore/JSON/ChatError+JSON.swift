import AgentProtocol
public import JSONCoding
import SMPProtocol

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
        case .joinedOpenly: ChatError.command("joinedOpenly")
        case .ownLink: ChatError.command("connectionPlan", ["connectionPlan": .object(["type": "ownLink"])])
        case .badLink: ChatError.agent(["type": "AGENT", "agentErr": .object(["type": "A_LINK", "linkErr": ""])])
        case .noAddress: ChatError.store("userContactLinkNotFound")
        case .addressExists: ChatError.store("duplicateContactLink")
        case .requestNotFound(let id):
            ChatError.store("contactRequestNotFound", ["contactRequestId": .integer(id.number)])
        case .requestNotFoundByName(let name):
            ChatError.store("contactRequestNotFoundByName", ["contactName": .string(name)])
        case .noServer: ChatError.command("commandError", ["message": "no server"])
        case .conditionsNotAccepted:
            ChatError.command("commandError", ["message": "conditions of servers are not accepted"])
        case .serverExists(let address):
            ChatError.command("userServersExist", ["server": .string(address.description)])
        case .serverNotFound: ChatError.command("commandError", ["message": "no such server"])
        case .presetServer: ChatError.command("commandError", ["message": "preset server"])
        case .contactNotReady(let name): ChatError.store("contactNotReady", ["contactName": .string(name)])
        case .contactNotActive(let name): ChatError.command("contactNotActive", ["contactName": .string(name)])
        case .vetoed: ChatError.command("commandError", ["message": "vetoed by a hook"])
        case .emptyMessage: ChatError.command("commandError", ["message": "empty message"])
        case .notPossible(let action, _):
            ChatError.agent([
                "type": "CMD", "cmdErr": .object(["type": "PROHIBITED"]), "errContext": .string(action.rawValue),
            ])
        case .notChangeable(let id, .noMessage):
            ChatError.command("invalidChatItemUpdate", ["itemId": .integer(id.number)])
        case .notChangeable(let id, let obstacle):
            ChatError.command(
                "commandError", ["message": .string(obstacle.rawValue), "itemId": .integer(id.number)])
        case .timersOff: ChatError.command("commandError", ["message": "feature not allowed: timed messages"])
        case .contactBlocked(let name): ChatError.command("contactDisabled", ["contactName": .string(name)])
        case .cursorNotFound(let name):
            ChatError.command("commandError", ["message": "no such cursor", "cursor": .string(name)])
        case .noCall(let name), .callActive(let name):
            ChatError.command("callState", ["contactName": .string(name)])
        case .cursorElsewhere(let name):
            ChatError.command("commandError", ["message": "cursor of another chat", "cursor": .string(name)])
        case .profileActive: ChatError.command("cantDeleteActiveUser")
        case .messageTooLarge: ChatError.store("largeMsg")
        case .commandSyntax: ChatError.command("commandError", ["message": "syntax"])
        case .readOnly: ChatError.command("commandError", ["message": "read only"])
        case .frozen: ChatError.command("chatStoreChanged")
        case .incompatibleLink: ChatError.agent(["type": "AGENT", "agentErr": .object(["type": "A_VERSION"])])
        case .relay(let obstacle):
            ["type": "errorAgent", "agentError": obstacle.problem.json(obstacle.server), "agentConnId": ""]
        case .database(.busy): ChatError.store("dBBusyError", ["message": ""])
        case .database(let problem): ChatError.store("dBException", ["message": .string(problem.rawValue)])
        case .internal: ChatError.command("internalError", ["message": ""])
        }
    }

    private static func command(_ type: String, _ fields: JSONObject = [:]) -> JSONObject {
        ["type": "error", "errorType": .object(JSONObject(dictionaryLiteral: ("type", .string(type))).merging(fields))]
    }

    private static func agent(_ error: JSONObject) -> JSONObject {
        ["type": "errorAgent", "agentError": .object(error), "agentConnId": ""]
    }

    private static func store(_ type: String, _ fields: JSONObject = [:]) -> JSONObject {
        [
            "type": "errorStore",
            "storeError": .object(JSONObject(dictionaryLiteral: ("type", .string(type))).merging(fields)),
        ]
    }
}
