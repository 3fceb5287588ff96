public import ByteCoding
public import JSONCoding

/// Tells which messages of a chat can be forwarded. (`/_forward plan @1 7,8`)
public struct PlanForward: ChatCommand {
    public var chat: ChatTarget
    public var items: [ChatItemID]

    public init(_ chat: ChatTarget, _ items: [ChatItemID]) {
        self.chat = chat
        self.items = items
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_forward plan", .chat(\.chat), .items(\.items), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ForwardPlan {
        try core.conversations.planForward(items, from: chat)
    }
}

/// A reason to ask the user before messages are forwarded without their files.
public enum ForwardConfirmation: Hashable, Sendable, JSONObjectCodable {
    /// These files were offered, and can be received.
    case notAccepted([ChatFileID])
    /// Files are being received.
    case inProgress(count: Int)
    /// Files are not on the disk any longer.
    case missing(count: Int)
    /// Files were not received.
    case failed(count: Int)

    public init(from fields: inout JSONFields) throws(DecodeError) {
        switch try fields.text("type") {
        case "filesNotAccepted": self = .notAccepted(try fields.integers("fileIds").map { ChatFileID($0) })
        case "filesInProgress": self = .inProgress(count: try fields.count("filesCount"))
        case "filesMissing": self = .missing(count: try fields.count("filesCount"))
        case "filesFailed": self = .failed(count: try fields.count("filesCount"))
        default: throw .invalid("forwardConfirmation")
        }
    }

    /// `ForwardConfirmation` of the API.
    public var fields: JSONObject {
        switch self {
        case .notAccepted(let files):
            ["type": "filesNotAccepted", "fileIds": .array(files.map { .integer($0.number) })]
        case .inProgress(let count): ["type": "filesInProgress", "filesCount": .integer(Int64(count))]
        case .missing(let count): ["type": "filesMissing", "filesCount": .integer(Int64(count))]
        case .failed(let count): ["type": "filesFailed", "filesCount": .integer(Int64(count))]
        }
    }
}

/// How many messages were asked for, and those of them that can be forwarded.
public struct ForwardPlan: SimpleResponse {
    public let profile: OwnProfile
    public let count: Int
    public let items: [ChatItemID]
    /// Nil if all files are here.
    public let confirmation: ForwardConfirmation?

    public static let type = "forwardPlan"

    init(profile: OwnProfile, count: Int, items: [ChatItemID], confirmation: ForwardConfirmation? = nil) {
        self.profile = profile
        self.count = count
        self.items = items
        self.confirmation = confirmation
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        count = try fields.count("itemsCount")
        items = try fields.integers("chatItemIds").map { ChatItemID($0) }
        confirmation = try fields.optional("forwardConfirmation")
    }

    public var fields: JSONObject {
        var fields: JSONObject = [
            "user": profile.json, "itemsCount": .integer(Int64(count)),
            "chatItemIds": .array(items.map { .integer($0.number) }),
        ]
        fields.set("forwardConfirmation", confirmation)
        return fields
    }
}
