import CommandKit
import Host
import JSONCoding
import TerminalKit

/// How new messages arrive.
struct NotifyModeReport: Report {
    let mode: NotifyMode
    let installed: NotifyModeCommand.Starter?
    var plan: NotifyPlan?
    var isActive: Bool?

    static let forms = [
        ReportForm(
            "notify-mode", "The mode of receiving new messages", plain: ["mode", "every_ms", "installed", "websocket"],
            [
                .always("mode", .word(NotifyMode.Kind.allCases.map(\.rawValue)), "Mode"),
                .sometimes("every_ms", .duration, "Interval between fetches, for periodic"),
                .sometimes("websocket", .text, "Address for bots, for instant"),
                .sometimes(
                    "installed", .word(NotifyModeCommand.Starter.allCases.map(\.rawValue)),
                    "Installed starter of tacit"),
                .sometimes("active", .flag, "True if the new units or lines are active"),
                .sometimes(
                    "files",
                    .objects([
                        .always("path", .text, "Path of the file, or crontab"),
                        .always("text", .text, "Contents, or added lines"),
                    ]), "Files that are or would be written"),
                .sometimes("commands", .texts, "Commands that are or would be run"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "notify-mode")
        json.set("mode", mode.kind.rawValue)
        if mode.kind == .periodic { json.set("every_ms", mode.interval.components.seconds * 1000) }
        json.set("websocket", mode.websocket?.description)
        json.set("installed", installed?.rawValue)
        json.set("active", isActive)
        if let plan {
            json["files"] = .array(
                plan.files.map { .object(["path": .string($0.path), "text": .string($0.text)]) })
            json["commands"] = .array(plan.commands.map { .string($0) })
        }
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        // What was done has been shown before it was done.
        let shown = isActive == nil ? plan?.lines ?? [] : []
        let often = mode.kind == .periodic ? " every \(mode.interval.inWords)" : ""
        let served = mode.websocket.map { ", with bots at \($0)" } ?? ""
        let starter = installed.map { ", by \($0.rawValue)" } ?? (mode.kind == .off ? "" : ", nothing is installed")
        return shown + [StyledText(mode.kind.rawValue, .name) + StyledText(often + served + starter)]
    }
}
