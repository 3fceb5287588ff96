import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit net proxy`
enum NetProxyCommand {
    static let exitCode = Option<Bool>(flag: "exit-code", "Exit with 1 if there is no proxy", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "net proxy", "Show the SOCKS proxy and its source", promise: "the proxy was printed", store: .none,
            options: [exitCode],
            examples: [
                Example("tacit net proxy", "Show the proxy"),
                Example(
                    "tacit net proxy --exit-code -q || echo 'nothing hides you'",
                    "Check in a script that a proxy is set"),
            ],
            exits: [1], reports: ProxyReport.forms, topics: ["environment"],
            discussion: """
                The source is TACIT_PROXY, else net.proxy in a configuration file, else ALL_PROXY. An empty TACIT_PROXY or \
                net.proxy means no proxy.
                """),
        purpose: { _ in "show the proxy" },
        run: { invocation in
            let proxy = try NetworkVariables.settings(invocation).texts[.proxy]
            let origin = NetworkVariables.origin(of: .proxy, invocation).name
            let report = ProxyReport(proxy: proxy, origin: proxy == nil ? nil : origin)
            // With the option the exit code is the answer.
            if invocation[exitCode] { try invocation.print(done: report) } else { try invocation.print(report) }
            return invocation[exitCode] && proxy == nil ? .no : .ok
        })
}

/// The proxy that connections go through.
private struct ProxyReport: Report {
    let proxy: String?
    let origin: String?

    static let forms = [
        ReportForm(
            "proxy", "The SOCKS proxy for connections", plain: ["proxy", "origin"],
            [
                .sometimes("proxy", .text, "Address without password; missing if there is no proxy"),
                .sometimes("origin", .text, "Environment variable or setting that sets the proxy"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "proxy")
        json.set("proxy", proxy)
        json.set("origin", origin)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        guard let proxy, let origin else { return [StyledText("none")] }
        return [StyledText(proxy) + StyledText(" (\(origin))", .muted)]
    }
}
