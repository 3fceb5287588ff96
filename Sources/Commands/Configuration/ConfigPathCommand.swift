import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

/// `tacit config path`
enum ConfigPathCommand {
    static let leaf: Leaf = .init(
        Command(
            "config path", "Print where the configuration file is", promise: "the path was printed", store: .none,
            examples: [Example("tacit config path", "Where it is")],
            reports: PathReport.forms, topics: ["environment"],
            discussion: """
                That is $XDG_CONFIG_HOME/tacit/tacit.conf, or ~/.config/tacit/tacit.conf, or in the folder TACIT_DIR, or the file \
                that TACIT_CONFIG names. It need not be there.
                """),
        purpose: { _ in "print the path" },
        run: { invocation in
            let path = try ConfigCommand.userFile(invocation)
            try invocation.print(PathReport(path: path, exists: Files.exists(path)))
            return .ok
        })
}

/// Where the configuration file is.
private struct PathReport: Report {
    let path: String
    let exists: Bool

    static let forms = [
        ReportForm(
            "config-path", "Where the configuration file is", plain: ["path"],
            [.always("path", .text, "Its path"), .always("exists", .flag, "Whether it is there")])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "config-path")
        json.set("path", path)
        json.set("exists", exists)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] { [StyledText(path)] }
}
