import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

/// A sent or received file.
struct FileReport: Report {
    let listed: ListedFile
    /// The number of links that people are shown, without anything else; nil for a line about the file and all links.
    let linkCount: Int?

    init(_ listed: ListedFile, linkCount: Int? = nil) {
        self.listed = listed
        self.linkCount = linkCount
    }

    static let forms = [
        ReportForm(
            "file", "A sent or received file", plain: ["id", "state", "size", "name", "path"],
            [
                .always("id", .id, "Id of the file"),
                .always("name", .text, "Name without folders"),
                .always("size", .size, "Size of the content"),
                .always("direction", .word(MessageReport.directions), "Direction: in for received, out for sent"),
                .always("state", .word(FileState.reportWords), "State of the transfer"),
                .always("created_at", .time, "Time when the file was sent or offered"),
                .sometimes("done", .size, "Number of transferred bytes, with encryption"),
                .sometimes("total", .size, "Number of bytes to transfer, with encryption"),
                .sometimes("reason", .text, "Reason for a failure or delay"),
                .sometimes("path", .text, "Path of the file on this machine"),
                .sometimes("encrypted", .flag, "True if the file is encrypted on this machine"),
                .sometimes("chat", .text, "Contact or group, in the form that commands accept"),
                .sometimes("chat_id", .id, "Id of the contact or group"),
                .sometimes("message", .id, "Id of the message with the file"),
                .sometimes("links", .texts, "Links of a file that was sent without a chat"),
                .sometimes(
                    "expires_at", .time, "Time when relays usually delete an offered file, 48 hours after the offer"),
            ])
    ]
    static let columns = [
        Table.Column("ID"), Table.Column("STATE"), Table.Column("SIZE"), Table.Column("CHAT"),
        Table.Column("NAME", isFlexible: true),
    ]

    var json: JSONObject {
        var json = JSONObject(type: "file")
        let file = listed.file
        json.set("id", ObjectID.text(file.id))
        json.set("name", file.name)
        json.set("size", file.size)
        json.set("direction", listed.isSent ? "out" : "in")
        json.set("state", file.reportWord)
        json.set("created_at", listed.createdAt.description)
        switch file.state {
        case .sending(let done, let total), .receiving(let done, let total):
            json.set("done", done)
            json.set("total", total)
        default: break
        }
        json.set("reason", file.state.problem.map { Reason($0).text })
        json.set("path", listed.path)
        if file.source?.key != nil { json.set("encrypted", true) }
        json.set("chat", listed.item?.chat.target)
        json.set("chat_id", listed.item?.chat.objectID)
        json.set("message", listed.item.map { ObjectID.text($0.item.id) })
        if file.state == .offered { json.set("expires_at", listed.expiry.description) }
        if !listed.links.isEmpty { json["links"] = .array(listed.links.map { .string($0) }) }
        return json
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        let file = listed.file
        return [
            StyledText(ObjectID.text(file.id), .muted), StyledText(file.reportWord),
            StyledText(ByteCount.text(Int(clamping: file.size))), StyledText(listed.item?.chat.target ?? "", .name),
            StyledText(UntrustedText(file.name).singleLine),
        ]
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let file = listed.file
        if let linkCount, !listed.links.isEmpty { return listed.links.prefix(linkCount).map { StyledText($0) } }
        var line =
            StyledText("\(file.reportWord) ")
            // The name of a link's file is not known before the file is here.
            + StyledText(file.name.isEmpty ? "" : UntrustedText(file.name).quoted + " ")
            + StyledText(ObjectID.text(file.id), .muted)
            + StyledText(" (\(ByteCount.text(Int(clamping: file.size))))")
        if file.state == .received, let path = listed.path { line += StyledText(" \(UntrustedText(path).singleLine)") }
        if let problem = file.state.problem { line += StyledText(": \(Reason(problem).text)", .warning) }
        if listed.isProbablyExpired { line += StyledText(": probably expired", .warning) }
        return [line] + listed.links.map { StyledText($0) }
    }
}

extension ListedFile {
    /// The time for which file relays store a file, unless they are set up otherwise.
    private static let lifetime = Duration.seconds(48 * 3600)

    /// The time when its relays delete an offered file, as far as one can tell.
    fileprivate var expiry: Timestamp { createdAt + ListedFile.lifetime }

    /// True for a file that was not received and that its relays have probably deleted.
    fileprivate var isProbablyExpired: Bool {
        file.state == .offered && expiry < Timestamp(milliseconds: SystemClock.milliseconds())
    }
}

extension ChatFile {
    /// The state in reports.
    var reportWord: String { transport == .local ? "kept" : state.reportWord }

    /// The file as a line of its message: `[f7 plan.pdf, 70.0 kB, receiving 45 %]`.
    package var summary: String { summary(of: nil) }

    /// The same with the place of a file that is here.
    ///
    /// - Parameter folder: The folder for files of the store.
    package func summary(in folder: String) -> String {
        guard let source, state == .received else { return summary }
        return summary(of: source.path.hasPrefix("/") ? source.path : "\(folder)/\(source.path)")
    }

    private func summary(of path: String?) -> String {
        let size = ByteCount.text(Int(clamping: size))
        var text = "\(ObjectID.text(id)) \(UntrustedText(name).singleLine), \(size), \(reportWord)"
        switch state {
        case .sending(let done, let total), .receiving(let done, let total):
            if total > 1 { text += " \(Int(Double(done) / Double(total) * 100)) %" }
        default: break
        }
        if let problem = state.problem { text += ": \(problem.shortText)" }
        if let path { text += ", \(UntrustedText(path).singleLine)" }
        return "[\(text)]"
    }
}

extension FileProblem {
    /// The reason in a few words.
    fileprivate var shortText: String {
        switch self {
        case .gone: "expired or deleted"
        case .blocked: "blocked"
        case .noFile: "missing here"
        case .relay(let relay): UntrustedText(relay).singleLine
        case .other: "error"
        }
    }
}

extension FileState {
    fileprivate static let reportWords = [
        "queued", "sending", "sent", "offered", "accepted", "receiving", "ready", "delayed", "failed", "aborted",
        "cancelled", "kept",
    ]

    fileprivate var reportWord: String {
        switch self {
        case .sentStored: "queued"
        case .sending: "sending"
        case .sentComplete: "sent"
        case .offered: "offered"
        case .accepted: "accepted"
        case .receiving: "receiving"
        case .received: "ready"
        case .sentWarning, .receivedWarning: "delayed"
        case .sentError, .receivedError: "failed"
        case .aborted: "aborted"
        case .sentCancelled, .receivedCancelled: "cancelled"
        }
    }
}
