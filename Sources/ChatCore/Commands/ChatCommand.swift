public import ByteCoding
public import JSONCoding

/// Something that a face asks of a ``Core``: a value, its text form and the type of its answer.
///
/// Each command is one file: its values, its ``ChatCommand/Response``, its ``ChatCommand/access``, its ``ChatCommand/syntax`` and what it
/// does. The text is the boundary to other programs. Commands that begin with `/_` name things by number; the others are for
/// people and name them by name. Where the official core has a command for the same thing, text and answer are as there.
public protocol ChatCommand: Hashable, Sendable {
    associatedtype Response: ChatResponse

    /// What carrying it out takes.
    static var access: Access { get }

    /// The text in both directions.
    static var syntax: Syntax<Self> { get }

    /// What it has changed, for the sessions that did not do it themselves; nil for what was only read, and for what the core
    /// tells by itself.
    func effect(of response: Response) -> SessionEffect?

    /// The texts that it would send to others, each of which the hook `pre-send` may object to; none by default.
    func utterances(on core: isolated LocalCore) async throws -> [Utterance]

    /// Carries it out. Of a command that writes it is known that the core may. (Every implementation is `async`: Swift 6.3 crashes
    /// on a synchronous one.)
    func perform(on core: isolated LocalCore) async throws -> Response
}

extension ChatCommand {
    public func effect(of response: Response) -> SessionEffect? { nil }

    public func utterances(on core: isolated LocalCore) async throws -> [Utterance] { [] }

    /// The text of the command, which ``ChatCommands/parse(_:)`` reads.
    public var text: String { Self.syntax.text(of: self) }
}

/// What carrying out a command takes.
public enum Access: Hashable, Sendable {
    /// A snapshot of the store.
    case read
    /// The right to write to the store.
    case write
    /// A snapshot of the store, and relays.
    case network
}

/// The answer to a command: values, and the JSON of the API in both directions.
public protocol ChatResponse: Hashable, Sendable {
    /// The word for it in JSON. What only this program has has a word of its own.
    var type: String { get }

    /// The fields besides the type.
    var fields: JSONObject { get }

    /// Reads what ``json`` wrote.
    init(type: String, from fields: inout JSONFields) throws(DecodeError)
}

extension ChatResponse {
    /// The answer as the API has it.
    public var json: JSONObject {
        let tag: JSONObject = ["type": .string(type)]
        return tag.merging(fields)
    }

    public init(json: JSONObject) throws(DecodeError) {
        var fields = JSONFields(json)
        let type = try fields.text("type")
        try self.init(type: type, from: &fields)
    }
}

/// An answer that has one type.
public protocol SimpleResponse: ChatResponse, JSONObjectCodable {
    /// The word for it in JSON.
    static var type: String { get }
}

extension SimpleResponse {
    public var type: String { Self.type }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        guard type == Self.type else { throw .invalid("type") }
        try self.init(from: &fields)
    }
}
