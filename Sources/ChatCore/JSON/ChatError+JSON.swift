import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding
import SMPProtocol

/// `ChatError` of the API, with fields of our own where the official one says less.
///
/// An error that is not known, because the program at the other end is newer, is ``DecodeError/invalid(_:)``.
extension ChatError: JSONObjectCodable {
    public var fields: JSONObject {
        switch self {
        case .noActiveProfile: ChatError.command("noActiveUser")
        case .profileNotFound(let id): ChatError.command("userUnknown", ["userId": .integer(id.number)])
        case .nameTaken(let name): ChatError.command("userExists", ["contactName": .string(name)])
        case .invalidName(let name, let suggestion):
            ChatError.command(
                "invalidDisplayName", ["displayName": .string(name), "validName": .string(suggestion ?? "")])
        case .invalidProfile: ChatError.refusal(.profile)
        case .contactNotFound(let id): ChatError.store("contactNotFound", ["contactId": .integer(id.number)])
        case .contactNotFoundByName(let name):
            ChatError.store("contactNotFoundByName", ["contactName": .string(name)])
        case .recipientNotFound(let name):
            ChatError.command("contactNotFound", ["contactName": .string(name)])
        case .groupNotFound(let id): ChatError.store("groupNotFound", ["groupId": .integer(id.number)])
        case .notesNotFound(let id): ChatError.store("noteFolderNotFound", ["noteFolderId": .integer(id.number)])
        case .itemNotFoundByText(let text): ChatError.store("chatItemNotFoundByText", ["text": .string(text)])
        case .itemNotFound(let id): ChatError.store("chatItemNotFound", ["itemId": .integer(id.number)])
        case .connectionNotFound(let id): ChatError.store("connectionNotFoundById", ["connId": .integer(id.number)])
        case .invalidLink: ChatError.command("invalidConnReq")
        case .unsupportedLink: ChatError.command("unsupportedConnReq")
        case .joinedOpenly: ChatError.command("joinedOpenly")
        case .ownLink: ChatError.command("connectionPlan", ["connectionPlan": .object(["type": "ownLink"])])
        case .connecting(.incognitoChange): ChatError.command(ConnectingObstacle.incognitoChange.rawValue)
        case .connecting(.profileChange): ChatError.command(ConnectingObstacle.profileChange.rawValue)
        case .connecting(.notResolved): ChatError.command(ConnectingObstacle.notResolved.rawValue)
        case .name(let obstacle, let name):
            ChatError.command(
                "simplexDomainNotReady",
                [
                    "simplexDomain": .object(name.domainFields),
                    "simplexDomainError": .object(["type": .string(obstacle.rawValue)]),
                    "nameType": .string(name.kind.rawValue),
                ])
        case .connecting(let obstacle): ChatError.command("commandError", ["message": .string(obstacle.rawValue)])
        case .badLink: ChatError.agent(["type": "AGENT", "agentErr": .object(["type": "A_LINK", "linkErr": ""])])
        case .noAddress: ChatError.store("userContactLinkNotFound")
        case .addressExists: ChatError.store("duplicateContactLink")
        case .chatRelayExists: ChatError.command("chatRelayExists")
        case .requestNotFound(let id):
            ChatError.store("contactRequestNotFound", ["contactRequestId": .integer(id.number)])
        case .requestNotFoundByName(let name):
            ChatError.store("contactRequestNotFoundByName", ["contactName": .string(name)])
        case .noServer: ChatError.refusal(.noServer)
        case .conditionsNotAccepted: ChatError.refusal(.conditions)
        case .serverExists(let address):
            ChatError.command("userServersExist", ["server": .string(address.description)])
        case .serverNotFound(let id): ChatError.refusal(.noSuchServer, ["serverId": .integer(id.number)])
        case .presetServer(let address):
            ChatError.refusal(.presetServer, ["server": .string(address.description)])
        case .contactNotReady(let name): ChatError.store("contactNotReady", ["contactName": .string(name)])
        case .contactNotActive(let name): ChatError.command("contactNotActive", ["contactName": .string(name)])
        case .vetoed(let ending): ChatError.refusal(.veto, ["ending": .string(ending)])
        case .emptyMessage: ChatError.refusal(.emptyMessage)
        case .notPossible(let action, let name):
            ChatError.agent([
                "type": "CMD", "cmdErr": .object(["type": "PROHIBITED"]), "errContext": .string(action.rawValue),
                "contactName": .string(name),
            ])
        case .notChangeable(let id, let obstacle, .quote):
            ChatError.store(
                ItemAction.quote.errorType,
                [
                    "message": .string(obstacle.rawValue), "itemId": .integer(id.number),
                    "action": .string(ItemAction.quote.rawValue),
                ])
        case .notChangeable(let id, let obstacle, let action):
            ChatError.command(
                action.errorType,
                [
                    "message": .string(obstacle.rawValue), "itemId": .integer(id.number),
                    "action": .string(action.rawValue),
                ])
        case .unsupported(let request): ChatError.command("commandError", ["message": .string(request.rawValue)])
        case .differentProfile(let id, let active):
            ChatError.command(
                "differentActiveUser",
                ["commandUserId": .integer(id.number), "activeUserId": .integer(active.number)])
        case .tagTaken(let text):
            ChatError.store("dBException", ["message": "tag taken", "tagText": .string(text)])
        case .timersOff(let name): ChatError.refusal(.timersOff, ["contactName": .string(name)])
        case .contactBlocked(let name): ChatError.command("contactDisabled", ["contactName": .string(name)])
        case .cursorNotFound(let name): ChatError.refusal(.noSuchCursor, ["cursor": .string(name)])
        case .noCall(let name): ChatError.command("noCurrentCall", ["contactName": .string(name)])
        case .callActive(let name): ChatError.command("hasCurrentCall", ["contactName": .string(name)])
        case .callStage(let stage, let name):
            ChatError.command(
                "callState", ["currentCallState": .string(stage.rawValue), "contactName": .string(name)])
        case .cursorElsewhere(let name): ChatError.refusal(.otherCursor, ["cursor": .string(name)])
        case .profileActive(let id, let name):
            ChatError.command(
                "cantDeleteActiveUser", ["userId": .integer(id.number), "displayName": .string(name)])
        case .profilePrivacy(let id, let obstacle):
            ChatError.command(obstacle.rawValue, ["userId": .integer(id.number)])
        case .notAllowed(let feature, let name):
            ChatError.command(
                "commandError",
                [
                    "message": .string("feature not allowed \(feature.officialName)"),
                    "feature": .string(feature.rawValue), "contactName": .string(name),
                ])
        case .messageTooLarge(let size, let limit):
            ChatError.store("largeMsg", ["size": .integer(Int64(size)), "limit": .integer(Int64(limit))])
        case .inGroup(let obstacle): obstacle.errorFields
        case .file(let obstacle): obstacle.errorFields
        case .membership(let obstacle): obstacle.errorFields
        case .channel(let obstacle): ChatError.command("commandError", ["message": .string(obstacle.rawValue)])
        case .commandSyntax: ChatError.refusal(.syntax)
        case .commandNotSupported: ChatError.refusal(.unsupported)
        case .notStopped: ChatError.command("chatNotStopped")
        case .storeChanged: ChatError.command("chatStoreChanged")
        case .storeKey(let problem):
            [
                "type": "errorDatabase",
                "databaseError": problem == .wrong
                    ? .object([
                        "type": .string(problem.rawValue),
                        "sqliteError": .object(["type": "errorNotADatabase"]),
                    ]) : .object(["type": .string(problem.rawValue)]),
            ]
        case .readOnly: ChatError.refusal(.readOnly)
        case .frozen(let mark): ChatError.command("chatStoreChanged", ["exportMark": mark.json])
        case .incompatibleLink: ChatError.agent(["type": "AGENT", "agentErr": .object(["type": "A_VERSION"])])
        case .relay(let obstacle):
            ChatError.agent(obstacle.fields)
        case .database(.busy): ChatError.store("dBBusyError", ["message": ""])
        case .database(let problem): ChatError.store("dBException", ["message": .string(problem.rawValue)])
        case .holder(let problem): ChatError.command("storeHolder", ["problem": .string(problem.rawValue)])
        case .internal: ChatError.command("internalError", ["message": ""])
        }
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        switch try fields.text("type") {
        case "error":
            var error = try fields.object("errorType")
            try self.init(command: &error)
        case "errorStore":
            var error = try fields.object("storeError")
            try self.init(store: &error)
        case "errorDatabase":
            var error = try fields.object("databaseError")
            self = .storeKey(try error.word("type", StoreKeyProblem.init(rawValue:)))
        case "errorAgent":
            var error = try fields.object("agentError")
            try self.init(agent: &error)
        default: throw .invalid("type")
        }
    }

    // MARK: - ChatErrorType

    /// An error with a `ChatErrorType`.
    static func command(_ type: String, _ fields: JSONObject = [:]) -> JSONObject {
        ["type": "error", "errorType": .object(JSONObject(dictionaryLiteral: ("type", .string(type))).merging(fields))]
    }

    private init(command error: inout JSONFields) throws(DecodeError) {
        let type = try error.text("type")
        if let obstacle = try GroupObstacle(command: type, error.rest) {
            self = .inGroup(obstacle)
            return
        }
        if let obstacle = try MembershipObstacle(command: type, error.rest) {
            self = .membership(obstacle)
            return
        }
        if let obstacle = try FileObstacle(command: type, error.rest) {
            self = .file(obstacle)
            return
        }
        if let obstacle = PrivacyObstacle(rawValue: type) {
            self = .profilePrivacy(ProfileID(try error.integer("userId")), obstacle)
            return
        }
        self =
            switch type {
            case "noActiveUser": .noActiveProfile
            case "userUnknown": .profileNotFound(ProfileID(try error.integer("userId")))
            case "differentActiveUser":
                .differentProfile(
                    ProfileID(try error.integer("commandUserId")),
                    active: ProfileID(try error.integer("activeUserId")))
            case "userExists": .nameTaken(try error.text("contactName"))
            case "invalidDisplayName":
                .invalidName(try error.text("displayName"), suggestion: try error.filledText("validName"))
            case "invalidConnReq": .invalidLink
            case "unsupportedConnReq": .unsupportedLink
            case "contactNotFound": .recipientNotFound(try error.text("contactName"))
            case "chatNotStopped": .notStopped
            case "chatRelayExists": .chatRelayExists
            case "joinedOpenly": .joinedOpenly
            case ConnectingObstacle.incognitoChange.rawValue: .connecting(.incognitoChange)
            case ConnectingObstacle.profileChange.rawValue: .connecting(.profileChange)
            case ConnectingObstacle.notResolved.rawValue: .connecting(.notResolved)
            case "simplexDomainNotReady": try ChatError(name: &error)
            case "connectionPlan": try ChatError(plan: &error)
            case "userServersExist": .serverExists(try error.word("server", ServerAddress.init(text:)))
            case "contactNotActive": .contactNotActive(try error.text("contactName"))
            case "contactDisabled": .contactBlocked(try error.text("contactName"))
            case "invalidChatItemUpdate", "invalidChatItemDelete", "invalidForward":
                try ChatError(
                    error.word("message", ChangeObstacle.init(rawValue:)), ofChange: &error)
            case "noCurrentCall": .noCall(try error.text("contactName"))
            case "hasCurrentCall": .callActive(try error.text("contactName"))
            case "callState":
                .callStage(
                    try error.word("currentCallState", CallStage.init(rawValue:)), try error.text("contactName"))
            case "cantDeleteActiveUser":
                .profileActive(ProfileID(try error.integer("userId")), try error.text("displayName"))
            case "chatStoreChanged":
                (try error.optional("exportMark") as ExportMark?).map { .frozen($0) } ?? .storeChanged
            case "commandError": try ChatError(refusal: &error)
            case "storeHolder":
                .holder(
                    try error.word("problem") { text throws(DecodeError) in
                        guard let problem = HolderProblem(rawValue: text) else { throw .invalid("problem") }
                        return problem
                    })
            case "internalError": .internal
            default: throw .invalid("errorType")
            }
    }

    private init(name error: inout JSONFields) throws(DecodeError) {
        var domain = try error.object("simplexDomain"), inner = try error.object("simplexDomainError")
        self = .name(
            try inner.word("type", NameObstacle.init(rawValue:)),
            try SimplexName(try error.word("nameType", SimplexName.Kind.init(rawValue:)), domain: &domain))
    }

    private init(plan error: inout JSONFields) throws(DecodeError) {
        var plan = try error.object("connectionPlan")
        guard try plan.text("type") == "ownLink" else { throw .invalid("connectionPlan") }
        self = .ownLink
    }

    // MARK: - commandError

    /// The message of a `commandError` that this program gives, by which programs tell one from another.
    private enum Refusal: String {
        case profile
        case noServer = "no server"
        case conditions = "conditions of servers are not accepted"
        case noSuchServer = "no such server"
        case presetServer = "preset server"
        case veto = "vetoed by a hook"
        case emptyMessage = "empty message"
        case timersOff = "feature not allowed: timed messages"
        case noSuchCursor = "no such cursor"
        case otherCursor = "cursor of another chat"
        case unsupported = "not supported"
        case syntax = "Failed reading: empty"
        case readOnly = "read only"
    }

    private static func refusal(_ refusal: Refusal, _ fields: JSONObject = [:]) -> JSONObject {
        command("commandError", JSONObject(dictionaryLiteral: ("message", .string(refusal.rawValue))).merging(fields))
    }

    private init(refusal error: inout JSONFields) throws(DecodeError) {
        let message = try error.text("message")
        if let feature = try error.optionalWord("feature", Preferences.Feature.init(rawValue:)) {
            self = .notAllowed(feature, try error.text("contactName"))
            return
        }
        if let obstacle = ChangeObstacle(rawValue: message) {
            try self.init(obstacle, ofChange: &error)
            return
        }
        if let request = UnsupportedRequest(rawValue: message) {
            self = .unsupported(request)
            return
        }
        if let obstacle = ConnectingObstacle(rawValue: message) {
            self = .connecting(obstacle)
            return
        }
        if let obstacle = ChannelObstacle(rawValue: message) {
            self = .channel(obstacle)
            return
        }
        guard let refusal = Refusal(rawValue: message) else { throw .invalid("message") }
        self =
            switch refusal {
            case .profile: .invalidProfile
            case .noServer: .noServer
            case .conditions: .conditionsNotAccepted
            case .noSuchServer: .serverNotFound(ServerID(try error.integer("serverId")))
            case .presetServer: .presetServer(try error.word("server", ServerAddress.init(text:)))
            case .veto: .vetoed(try error.text("ending"))
            case .emptyMessage: .emptyMessage
            case .timersOff: .timersOff(try error.text("contactName"))
            case .noSuchCursor: .cursorNotFound(try error.text("cursor"))
            case .otherCursor: .cursorElsewhere(try error.text("cursor"))
            case .syntax: .commandSyntax
            case .unsupported: .commandNotSupported
            case .readOnly: .readOnly
            }
    }

    private init(_ obstacle: ChangeObstacle, ofChange error: inout JSONFields) throws(DecodeError) {
        self = .notChangeable(
            ChatItemID(try error.integer("itemId")), obstacle, try error.word("action", ItemAction.init(rawValue:)))
    }

    // MARK: - AgentErrorType

    private static func agent(_ error: JSONObject) -> JSONObject {
        ["type": "errorAgent", "agentError": .object(error), "agentConnId": ""]
    }

    private init(agent error: inout JSONFields) throws(DecodeError) {
        switch error.rest["type"]?.string {
        case "AGENT":
            var inner = try error.object("agentErr")
            switch try inner.text("type") {
            case "A_LINK": self = .badLink
            case "A_VERSION": self = .incompatibleLink
            default: throw .invalid("agentErr")
            }
        case "CMD":
            let action = try error.word("errContext", CareAction.init(rawValue:))
            self = .notPossible(action, try error.text("contactName"))
        default: self = .relay(try RelayObstacle(from: &error))
        }
    }

    // MARK: - StoreError

    /// An error with a `StoreError`.
    static func store(_ type: String, _ fields: JSONObject = [:]) -> JSONObject {
        [
            "type": "errorStore",
            "storeError": .object(JSONObject(dictionaryLiteral: ("type", .string(type))).merging(fields)),
        ]
    }

    private init(store error: inout JSONFields) throws(DecodeError) {
        let type = try error.text("type")
        if let obstacle = try GroupObstacle(store: type, error.rest) {
            self = .inGroup(obstacle)
            return
        }
        if let obstacle = try MembershipObstacle(store: type, error.rest) {
            self = .membership(obstacle)
            return
        }
        if let obstacle = try FileObstacle(store: type, error.rest) {
            self = .file(obstacle)
            return
        }
        self =
            switch type {
            case "contactNotFound": .contactNotFound(ContactID(try error.integer("contactId")))
            case "contactNotFoundByName": .contactNotFoundByName(try error.text("contactName"))
            case "groupNotFound": .groupNotFound(GroupID(try error.integer("groupId")))
            case "noteFolderNotFound": .notesNotFound(NoteFolderID(try error.integer("noteFolderId")))
            case "chatItemNotFoundByText": .itemNotFoundByText(try error.text("text"))
            case "chatItemNotFound": .itemNotFound(ChatItemID(try error.integer("itemId")))
            case "connectionNotFoundById": .connectionNotFound(ConnectionID(try error.integer("connId")))
            case "userContactLinkNotFound": .noAddress
            case "duplicateContactLink": .addressExists
            case "contactRequestNotFound": .requestNotFound(RequestID(try error.integer("contactRequestId")))
            case "contactRequestNotFoundByName": .requestNotFoundByName(try error.text("contactName"))
            case "invalidQuote":
                try ChatError(error.word("message", ChangeObstacle.init(rawValue:)), ofChange: &error)
            case "contactNotReady": .contactNotReady(try error.text("contactName"))
            case "largeMsg":
                .messageTooLarge(
                    size: try error.number("size"), limit: try error.number("limit"))
            case "dBBusyError": .database(.busy)
            case "dBException" where error.rest["tagText"] != nil: .tagTaken(try error.text("tagText"))
            case "dBException": .database(try error.word("message", DatabaseProblem.init(rawValue:)))
            default: throw .invalid("storeError")
            }
    }
}

extension ItemAction {
    /// The type of the error when it cannot be done.
    fileprivate var errorType: String {
        switch self {
        case .edit: "invalidChatItemUpdate"
        case .delete: "invalidChatItemDelete"
        case .quote: "invalidQuote"
        case .forward: "invalidForward"
        case .react, .drop: "commandError"
        }
    }
}

extension Preferences.Feature {
    /// What the official core calls it.
    fileprivate var officialName: String {
        switch self {
        case .timedMessages: "Disappearing messages"
        case .fullDelete: "Full deletion"
        case .reactions: "Message reactions"
        case .voice: "Voice messages"
        case .files: "Files and media"
        case .calls: "Audio/video calls"
        case .sessions: "Chat sessions"
        }
    }
}

extension JSONFields {
    /// A text that is not empty.
    fileprivate mutating func filledText(_ name: StaticText) throws(DecodeError) -> String? {
        let text = try text(name)
        return text.isEmpty ? nil : text
    }
}
