import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import SMPProtocol
import TerminalKit

/// `tacit channel relays`
enum ChannelRelaysCommand {
    /// How far the chat relays must have come.
    enum Stage: String, CaseIterable, Sendable {
        case queued, active
    }

    static let add = Option<[String]>(
        repeated: "add", "Add the chat relay with this address", .text("ADDRESS"), isCommon: true)
    static let wait = Option<Stage>(
        "wait", "Return when chat relays were asked, or when one serves the channel", .choice(), default: .active)
    static let timeout = Option<Duration>(
        "timeout", "Stop waiting after this time; fetch continues", .duration(), default: .seconds(30),
        variable: "TACIT_TIMEOUT")

    static let leaf: Leaf = .init(
        Command(
            "channel relays", "List or add the chat relays of a channel",
            promise: "the list was printed (with --add: a chat relay serves the channel)", store: .writing,
            positionals: [ChannelCommand.target], options: [add, wait, timeout],
            examples: [
                Example("tacit channel relays +news", "List the chat relays of a channel"),
                Example(
                    "tacit channel relays +news --add 'https://smp.example.com/r#...'",
                    "Add a chat relay; subscribers connect to it"),
            ],
            exits: [64, 65, 67, 68, 69, 75, 79], reports: ChannelRelayReport.forms, topics: ["targets"],
            discussion: """
                Only the owner knows the chat relays of a channel. A chat relay is a member: 'tacit group remove \
                +NAME/@RELAY' removes it.
                """),
        purpose: {
            "\($0[add].isEmpty ? "list" : "add") chat relays of \(UntrustedText($0[ChannelCommand.target].word).quoted)"
        },
        run: { invocation in
            try StoreOpener(invocation, isWriting: !invocation[add].isEmpty).run { try await run($0) }
        })

    private static func run(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        let deadline = ContinuousClock.now + invocation[timeout]
        let group = try await session.group(invocation[ChannelCommand.target])
        guard group.isChannel else { throw Reason(ChatError.channel(.noChannel)) }
        var code = ExitCode.ok
        if !invocation[add].isEmpty {
            let addresses = try invocation[add].map(ShortLink.init(ofChatRelay:))
            let relays = try await session.chatRelays(at: addresses)
            session.progress.start { "adding chat relays" }
            let changed = try await session.execute(
                AddChannelRelays(.id(group.id), relays.compactMap(\.id)), before: deadline)
            guard case .added = changed.outcome else {
                session.progress.stop()
                return changed.failures(during: "add chat relays", invocation)
            }
            code = try await finish(group, deadline, session, addresses: addresses)
            session.progress.stop()
        }
        let relays = try await session.execute(ListChannelRelays(.id(group.id))).relays
        try invocation.print(list: relays.map { ChannelRelayReport(group, $0) })
        return code
    }

    /// Receives until a chat relay serves the channel: one of `addresses`, or any without them.
    static func finish(
        _ group: Group, _ deadline: ContinuousClock.Instant, _ session: CommandSession, addresses: [ShortLink] = []
    ) async throws -> ExitCode {
        let invocation = session.invocation
        guard invocation[wait] == .active else { return .ok }
        while true {
            let report = try await session.execute(
                FetchMessages(timeout: max(.zero, deadline - .now), idle: .milliseconds(200)))
            let relays = try await session.execute(ListChannelRelays(.id(group.id))).relays.filter { relay in
                addresses.isEmpty || addresses.contains { $0.isSame(as: relay.relay.address) }
            }
            if relays.contains(where: { $0.status == .active }) { return .ok }
            if !relays.isEmpty, relays.allSatisfy({ $0.status == .rejected }) {
                return invocation.report(Reason.relayRejected(group.target).failure(during: "use the chat relay"))
            }
            guard report.obstacles.isEmpty else {
                return .worst(
                    of: report.obstacles.map {
                        invocation.report(Reason($0).failure(during: "reach '\($0.server.location)'"))
                    })
            }
            guard ContinuousClock.now < deadline else {
                return invocation.report(Reason.relayUnanswered(group.target).failure(during: "use the chat relay"))
            }
        }
    }
}

extension CommandSession {
    /// The chat relays with these addresses, which are added to those of the profile; those of the profile without addresses.
    func chatRelays(at addresses: [ShortLink]) async throws -> [ChatRelay] {
        let known = try await servers().flatMap(\.relays)
        guard !addresses.isEmpty else { return known.filter(\.isEnabled) }
        let missing = addresses.filter { address in !known.contains { $0.address.isSame(as: address) } }
        if !missing.isEmpty {
            let relays = missing.map {
                ChatRelay($0, RelayProfile(displayName: $0.server.place))
            }
            _ = try await execute(UpdateServers(try await profile().id, [], relays: relays))
        }
        return try await servers().flatMap(\.relays).filter { relay in
            addresses.contains { $0.isSame(as: relay.address) }
        }
    }
}

extension ChannelRelaysChange {
    /// Reports why chat relays cannot be used.
    fileprivate var added: [AddedRelay] {
        switch outcome {
        case .creationFailed(let results), .addingFailed(let results): results
        case .created, .added: []
        }
    }

    /// Reports each chat relay that cannot be used.
    func failures(during purpose: String, _ invocation: Invocation) -> ExitCode {
        .worst(
            of: added.compactMap { result in
                result.error.map {
                    invocation.report(Reason($0).failure(during: "\(purpose) on '\(result.relay.profile.displayName)'"))
                }
            })
    }
}

/// A chat relay of a channel.
struct ChannelRelayReport: Report {
    let group: Group
    let relay: GroupRelay

    init(_ group: Group, _ relay: GroupRelay) {
        self.group = group
        self.relay = relay
    }

    static let forms = [
        ReportForm(
            "channel-relay", "A chat relay of a channel", plain: ["name", "state", "address"],
            [
                .always("chat", .text, "Channel, in the form that commands accept"),
                .always("chat_id", .id, "Id of the channel"), .always("name", .text, "Name of the chat relay"),
                .always(
                    "state", .word(RelayStatus.allCases.map(\.word)),
                    "State of the chat relay; subscribers join through active ones"),
                .always("address", .text, "Address of the chat relay"),
                .sometimes("web", .text, "Domain on which the chat relay shows the channel"),
            ])
    ]
    static let columns = [
        Table.Column("NAME", isFlexible: true), Table.Column("STATE"), Table.Column("ADDRESS", isFlexible: true),
    ]

    var json: JSONObject {
        var json = JSONObject(type: "channel-relay")
        json.set("chat", group.target)
        json.set("chat_id", group.objectID)
        json.set("name", relay.relay.profile.displayName)
        json.set("state", relay.status.word)
        json.set("address", relay.relay.text)
        json.set("web", relay.webDomain)
        return json
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        [
            StyledText(relay.relay.profile.displayName, .name),
            StyledText(relay.status.word, relay.status == .active ? .plain : .warning),
            StyledText(relay.relay.text, .link),
        ]
    }

    func lines(_ style: ReportStyle) -> [StyledText] { [StyledText(relay.relay.profile.displayName, .name)] }
}

extension RelayStatus {
    /// The state as users read it.
    fileprivate var word: String { self == .acknowledgedRoster ? "ready" : rawValue }
}
