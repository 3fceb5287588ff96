public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// A connection that could not be made, or is lost.
public struct ConnectionFailedEvent: ProfileEvent {
    public static let type = "connectionFailed"
    public static let slugs = ["connection.failed"]

    public let profile: OwnProfile
    public let connection: ContactConnection
    public let contact: Contact?
    public let problem: ConnectionProblem

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "connection": connection.json]
        fields.set("contact", contact)
        fields.set("problem", problem.word)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), connection: try fields.required("connection"),
            contact: try fields.optional("contact"),
            problem: try fields.word("problem", ConnectionProblem.init(word:)))
    }

    public var chat: Chat? { contact.map { .direct($0) } }
    public var hooks: [HookTrigger] { [HookTrigger(.onError)] }
    public var notice: EventNotice? {
        EventNotice("connection.failed", contact, "could not connect", connection: connection)
    }
    public var trace: EventText { "a connection with \(contact) failed" }
}

/// A contact whose relay refused messages too often: nothing more is sent.
public struct ContactDisabledEvent: ContactEvent {
    public static let type = "contactDisabled"
    public static let slugs = ["contact.disabled"]

    public let profile: OwnProfile
    public let contact: Contact

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), contact: try fields.required("contact"))
    }

    public var hooks: [HookTrigger] { [HookTrigger(.onError)] }
    public var notice: EventNotice? {
        EventNotice("contact.disabled", contact, "is disabled: the relay rejected too many messages")
    }
    public var trace: EventText { "sending is disabled for \(contact)" }
}

/// A queue that is full, so that nothing is sent until its owner reads; or one that takes messages again.
public struct ConnectionInactiveEvent: ProfileEvent {
    public static let type = "connectionInactive"

    /// The owner of the queue.
    public enum Owner: Hashable, Sendable {
        case contact(Contact)
        indirect case member(GroupMember, Group)
    }

    public let profile: OwnProfile
    public let person: Owner
    public let isInactive: Bool

    public var fields: JSONObject {
        var entity: JSONObject
        switch person {
        case .contact(let contact):
            entity = ["type": "rcvDirectMsgConnection"]
            entity["entityConnection"] = contact.connection?.json(contact.verification)
            entity["contact"] = contact.json
        case .member(let member, let group):
            entity = ["type": "rcvGroupMsgConnection"]
            entity["entityConnection"] = member.connection?.json(nil)
            entity["groupInfo"] = group.json
            entity["groupMember"] = member.json
        }
        return ["user": profile.json, "connectionEntity": .object(entity), "inactive": .bool(isInactive)]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        let profile: OwnProfile = try fields.required("user")
        var entity = try fields.object("connectionEntity")
        let person: Owner =
            switch try entity.text("type") {
            case "rcvDirectMsgConnection": .contact(try entity.required("contact"))
            case "rcvGroupMsgConnection":
                .member(try entity.required("groupMember"), try entity.required("groupInfo"))
            default: throw .invalid("connectionEntity")
            }
        return Self(profile: profile, person: person, isInactive: try fields.bool("inactive"))
    }

    public var chat: Chat? {
        switch person {
        case .contact(let contact): .direct(contact)
        case .member(_, let group): .group(group)
        }
    }
    public var trace: EventText {
        let name =
            switch person {
            case .contact(let contact): contact.name
            case .member(let member, _): member.name
            }
        return isInactive
            ? "the queue of \(untrusted: name) is full: nothing is sent until it is read"
            : "the queue of \(untrusted: name) accepts messages again"
    }
}

/// A message that is of no use in the state of its connection.
public struct MessageUnusableEvent: ProfileEvent {
    public static let type = "messageError"
    public static let slugs = ["message.unusable"]

    public let profile: OwnProfile
    public let connection: ContactConnection?
    public var severity = Severity.warning
    public let reason: String

    /// How bad it is. The raw values are those of the API.
    public enum Severity: String, Sendable {
        /// The log tells it, and programs.
        case warning
        /// The sender did what it may not do. Only the log tells it: others choose how often it happens.
        case error
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("connection", connection)
        fields.set("severity", severity.rawValue)
        fields.set("errorMessage", reason)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), connection: try fields.optional("connection"),
            severity: try fields.word("severity") { Severity(rawValue: $0) }, reason: try fields.text("errorMessage"))
    }

    public var hooks: [HookTrigger] { severity == .warning ? [HookTrigger(.onError)] : [] }
    public var notice: EventNotice? {
        guard severity == .warning else { return nil }
        return EventNotice("message.unusable", Chat?.none, "\(untrusted: reason)", connection: connection)
    }
    public var trace: EventText { "unusable message: \(untrusted: reason)" }
}

/// A queue that is being replaced.
public struct QueueSwitchedEvent: ProfileEvent {
    public static let type = "contactSwitch"
    public static let slugs =
        SwitchPhase.allCases.map { "queue.\($0.word)" } + SwitchPhase.allCases.map { "contact.queue-\($0.word)" }

    public let profile: OwnProfile
    public let contact: Contact
    public let direction: QueueDirection
    public let phase: SwitchPhase
    public let condition: ConnectionCondition?

    public var fields: JSONObject {
        [
            "user": profile.json, "contact": contact.json,
            "switchProgress": QueueSwitch(direction: direction, phase: phase, condition: condition).json,
        ]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        let progress = try QueueSwitch(in: &fields)
        return Self(
            profile: try fields.required("user"), contact: try fields.required("contact"),
            direction: progress.direction, phase: progress.phase, condition: progress.condition)
    }

    public var chat: Chat? { .direct(contact) }
    public var notice: EventNotice? {
        switch direction {
        case .receiving:
            EventNotice("queue.\(phase.word)", contact, "is moving to your new queue: \(word: phase.word)")
        case .sending: EventNotice("contact.queue-\(phase.word)", contact, "rotates its queue: \(word: phase.word)")
        }
    }
    public var trace: EventText { "queue rotation with \(contact) changed state" }
}

/// Ratchets of both sides that fit, or do not.
public struct RatchetSynchronizedEvent: ProfileEvent {
    public static let type = "contactRatchetSync"
    public static let slugs = RatchetSynchronization.allCases.map { "encryption.\($0.word)" }

    public let profile: OwnProfile
    public let contact: Contact
    public let state: RatchetSynchronization
    public let condition: ConnectionCondition?

    public var fields: JSONObject {
        [
            "user": profile.json, "contact": contact.json,
            "ratchetSyncProgress": SynchronizationProgress(state: state, condition: condition).json,
        ]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        let progress = try SynchronizationProgress(in: &fields)
        return Self(
            profile: try fields.required("user"), contact: try fields.required("contact"), state: progress.state,
            condition: progress.condition)
    }

    public var chat: Chat? { .direct(contact) }
    public var hooks: [HookTrigger] { state == .required ? [HookTrigger(.onError)] : [] }
    public var notice: EventNotice? {
        let sentence: EventText =
            switch state {
            case .ok: "is in sync again: messages can be decrypted"
            case .allowed: "sent a message that could not be decrypted"
            case .required: "is out of sync: the encryption must be renegotiated"
            case .started: "was asked to renegotiate the encryption"
            case .agreed: "renegotiated the encryption; the security code changed"
            }
        // Of the other states a notice of the conversation says what helps.
        return EventNotice("encryption.\(state.word)", contact, sentence, isOutOfStep: state == .allowed)
    }
    public var trace: EventText { "ratchet synchronisation with \(contact) changed state" }
}

/// How far the replacement of a queue is.
struct QueueSwitch {
    let direction: QueueDirection
    let phase: SwitchPhase
    let condition: ConnectionCondition?

    init(direction: QueueDirection, phase: SwitchPhase, condition: ConnectionCondition?) {
        self.direction = direction
        self.phase = phase
        self.condition = condition
    }

    init(in fields: inout JSONFields) throws(DecodeError) {
        var progress = try fields.object("switchProgress")
        direction = try progress.word("queueDirection", QueueDirection.init(word:))
        phase = try SwitchPhase("switchPhase", from: &progress)
        condition = try progress.optional("connectionStats")
    }

    var json: JSONValue {
        var progress = JSONObject(dictionaryLiteral: ("queueDirection", .string(direction.word)))
            .merging(phase.fields("switchPhase"))
        progress.set("connectionStats", condition)
        return .object(progress)
    }
}

/// How far a ratchet synchronisation is.
struct SynchronizationProgress {
    let state: RatchetSynchronization
    let condition: ConnectionCondition?

    init(state: RatchetSynchronization, condition: ConnectionCondition?) {
        self.state = state
        self.condition = condition
    }

    init(in fields: inout JSONFields) throws(DecodeError) {
        var progress = try fields.object("ratchetSyncProgress")
        state = try progress.word("ratchetSyncStatus", RatchetSynchronization.init(word:))
        condition = try progress.optional("connectionStats")
    }

    var json: JSONValue {
        var progress: JSONObject = ["ratchetSyncStatus": .string(state.word)]
        progress.set("connectionStats", condition)
        return .object(progress)
    }
}

extension ConnectionProblem {
    /// A stable word for scripts.
    public var word: String {
        switch self {
        case .linkUsed: "link-used"
        case .blocked: "blocked"
        case .queueRefused: "queue-refused"
        case .expired: "expired"
        case .invalidAnswer: "invalid-answer"
        case .queueGone: "queue-gone"
        case .badLink: "bad-link"
        case .incompatible: "incompatible"
        }
    }
}
