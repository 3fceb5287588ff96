import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit net proxy`
enum NetProxyCommand {
    static let exitCode = Option<Bool>(flag: "exit-code", "Exit with 1 if there is none", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "net proxy", "Show the proxy that is used, and where it is set", promise: "it was printed", store: .none,
            options: [exitCode],
            examples: [
                Example("tacit net proxy", "Is there one?"),
                Example("tacit net proxy --exit-code -q || echo 'nothing hides you'", "In a script"),
            ],
            exits: [1], reports: ProxyReport.forms, topics: ["environment"],
            discussion: """
                It is set by TACIT_PROXY, else by net.proxy in a configuration file, else by ALL_PROXY. If one of the first two is \
                empty there is none.
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
            "proxy", "The proxy that connections go through", plain: ["proxy", "origin"],
            [
                .sometimes("proxy", .text, "Its address, without a password; missing if there is none"),
                .sometimes("origin", .text, "The variable or the setting that sets it"),
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
