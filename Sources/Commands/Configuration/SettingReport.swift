import CommandKit
import JSONCoding
import TerminalKit

/// A setting, its value, and where that comes from.
struct SettingReport: Report {
    let key: String
    let value: String?
    let origin: Parsed.Origin
    /// Whether people are shown where it comes from.
    var showsOrigin = false

    static let forms = [
        ReportForm(
            "setting", "A setting and the source of its value", plain: ["key", "value", "origin"],
            [
                .always("key", .text, "Section and name"),
                .sometimes("value", .text, "Value; missing if there is none"),
                .always("origin", .word(["option", "environment", "file", "built-in"]), "Source of the value"),
                .sometimes("variable", .text, "Environment variable"), .sometimes("file", .text, "Configuration file"),
                .sometimes("line", .count, "Line of the file"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "setting")
        json.set("key", key)
        json.set("value", value)
        switch origin {
        case .commandLine: json.set("origin", "option")
        case .variable(let name):
            json.set("origin", "environment")
            json.set("variable", name)
        case .setting(let place):
            json.set("origin", "file")
            json.set("file", place.file)
            json.set("line", place.line)
        case .builtIn: json.set("origin", "built-in")
        }
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        // Several values stand on lines of their own.
        let values = (value ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        let name = StyledText("\(key) ", .muted) + "="
        let lines = values.map { name + ($0.isEmpty ? "" : StyledText(" \($0)")) }
        guard showsOrigin, let last = lines.last else { return lines }
        return lines.dropLast() + [last + StyledText("  (\(origin.place))", .muted)]
    }
}

extension Parsed.Origin {
    /// Where a value comes from, in words.
    var place: String {
        switch self {
        case .commandLine: "option"
        case .variable(let name): name
        case .setting(let place): "\(place.file):\(place.line)"
        case .builtIn: "built in"
        }
    }
}

extension SettingReport {
    /// What holds for a setting in this run.
    init(_ setting: SettingDeclaration, _ invocation: Invocation) {
        let (text, origin) = invocation.settings.effective(setting, environment: invocation.environment)
        self.init(key: setting.key, value: text.map(setting.shown) ?? setting.defaultValue, origin: origin)
    }
}
