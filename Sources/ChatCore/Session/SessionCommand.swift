public import AgentProtocol
import ByteCoding
import JSONCoding

/// A command about what a session remembers in the store. The official core has none of them.
public enum SessionCommand: Hashable, Sendable {
    /// `/_session show place`
    case showValue(SessionKey)
    /// `/_session set place "..."`, `/_session remove place`
    case setValue(SessionKey, String?)
    /// `/_draft @1`
    case showDraft(ChatTarget)
    /// `/_draft @1 json {"text":"...","answers":7}`, `/_draft @1 off`. An empty draft is none.
    case setDraft(ChatTarget, Draft?)
    /// `/_line "..."`: a command that was typed.
    case addLine(String)
    /// `/_lines count=20`: the last that were typed, oldest first.
    case listLines(count: Int)
    /// `/_unread 1`, `/unread`: the conversations with unread entries, and how many are unread elsewhere.
    case countUnread(ProfileID?)
    /// `/_home 1 @4`, `/_home 1 off`: what a profile shows at first, one conversation or the list of all.
    case setHome(ProfileID?, ContactID?)
    /// `/_onboarding`, `/_onboarding complete`: how far the first steps have come; with a word, that they have come there,
    /// as far as what is before it is done.
    case onboarding(OnboardingStage?)

    /// Whether a core that was opened for reading can carry it out.
    var isReading: Bool {
        switch self {
        case .showValue, .showDraft, .listLines, .countUnread, .onboarding(nil): true
        case .setValue, .setDraft, .addLine, .setHome, .onboarding: false
        }
    }
}

/// A text that sessions keep. What is in it is theirs.
public enum SessionKey: String, CaseIterable, Hashable, Sendable {
    /// Where the last session was.
    case place
    /// What the gate knows.
    case gate
    /// How new messages arrive.
    case notifyMode = "notify-mode"
    /// The version of the program whose news were shown.
    case seenVersion = "seen-version"
}

/// What was typed and not sent.
public struct Draft: Hashable, Sendable {
    public let text: String
    /// The entry that it answers.
    public let answers: ChatItemID?

    public init(text: String, answers: ChatItemID? = nil) {
        self.text = text
        self.answers = answers
    }
}

/// The answer to a ``SessionCommand``.
public enum SessionResponse: Hashable, Sendable {
    case value(SessionKey, String?)
    case draft(Contact, Draft?)
    case lines([String])
    case unread(UnreadReport)
    case home(OwnProfile)
    case onboarding(OnboardingStage)
}

// MARK: - Text

extension SessionCommand {
    /// The text of the command.
    var text: String {
        switch self {
        case .showValue(let key): "/_session show \(key.rawValue)"
        case .setValue(let key, nil): "/_session remove \(key.rawValue)"
        case .setValue(let key, let value?): "/_session set \(key.rawValue) \(JSONValue.string(value).line)"
        case .showDraft(let chat): "/_draft \(chat.text)"
        case .setDraft(let chat, nil): "/_draft \(chat.text) off"
        case .setDraft(let chat, let draft?): "/_draft \(chat.text) json \(draft.json.line)"
        case .addLine(let line): "/_line \(JSONValue.string(line).line)"
        case .listLines(let count): "/_lines count=\(count)"
        case .countUnread(let id): CoreCommand.named("unread", id)
        case .setHome(let id, let contact):
            CoreCommand.named("home", id) + (contact.map { " @\($0.number)" } ?? " off")
        case .onboarding(let stage): "/_onboarding\(stage.map { " \($0.rawValue)" } ?? "")"
        }
    }

    /// The first words of these commands.
    static let words: Set<String> = [
        "/_session", "/_draft", "/_line", "/_lines", "/_unread", "/unread", "/_home", "/home", "/_onboarding",
    ]

    /// Reads what stands behind the first word of one of these commands.
    init(_ word: String, from reader: inout CommandReader) throws(DecodeError) {
        switch word {
        case "/_session": self = try SessionCommand.value(from: &reader)
        case "/_draft": self = try SessionCommand.draft(from: &reader)
        case "/_line": self = .addLine(try SessionCommand.string(from: &reader))
        case "/_lines":
            guard let count = try reader.count() else { throw .invalid("count") }
            self = .listLines(count: count)
        case "/_unread": self = .countUnread(try reader.profileID())
        case "/unread": self = .countUnread(nil)
        case "/_home": self = .setHome(try reader.profileID(), try SessionCommand.home(from: &reader))
        case "/home": self = .setHome(nil, try SessionCommand.home(from: &reader))
        default: self = .onboarding(try SessionCommand.stage(from: &reader))
        }
    }

    private static func value(from reader: inout CommandReader) throws(DecodeError) -> SessionCommand {
        let verb = reader.word()
        guard let key = SessionKey(rawValue: reader.word()) else { throw .invalid("key") }
        switch verb {
        case "show": return .showValue(key)
        case "remove": return .setValue(key, nil)
        case "set": return .setValue(key, try string(from: &reader))
        default: throw .invalid("command")
        }
    }

    private static func draft(from reader: inout CommandReader) throws(DecodeError) -> SessionCommand {
        let chat = try reader.target()
        if reader.isAtEnd { return .showDraft(chat) }
        switch reader.word() {
        case "off": return .setDraft(chat, nil)
        case "json": return .setDraft(chat, try Draft(decoding: Bytes(reader.rest().utf8)))
        default: throw .invalid("draft")
        }
    }

    private static func home(from reader: inout CommandReader) throws(DecodeError) -> ContactID? {
        let word = reader.word()
        if word == "off" { return nil }
        guard word.first == "@", let number = Int64(word.dropFirst()) else { throw .invalid("home") }
        return ContactID(number)
    }

    private static func stage(from reader: inout CommandReader) throws(DecodeError) -> OnboardingStage? {
        if reader.isAtEnd { return nil }
        guard let stage = OnboardingStage(rawValue: reader.word()) else { throw .invalid("stage") }
        return stage
    }

    private static func string(from reader: inout CommandReader) throws(DecodeError) -> String {
        guard let text = try JSONValue(decoding: Bytes(reader.rest().utf8)).string else { throw .invalid("text") }
        return text
    }
}
