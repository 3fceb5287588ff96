import ChatCore
import CommandKit
import Host
import JSONCoding
import TerminalKit

/// `tacit channel-relay status`
enum ChannelRelayStatusCommand {
    static let leaf: Leaf = .init(
        Command(
            "channel-relay status", "Show state, address, channels and waiting messages",
            promise: "the status was printed", store: .none, positionals: [ChannelRelayCommand.folder],
            options: [StatusCommand.check],
            examples: [
                Example("tacit channel-relay status /srv/relay", "Show the status"),
                Example(
                    "tacit channel-relay status /srv/relay --json | jq .subscribers", "Print the number of subscribers"),
                Example(
                    "tacit channel-relay status /srv/relay --check || mail -s channels ops", "Send an alert from cron"),
            ],
            exits: [1, 65, 66, 67, 69, 71, 74, 75, 77, 78], reports: ChatRelayStatusReport.forms,
            discussion: """
                Reads the files of the chat relay without contacting the process. 'tacit relay status' shows the message relay \
                in the same folder.

                With --check the exit code is 1 if there is a problem: stopped (no process serves the chat relay), or address \
                (it has no address yet).
                """),
        purpose: { "show the status of the chat relay in \(UntrustedText($0[ChannelRelayCommand.folder]).quoted)" },
        run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let folder = invocation[ChannelRelayCommand.folder], moved = invocation.moved(to: folder)
        let settings = try ChannelRelaySettings(in: folder), store = try moved.storeFolder()
        let state = try StoreOpener(moved, isWriting: false).run { session in
            guard let core = session.host.local else { throw Reason.noChannelRelayProfile }
            return try await core.chatRelayState()
        }
        let report = ChatRelayStatusReport(
            state: state, holder: StoreLock.holder(of: store), channelLimit: settings.channelLimit)
        try invocation.print(report)
        return invocation[StatusCommand.check] && !report.problems.isEmpty ? .no : .ok
    }
}

/// What a chat relay is and has to do.
private struct ChatRelayStatusReport: Report {
    let state: ChatRelayState
    let holder: StoreLock.Holder?
    let channelLimit: Int

    /// A problem that affects the service.
    enum Problem: String, CaseIterable {
        case stopped, address
    }

    var problems: [Problem] {
        (holder == nil ? [.stopped] : []) + (state.address == nil ? [.address] : [])
    }

    static let forms = [
        ReportForm(
            "chat-relay-status", "Status of a chat relay",
            plain: ["state", "channels", "subscribers", "deliveries", "address"],
            [
                .always("state", .word(["running", "stopped"]), "State of the chat relay"),
                .sometimes("pid", .count, "Process id"),
                .sometimes("address", .text, "Address for owners of channels"),
                .always("channels", .count, "Number of served channels"),
                .always("channel_limit", .count, "Value of the setting channel_limit"),
                .always("subscribers", .count, "Number of members of all channels without owners and relays"),
                .always("requests", .count, "Number of owners whose channels are about to be served"),
                .always(
                    "deliveries", .count, "Number of messages that wait for recipients, one for each recipient"),
                .always(
                    "served",
                    .objects([
                        .always("name", .text, "Name of the channel in the store"),
                        .always("number", .count, "Number of the channel in the store, as in the log"),
                        .always("subscribers", .count, "Number of members without owners and relays"),
                        .always("deliveries", .count, "Number of messages that wait for recipients"),
                    ]), "Served channels"),
                .always(
                    "problems", .texts,
                    "Reasons for --check to fail: \(Problem.allCases.map(\.rawValue).joined(separator: ", "))"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "chat-relay-status")
        json.set("state", holder == nil ? "stopped" : "running")
        json.set("pid", holder?.pid.map { Int($0) })
        json.set("address", state.address)
        json.set("channels", state.servedChannels)
        json.set("channel_limit", channelLimit)
        json.set("subscribers", state.subscribers)
        json.set("requests", state.requests)
        json.set("deliveries", state.deliveries)
        json["served"] = .array(
            state.channels.filter(\.isServed).map { channel in
                var served = JSONObject()
                served.set("name", channel.group.name)
                served.set("number", Int(channel.group.id.number))
                served.set("subscribers", channel.subscribers)
                served.set("deliveries", channel.deliveries)
                return .object(served)
            })
        json["problems"] = .array(problems.map { .string($0.rawValue) })
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        var head = Table([Table.Column(""), Table.Column("", isFlexible: true)])
        func say(_ name: String, _ value: StyledText) { head.add([StyledText(name, .muted), value]) }
        let process = holder?.pid.map { ", pid \($0)" } ?? ""
        say("chat relay", holder == nil ? StyledText("stopped", .warning) : StyledText("running\(process)"))
        say("address", state.address.map { StyledText($0) } ?? StyledText("not made yet", .warning))
        say("channels", StyledText("\(state.servedChannels) of at most \(channelLimit)"))
        say("subscribers", StyledText("\(state.subscribers)"))
        say("waiting", StyledText("\(state.deliveries) messages for recipients, \(state.requests) requests of owners"))
        var channels = Table([
            Table.Column("CHANNEL", isFlexible: true), Table.Column("SUBSCRIBERS", .right),
            Table.Column("WAITING", .right),
        ])
        let served = state.channels.filter(\.isServed)
        for channel in served {
            channels.add([
                StyledText(channel.group.name, .name), StyledText("\(channel.subscribers)"),
                StyledText("\(channel.deliveries)"),
            ])
        }
        return head.lines(width: style.width, withTitles: false)
            + (served.isEmpty ? [] : [StyledText("")] + channels.lines(width: style.width))
    }
}
