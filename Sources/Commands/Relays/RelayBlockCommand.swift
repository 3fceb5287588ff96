import AgentProtocol
import ByteCoding
import CommandKit
import JSONCoding
import Relay
import SMPProtocol
import TerminalKit

/// `tacit relay block` and `tacit relay unblock`
enum RelayBlockCommand {
    static let target = Positional<String>(
        "QUEUE", "Link, or id of a queue, link or file chunk in base64url", .text("QUEUE|LINK"))
    static let reason = Option<Blocking.Reason>(
        "reason", "Reason that clients are told", .choice(), default: .spam, isCommon: true)
    static let notice = Option<Duration?>(
        "notice", "Ask apps to create no queues on this relay for this time", .duration(), defaultText: "no notice",
        isCommon: true)

    static let block: Leaf = .init(
        Command(
            "relay block", "Block a queue, a link or a file chunk", promise: "the block is on disk", store: .none,
            positionals: [RelayCommand.folder, target], options: [reason, notice],
            examples: [
                Example(
                    "tacit relay block /srv/relay PP2bfpmUI6hNpnGUHgKiEFx6mXCFdE1i --reason content",
                    "Block a queue, a link or a file chunk by its id"),
                Example(
                    "tacit relay block /srv/relay PP2bfpmUI6hNpnGUHgKiEFx6mXCFdE1i --notice 30d",
                    "Block a queue and ask the apps of its owner to use other relays for 30 days"),
            ],
            exits: [64, 66, 67, 71, 74, 78], reports: RelayBlockReport.forms,
            discussion: """
                Clients can neither send to a blocked queue nor receive from it nor read its link; its owner can only delete it. \
                They get the reason. A blocked file chunk cannot be downloaded, changed or deleted. Nothing is deleted: 'tacit relay \
                unblock' ends the block.

                With --notice, the apps of the owner are asked to create no queues on this relay for that time, and to show \
                why.

                A running relay applies the block within seconds. The blocks are in relay.blocked in the folder of the relay. \
                Each link, queue id of a sender and queue id of a recipient names the same queue.
                """),
        purpose: { "block a queue of the relay in \(UntrustedText($0[RelayCommand.folder]).quoted)" }
    ) { invocation in
        let seconds = invocation[notice].map { $0.components.seconds }
        let blocking = Blocking(
            reason: invocation[reason], notice: seconds.map { Blocking.Notice(seconds: $0) })
        let id = try id(invocation)
        guard try RelayFolder.contains(id, in: invocation[RelayCommand.folder]) else { throw Reason.unknownRelayQueue }
        let isNew = try RelayFolder.changeBlocked(in: invocation[RelayCommand.folder]) { blocked in
            defer { blocked[id] = blocking }
            return blocked[id] != blocking
        }
        try invocation.print(done: RelayBlockReport(id: id, blocking: blocking, state: isNew ? "blocked" : "unchanged"))
        return .ok
    }

    static let unblock: Leaf = .init(
        Command(
            "relay unblock", "End the block of a queue, a link or a file chunk",
            promise: "the end of the block is on disk", store: .none, positionals: [RelayCommand.folder, target],
            examples: [
                Example("tacit relay unblock /srv/relay PP2bfpmUI6hNpnGUHgKiEFx6mXCFdE1i", "End the block of a queue")
            ],
            exits: [64, 66, 67, 71, 74, 78], reports: RelayBlockReport.forms,
            discussion: """
                Takes the link or the id with which 'tacit relay block' was used. A running relay applies the change within \
                seconds.
                """),
        purpose: { "unblock a queue of the relay in \(UntrustedText($0[RelayCommand.folder]).quoted)" }
    ) { invocation in
        let id = try id(invocation)
        let former = try RelayFolder.changeBlocked(in: invocation[RelayCommand.folder]) { blocked in
            defer { blocked[id] = nil }
            return blocked[id]
        }
        guard let former else { throw Reason.notBlockedQueue }
        try invocation.print(done: RelayBlockReport(id: id, blocking: former, state: "unblocked"))
        return .ok
    }

    /// The id that a link or a text contains.
    private static func id(_ invocation: Invocation) throws -> EntityID {
        let text = invocation[target]
        if let link = try? ConnectionLink(text: text) { return link.id }
        if let queue = try? QueueAddress(text: text) { return queue.location.senderID }
        guard let bytes = try? Base64URL.decode(text), (1...Int(UInt8.max)).contains(bytes.count) else {
            throw Reason.invalidRelayQueue
        }
        return EntityID(bytes)
    }
}

/// A blocked or unblocked queue.
private struct RelayBlockReport: Report {
    let id: EntityID
    let blocking: Blocking
    let state: String

    static let forms = [
        ReportForm(
            "relay-block", "A block of a queue, a link or a file chunk", plain: ["state", "id", "reason"],
            [
                .always("state", .word(["blocked", "unchanged", "unblocked"]), "Result of the command"),
                .always("id", .text, "Id of the queue, link or chunk in base64url"),
                .always("reason", .word(Blocking.Reason.allCases.map(\.rawValue)), "Reason that clients are told"),
                .sometimes("notice", .duration, "Time for which apps are asked to create no queues here"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "relay-block")
        json.set("state", state)
        json.set("id", Base64URL.encode(id.bytes))
        json.set("reason", blocking.reason.rawValue)
        json.set("notice", blocking.notice?.seconds.map { $0.multipliedReportingOverflow(by: 1000).partialValue })
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText("\(state) \(Base64URL.encode(id.bytes)) (\(blocking.reason.rawValue))")]
    }
}
