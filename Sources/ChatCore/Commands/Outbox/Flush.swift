public import ByteCoding
public import JSONCoding

/// Tries once to send each queued message of all profiles, without receiving. With a mark it sends what was queued after it.
/// (`/_flush timeout=30`, `/_flush after=12,3 timeout=30`)
public struct Flush: ChatCommand {
    public var mark: OutboxMark?
    public var timeout: Duration

    public init(after mark: OutboxMark? = nil, timeout: Duration) {
        self.mark = mark
        self.timeout = timeout
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_flush", .outboxMark(\.mark), .duration("timeout", \.timeout, byDefault: .seconds(30)),
            make: { Self(after: $0, timeout: $1) }))

    public func perform(on core: isolated LocalCore) async throws -> FetchReport {
        guard let mark else { return try await core.exchange.flush(timeout: timeout) }
        return try await core.exchange.flush(after: mark, timeout: timeout)
    }
}

/// Marks the newest entries of the outbox, so that ``Flush`` sends later ones only. (`/_outbox mark`)
public struct MarkOutbox: ChatCommand {
    public init() {}

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_outbox mark", make: { Self() }))

    public func perform(on core: isolated LocalCore) async throws -> OutboxMark {
        try core.exchange.outboxMark()
    }
}

/// The newest entries of the outbox at a moment.
public struct OutboxMark: SimpleResponse {
    /// The id of the newest task of the agent.
    let task: Int64
    /// The id of the newest file.
    let file: Int64

    public static let type = "outboxMark"

    public var fields: JSONObject { ["task": .integer(task), "file": .integer(file)] }

    package init(task: Int64, file: Int64) {
        self.task = task
        self.file = file
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(task: try fields.integer("task"), file: try fields.integer("file"))
    }
}

extension Argument where Value == OutboxMark? {
    /// `after=12,3`, or nothing.
    fileprivate static func outboxMark(_ value: @escaping @Sendable (Command) -> OutboxMark?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.skipExactly("after=") else { return nil }
                let task = try reader.integer(Int64.self)
                guard reader.skipExactly(",") else { throw .invalid("after") }
                return OutboxMark(task: task, file: try reader.integer())
            }, write: { command in value(command).map { "after=\($0.task),\($0.file)" } ?? "" })
    }
}
