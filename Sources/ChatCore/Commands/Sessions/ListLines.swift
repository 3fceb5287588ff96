public import ByteCoding
public import JSONCoding

/// Lists the last commands that were typed, oldest first. (`/_lines count=20`)
public struct ListLines: ChatCommand {
    public var count: Int

    public init(count: Int) {
        self.count = count
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_lines", number, make: Self.init))

    private static let number = Argument<Self, Int>(
        read: { reader throws(DecodeError) in
            guard let count = try reader.count() else { throw .invalid("count") }
            return count
        }, write: { "count=\($0.count)" })

    public func perform(on core: isolated LocalCore) async throws -> SessionLines {
        SessionLines(try core.store.lines(count: count))
    }
}

/// Commands that were typed in sessions, oldest first.
public struct SessionLines: SimpleResponse {
    public let lines: [String]

    public static let type = "sessionLines"

    init(_ lines: [String]) {
        self.lines = lines
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        lines = try fields.elements("lines").map { line throws(DecodeError) in
            guard let text = line.string else { throw .invalid("lines") }
            return text
        }
    }

    public var fields: JSONObject { ["lines": .array(lines.map { .string($0) })] }
}
