import ChatCore
import CommandKit
import JSONCoding
import SMPProtocol
import TerminalKit

/// `tacit net status`
enum NetStatusCommand {
    static let leaf: Leaf = .init(
        Command(
            "net status", "Show how relays are reached", promise: "the settings were printed", store: .reading,
            examples: [Example("tacit net status", "Proxy, onion hosts, private routing, relays")],
            reports: NetStatusReport.forms, topics: ["environment"],
            discussion: "Nothing is connected to; tacit net test does that."),
        purpose: { _ in "show how relays are reached" },
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
            "net-status", "How relays are reached",
            plain: ["proxy", "require_proxy", "onion", "private_routing", "relays"],
            [
                .sometimes("proxy", .text, "The proxy that connections go through, without its password"),
                .always("require_proxy", .flag, "Whether nothing goes without one"),
                .always("onion", .text, "Whether onion hosts of relays are used"),
                .always("private_routing", .text, "When messages go through a relay of one's own"),
                .always("private_routing_fallback", .text, "Whether they go directly where that is not possible"),
                .always("relays", .texts, "The relays that new queues are made on"),
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
        if settings[.requiresProxy] == "yes" { add("", "nothing goes without one") }
        add("onion hosts", StyledText(settings[.onion] ?? ""))
        add("through your own relay", StyledText(settings[.proxyMode] ?? ""))
        add("directly where not possible", StyledText(settings[.proxyFallback] ?? ""))
        if relays.isEmpty { add("relay", StyledText("none", .warning)) }
        for relay in relays { add("relay", StyledText(relay)) }
        return table.lines(width: style.width, withTitles: false)
    }
}
