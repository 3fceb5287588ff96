import ByteCoding
import JSONCoding

/// Tells the other side of a call further ways to reach this one. (`/_call extra @1 {"rtcIceCandidates":"..."}`)
public struct AddCandidates: ChatCommand {
    public var chat: ChatTarget
    /// Network candidates, which browsers make.
    public var candidates: String

    public init(_ chat: ChatTarget, _ candidates: String) {
        self.chat = chat
        self.candidates = candidates
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_call extra", .chat(\.chat), .candidates(\.candidates), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CallChange {
        try core.calls.addCandidates(chat, candidates)
    }
}

extension Argument where Value == String {
    fileprivate static func candidates(_ value: @escaping @Sendable (Command) -> String) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                var fields = try JSONFields(decoding: Bytes(reader.rest().utf8))
                return try fields.text("rtcIceCandidates")
            }, write: { JSONValue.object(["rtcIceCandidates": .string(value($0))]).line })
    }
}
