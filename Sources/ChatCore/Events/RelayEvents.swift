public import AgentProtocol
public import ByteCoding
public import JSONCoding
public import SMPProtocol

/// Connections that receive from a relay, or no longer.
public struct SubscriptionStatusEvent: ChatEvent {
    public static let type = "subscriptionStatus"

    public let server: ServerAddress
    public let connections: [ConnectionID]
    public let isActive: Bool

    public var fields: JSONObject {
        [
            "server": .string(server.description),
            "subscriptionStatus": .object(["type": isActive ? "active" : "noSub"]),
            "connections": .array(connections.map { .string("\($0.number)") }),
        ]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        var status = try fields.object("subscriptionStatus")
        return Self(
            server: try fields.word("server", ServerAddress.init(text:)),
            connections: try fields.elements("connections").map { value throws(DecodeError) in
                guard let number = value.string.flatMap({ Int64($0) }) else { throw .invalid("connections") }
                return ConnectionID(number)
            },
            isActive: try status.word("type") { ["active": true, "noSub": false][$0] })
    }

    public var owner: OwnProfile? { nil }
    public var trace: EventText {
        "\(connections.count) queues at \(server): \(word: isActive ? "subscribed" : "not subscribed")"
    }
}

/// A session with a relay that was opened.
public struct HostConnectedEvent: ChatEvent {
    public static let type = "hostConnected"
    public static let slugs = ["relay.reachable"]

    public let server: ServerAddress
    /// True if the relay was unreachable before.
    public let isAgain: Bool

    public var fields: JSONObject {
        // The official core names the host alone.
        var fields: JSONObject = [
            "protocol": "smp", "transportHost": .string(server.location), "server": .string(server.description),
        ]
        if isAgain { fields["again"] = true }
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            server: try fields.word("server", ServerAddress.init(text:)),
            isAgain: try fields.optionalBool("again") ?? false)
    }

    public var owner: OwnProfile? { nil }
    public var notice: EventNotice? {
        isAgain ? EventNotice("relay.reachable", server, nil, "is reachable again") : nil
    }
    public var trace: EventText { "connected to \(server)" }
    public var effect: SessionEffect? { .relayReached(server) }
}

/// A session with a relay that ended, or could not be opened.
public struct HostDisconnectedEvent: ChatEvent {
    public static let type = "hostDisconnected"

    public static let slugs = ["relay.unreachable"]

    public let server: ServerAddress
    public let problem: RelayProblem
    /// True if the relay became unreachable by this: no session could be opened, and none failed to open before.
    public let isFirst: Bool

    public var fields: JSONObject {
        var fields: JSONObject = [
            "protocol": "smp", "transportHost": .string(server.location), "agentError": problem.json(server),
            // The official core names the host alone.
            "server": .string(server.description),
        ]
        if isFirst { fields["first"] = true }
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        var error = try fields.object("agentError")
        return Self(
            server: try fields.word("server", ServerAddress.init(text:)), problem: try RelayProblem(from: &error),
            isFirst: try fields.optionalBool("first") ?? false)
    }

    public var owner: OwnProfile? { nil }
    public var notice: EventNotice? {
        isFirst ? EventNotice("relay.unreachable", server, problem, "is unreachable") : nil
    }
    public var trace: EventText { "no connection to \(server)" }
    /// Nothing for a user who wants no connections.
    public var effect: SessionEffect? { problem == .offline ? nil : .relayLost(server, problem) }
}

/// A copy of the store that is in use: another process receives with the same keys.
public struct SubscriptionEndedEvent: ProfileEvent {
    public static let type = "subscriptionEnded"
    public static let slugs = ["contact.subscription-ended"]

    public let profile: OwnProfile
    public let contact: Contact?

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("contact", contact)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), contact: try fields.optional("contact"))
    }

    public var chat: Chat? { contact.map { .direct($0) } }
    public var hooks: [HookTrigger] { [HookTrigger(.onError)] }
    public var notice: EventNotice? {
        EventNotice(
            "contact.subscription-ended", contact,
            contact == nil ? "a copy of this store subscribed a connection" : "is subscribed by a copy of this store")
    }
    public var trace: EventText { "another process is subscribed to \(contact)" }
}

/// A relay that does not let a connection receive.
public struct SubscriptionRefusedEvent: ProfileEvent {
    public static let type = "subscriptionRefused"
    public static let slugs = ["contact.subscription-refused"]

    public let profile: OwnProfile
    public let contact: Contact?
    public let problem: RelayProblem

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("contact", contact)
        fields["agentError"] = problem.json(nil)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        var error = try fields.object("agentError")
        return Self(
            profile: try fields.required("user"), contact: try fields.optional("contact"),
            problem: try RelayProblem(from: &error))
    }

    public var chat: Chat? { contact.map { .direct($0) } }
    public var hooks: [HookTrigger] { [HookTrigger(.onError)] }
    public var notice: EventNotice? {
        EventNotice(
            "contact.subscription-refused", contact,
            contact == nil
                ? "the relay rejected the subscription to a connection"
                : "has no subscription: the relay rejected it")
    }
    public var trace: EventText { "the relay rejected the subscription to \(contact)" }
}
