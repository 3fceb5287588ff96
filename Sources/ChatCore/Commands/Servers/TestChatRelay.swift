public import AgentProtocol
public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// Tests a chat relay: whether its address shows a relay, and whether it answers with the key of the address.
/// (`/_relay test 1 https://.../r#...`, `/relay test https://.../r#...`)
public struct TestChatRelay: ChatCommand {
    public var profile: ProfileID?
    /// A short link, which may be of another kind.
    public var address: ShortLink

    public init(_ profile: ProfileID?, _ address: ShortLink) {
        self.profile = profile
        self.address = address
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.numbered("/_relay test", named: "/relay test", \.profile, .address(\.address), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ChatRelayTestResult {
        let profile = try core.lookup.profile(profile)
        let result = try await core.exchange.receiving { try await core.relayTests.run(address, for: profile) }
        return ChatRelayTestResult(profile, result.profile, result.failure)
    }
}

extension Argument where Command == TestChatRelay, Value == ShortLink {
    /// `https://.../r#...`
    fileprivate static func address(_ value: @escaping @Sendable (Command) -> ShortLink) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                let link = try ShortLink(text: reader.rest())
                guard link.kind != .invitation else { throw .invalid("relay address") }
                return link
            }, write: { value($0).description })
    }
}

/// The result of a test of a chat relay.
public struct ChatRelayTestResult: SimpleResponse {
    public let profile: OwnProfile
    /// What the address shows; nil if it could not be read.
    public let relay: RelayProfile?
    /// Nil for a relay that can be used.
    public let failure: ChatRelayTestFailure?

    public static let type = "chatRelayTestResult"

    init(_ profile: OwnProfile, _ relay: RelayProfile?, _ failure: ChatRelayTestFailure?) {
        self.profile = profile
        self.relay = relay
        self.failure = failure
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("relayProfile", relay)
        fields.set("relayTestFailure", failure)
        return fields
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            try fields.required("user"), try fields.optional("relayProfile"), try fields.optional("relayTestFailure"))
    }
}
