import ChatCore
import CommandKit
import JSONCoding
import SMPProtocol
import TerminalKit

/// `tacit net status`
enum NetStatusCommand {
    static let leaf: Leaf = .init(
        Command(
            "net status", "Show the network settings and relays", promise: "the settings were printed", store: .reading,
            examples: [Example("tacit net status", "Show proxy, onion hosts, private routing and relays")],
            reports: NetStatusReport.forms, topics: ["environment"],
            discussion: "This command makes no connections; tacit net test does."),
        purpose: { _ in "show the network settings" },
        body: { session in
            let settings = try NetworkVariables.settings(session.invocation).texts
            let groups = try await session.servers()
            let used = groups.flatMap { group in group.servers.filter(group.uses) }.map(\.address.place)
            try session.invocation.print(NetStatusReport(settings: settings, relays: used))
            return .ok
        })
}

/// How relays are reached.
struct NetStatusReport: Report {
    let settings: [NetworkSettings.Setting: String]
    let relays: [String]

    static let forms = [
        ReportForm(
            "net-status", "Network settings",
            plain: ["proxy", "require_proxy", "onion", "private_routing", "relays"],
            [
                .sometimes("proxy", .text, "SOCKS proxy for connections, without its password"),
                .always("require_proxy", .flag, "True if connections without a proxy are refused"),
                .always("onion", .text, "Use of relays' onion hosts"),
                .always("private_routing", .text, "Use of private message routing through your own relay"),
                .always(
                    "private_routing_fallback", .text, "Fallback to direct sending if private routing is impossible"),
                .always("relays", .texts, "Relays for new queues"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "net-status")
        json.set("proxy", settings[.proxy])
        json.set("require_proxy", settings[.requiresProxy] == "yes")
        json.set("onion", settings[.onion])
        json.set("private_routing", settings[.proxyMode])
        json.set("private_routing_fallback", settings[.proxyFallback])
        json.set("relays", relays)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        var table = Table([Table.Column(""), Table.Column("", isFlexible: true)])
        func add(_ name: String, _ value: StyledText) { table.add([StyledText(name, .muted), value]) }
        add("proxy", StyledText(settings[.proxy] ?? "none"))
        if settings[.requiresProxy] == "yes" { add("", "connections without a proxy are refused") }
        add("onion hosts", StyledText(settings[.onion] ?? ""))
        add("private message routing", StyledText(settings[.proxyMode] ?? ""))
        add("fallback to direct sending", StyledText(settings[.proxyFallback] ?? ""))
        if relays.isEmpty { add("relay", StyledText("none", .warning)) }
        for relay in relays { add("relay", StyledText(relay)) }
        return table.lines(width: style.width, withTitles: false)
    }
}
