import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

/// `tacit config path`
enum ConfigPathCommand {
    static let leaf: Leaf = .init(
        Command(
            "config path", "Print the path of the configuration file", promise: "the path was printed", store: .none,
            examples: [Example("tacit config path", "Print the path")],
            reports: PathReport.forms, topics: ["environment"],
            discussion: """
                The path is $XDG_CONFIG_HOME/tacit/tacit.conf or ~/.config/tacit/tacit.conf. TACIT_DIR sets another folder, \
                TACIT_CONFIG another file. The file need not exist.
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
            "config-path", "Path of the configuration file", plain: ["path"],
            [.always("path", .text, "Path of the file"), .always("exists", .flag, "True if the file exists")])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "config-path")
        json.set("path", path)
        json.set("exists", exists)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] { [StyledText(path)] }
}
