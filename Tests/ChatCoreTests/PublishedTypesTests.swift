import ByteCoding
import ChatProtocol
import JSONCoding
import SystemIO
import TestSupport
import Testing

@testable import ChatCore

/// The API as the official core has it: its published types, and what was recorded of it.
///
/// Every response and event of every test with a `TestStore` is compared with these types too.
@Suite struct PublishedTypesTests {
    /// The recorded cases: a command with its answer, or an event.
    private static func recorded() throws -> [JSONObject] {
        let path = VectorFile.repositoryPath("Tests/Vectors/api-shapes-7.json")
        let file = try JSONValue(decoding: Files.read(path, limit: 1 << 22))
        return file.object?["cases"]?.array?.compactMap(\.object) ?? []
    }

    private static func message(_ recorded: JSONObject) -> JSONObject? {
        (recorded["response"] ?? recorded["event"])?.object
    }

    @Test func profiles_of_contacts_cannot_break_the_types() throws {
        let odd: JSONObject = [
            "voice": .object(["allow": "perhaps"]), "calls": "odd",
            "timedMessages": .object(["allow": "yes", "ttl": "x"]),
            "files": .object(["allow": "no"]), "later": 1,
            "commands": .array([
                1, .object(["type": "command", "label": "a"]),
                .object(["type": "command", "label": "a", "keyword": "b", "params": 3]),
                .object(["type": "menu", "label": "m", "commands": .array([.object(["type": "menu"])])]),
            ]),
        ]
        for preferences: JSONValue in [.object(odd), .array([]), "odd"] {
            let profile = Profile(
                displayName: "mallory", preferences: preferences, peerType: PeerType(rawValue: "robot"))
            let json = JSONValue.object(profile.localFields(id: 1))
            #expect(PublishedTypes.official.problem(with: json, as: "LocalProfile") == nil)
        }
        let kept = Profile(displayName: "mallory", preferences: .object(odd)).localFields(id: 1)["preferences"]?.object
        #expect(kept?.names.sorted() == ["commands", "files", "later", "timedMessages"])
        #expect(kept?["commands"]?.array?.count == 2)
    }

    @Test func recorded_answers_and_events_are_of_the_published_types() throws {
        let messages = try Self.recorded().compactMap(Self.message)
        #expect(messages.count == 504)
        for message in messages {
            #expect(PublishedTypes.official.problem(with: message) == nil)
        }
    }

    @Test func a_missing_field_or_a_wrong_kind_is_found() throws {
        var message = try #require(
            try Self.recorded().compactMap(Self.message).first { $0["type"] == "newChatItems" })
        message["user"] = .object(["userId": 1])
        #expect(PublishedTypes.official.problem(with: message) == "newChatItems.user.activeOrder is missing")
        message["user"] = nil
        #expect(PublishedTypes.official.problem(with: message) == "newChatItems.user is missing")
        let types = PublishedTypes.official
        #expect(
            types.problem(with: .object(["type": "blocked", "deletedTs": 7]), as: "CIDeleted")
                == "CIDeleted.deletedTs is no time")
        #expect(
            types.problem(with: .object(["type": "never"]), as: "CIDeleted")
                == #"CIDeleted is no CIDeleted: {"type":"never"}"#)
        #expect(
            types.problem(with: "sometimes", as: "FeatureAllowed")
                == #"FeatureAllowed is no FeatureAllowed: "sometimes""#)
        #expect(types.problem(with: "always", as: "FeatureAllowed") == nil)
    }

    /// Each recorded command is understood, unless it is of a part that this program does not have.
    @Test func recorded_commands_are_understood() throws {
        var understood = 0
        for text in try Self.recorded().compactMap({ $0["command"]?.string }) {
            let isForeign = Self.foreignCommands.contains { $0.words.contains { text.hasPrefix($0) } }
            guard !isForeign, !text.contains("as_group=on"), !text.contains(" direct=off ") else { continue }
            understood += 1
            #expect(throws: Never.self, "\(text)") { try ChatCommands.parse(text) }
        }
        #expect(understood > 200)
    }

    /// The first words of the recorded commands that this program does not have, with the reasons. Besides these,
    /// `as_group=on` and `direct=off` belong to channels.
    private static let foreignCommands: [(reason: String, words: [String])] = [
        ("channels that were left", ["/_relay allow"]),
        (
            "remote devices",
            [
                "/connect remote", "/delete remote", "/find remote", "/get remote", "/list remote",
                "/remote_hosts_folder", "/set device name", "/start remote", "/stop remote", "/store remote",
                "/verify remote", "/confirm remote",
            ]
        ),
        ("refused by 7.0 too", ["/_network_statuses"]),
    ]

    /// Each recorded event has a type that this program gives too, or one that it lacks for a reason.
    @Test func recorded_events_are_given_or_lacking_for_a_reason() throws {
        let events = Set(ChatEvents.all.map { $0.type })
        let recorded = Set(try Self.recorded().filter { $0["event"] != nil }.compactMap { $0["type"]?.string })
        #expect(recorded.subtracting(events) == Set(Self.foreignEvents.keys))
    }

    /// The types of the recorded events that this program does not give, with the reasons.
    private static let foreignEvents = [
        "agentConnsDeleted": "the agent deletes connections by itself",
        "agentRcvQueuesDeleted": "the agent deletes queues by itself",
        "chatItemNotChanged": "an event that changes nothing is not told",
        "connectionsDiff": "connections are compared when a client asks",
        "newRemoteHost": "remote devices", "remoteCtrlSessionCode": "remote devices",
        "remoteCtrlStopped": "remote devices", "remoteHostConnected": "remote devices",
        "remoteHostSessionCode": "remote devices", "remoteHostStopped": "remote devices",
        "serviceSubStatus": "service certificates", "terminalEvent": "the terminal program",
        "unknownMemberAnnounced": "channels", "unknownMemberCreated": "channels",
    ]
}
