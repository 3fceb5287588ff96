import ByteCoding
import ChatCore
import JSONCoding
import SystemIO

extension TerminalText {
    /// The longest text of a quote, and the longest preview, in characters.
    private static let previewLength = 120
    /// The number of new messages above which only their number is printed.
    private static let listedItems = 20

    /// The lines of messages.
    ///
    /// - Parameter isListed: True if events in chats are printed too.
    func items(of answer: JSONObject, isListed: Bool) -> [String]? {
        guard let items = answer["chatItems"]?.array?.compactMap(\.object) else { return nil }
        guard isListed || items.count <= TerminalText.listedItems else {
            let sent = items.filter { $0["chatItem"]?.object.map(TerminalText.isSent) ?? false }
            if sent.isEmpty { return ["\(items.count) new messages"] }
            return [sent.count == items.count ? "\(items.count) messages sent" : "\(items.count) new messages created"]
        }
        return items.flatMap { item in
            guard let chat = item["chatInfo"]?.object, let entry = item["chatItem"]?.object else { return [String]() }
            return lines(of: entry, in: chat, isListed: isListed)
        }
    }

    /// A line for each chat, the newest last.
    func previews(of answer: JSONObject) -> [String]? {
        guard let chats = answer["chats"]?.array?.compactMap(\.object) else { return nil }
        return chats.reversed().compactMap { preview in
            guard let chat = preview["chatInfo"]?.object else { return nil }
            let entry = preview["chatItems"]?.array?.first?.object
            if let line = entry.flatMap({ lines(of: $0, in: chat, isListed: true).first }) {
                return TerminalText.shortened(line)
            }
            // A chat without messages.
            return TerminalText.target(chat).map { "      \($0) " }
        }
    }

    private func lines(of entry: JSONObject, in chat: JSONObject, isListed: Bool) -> [String] {
        guard let meta = entry["meta"]?.object, let content = entry["content"]?.object else { return [] }
        let isSent = TerminalText.isSent(entry), file = entry["file"]?.object
        let place = TerminalText.place(of: entry, in: chat)
        let deleted = TerminalText.deletion(meta["itemDeleted"]?.object, content, in: chat)
        var lines: [String]
        if let message = content["msgContent"]?.object {
            let context = TerminalText.context(of: entry, in: chat)
            var text = message["text"]?.string ?? ""
            if text.isEmpty, !context.isEmpty, let name = file?["fileName"]?.string { text = name }
            if text.isEmpty, context.isEmpty, file != nil {
                lines = []
            } else {
                var rows = TerminalText.rows(text)
                if !context.isEmpty, !rows.isEmpty { rows[0] = "      " + rows[0] }
                lines = TerminalText.begin(place, context + rows)
            }
            if let file { lines += TerminalText.file(file, place, isSent: isSent) }
            lines = timed(lines, meta, files: file == nil ? 0 : 1)
        } else {
            guard isListed else { return [] }
            lines = timed([place + (meta["itemText"]?.string ?? "")], meta, files: 0)
        }
        return deleted.map { mark in lines.map { "\($0) [\(mark)]" } } ?? lines
    }

    private static func isSent(_ entry: JSONObject) -> Bool {
        entry["chatDir"]?.object?["type"]?.string?.hasSuffix("Snd") ?? false
    }

    /// The beginning of the line: `@bob `, `bob> `, `#team `, `#team bob> `.
    private static func place(of entry: JSONObject, in chat: JSONObject) -> String {
        let isSent = isSent(entry), direction = entry["chatDir"]?.object
        guard let target = target(chat) else { return "* " }
        if isSent { return "\(target) " }
        guard chat["type"]?.string == "group" else { return "\(target.dropFirst())> " }
        let member = direction?["groupMember"]?.object.map { " \(name($0))" } ?? ""
        let isMention = entry["meta"]?.object?["userMention"]?.bool == true
        return "\(target)\(member)\(isMention ? "!" : "")> "
    }

    /// The rows above an answer or a forwarded message.
    private static func context(of entry: JSONObject, in chat: JSONObject) -> [String] {
        if let quote = entry["quotedItem"]?.object {
            let text = shortened(quote["content"]?.object?["text"]?.string ?? "")
            let direction = quote["chatDir"]?.object, isOwn = direction?["type"]?.string?.hasSuffix("Snd") ?? false
            if chat["type"]?.string == "group" {
                let member =
                    isOwn
                    ? chat["groupInfo"]?.object?["membership"]?.object : direction?["groupMember"]?.object
                return begin(member.map { "> \(name($0)) " } ?? "> ", rows(text))
            }
            return begin(isOwn == isSent(entry) ? ">> " : "> ", rows(text))
        }
        guard let source = entry["meta"]?.object?["itemForwarded"]?.object else { return [] }
        let you = source["msgDir"]?.string == "snd" ? "you " : ""
        let origin = quoted(source["chatName"]?.string ?? "")
        switch source["type"]?.string {
        case "contact": return ["<- \(you)@\(origin)"]
        case "group": return ["<- \(you)#\(origin)"]
        default: return ["-> forwarded"]
        }
    }

    private static func file(_ file: JSONObject, _ place: String, isSent: Bool) -> [String] {
        let id = file["fileId"]?.integer ?? 0, state = file["fileStatus"]?.object?["type"]?.string
        if isSent {
            let path = file["fileSource"]?.object?["filePath"]?.string ?? file["fileName"]?.string ?? ""
            if place == "* " { return ["* file \(id) (\(path))"] }
            return ["/f \(place)\(path)"] + (state == "sndTransfer" ? [] : ["use /fc \(id) to cancel sending"])
        }
        let name = file["fileName"]?.string ?? "", size = file["fileSize"]?.integer ?? 0
        return ["\(place)sends file \(name) (\(TerminalText.size(size)) / \(size) bytes)"]
            + (state == "rcvAccepted" ? [] : ["use /fr \(id) [<dir>/ | <path>] to receive it"])
    }

    private static func size(_ bytes: Int64) -> String {
        let units: [(String, Int64)] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        guard let (unit, factor) = units.first(where: { bytes >= $0.1 }) else { return "\(bytes) bytes" }
        let tenths = (bytes * 10 + factor / 2) / factor
        return tenths % 10 == 0 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }

    private static func deletion(_ deleted: JSONObject?, _ content: JSONObject, in chat: JSONObject) -> String? {
        guard let deleted else { return nil }
        switch deleted["type"]?.string {
        case "blocked": return "blocked"
        case "blockedByAdmin": return "blocked by admin"
        case "moderated":
            let own = chat["groupInfo"]?.object?["membership"]?.object?["groupMemberId"]?.integer
            let member = deleted["byGroupMember"]?.object
            let name = member?["groupMemberId"]?.integer == own ? "you" : member?["localDisplayName"]?.string ?? ""
            return "marked deleted by \(name)"
        default: return "marked deleted"
        }
    }

    // MARK: - Time and rows

    /// Puts the time before the first line, and before that of a file.
    private func timed(_ lines: [String], _ meta: JSONObject, files: Int) -> [String] {
        guard let text = meta["itemTs"]?.string, let moment = try? Timestamp(text: text) else { return lines }
        let time = time(moment.milliseconds)
        return lines.enumerated().map { index, line in
            let namesFile = line.hasPrefix("/f ") || line.utf8.contains(part: "> sends file ".utf8)
            let isFile = files > 0 && index > 0 && namesFile
            return index == 0 || isFile ? "\(time) \(line)" : line
        }
    }

    /// `11:14` for this day, and in the morning for the evening before; `09-27` for others.
    private func time(_ milliseconds: Int64) -> String {
        guard let text = LocalTime.text(milliseconds: milliseconds, utc: usesUTC),
            let present = LocalTime.text(milliseconds: now, utc: usesUTC),
            let before = LocalTime.text(milliseconds: now - 86_400_000, utc: usesUTC)
        else { return "" }
        let day = text.prefix(10), clock = text.suffix(5)
        let isRecent =
            day == present.prefix(10)
            || present.suffix(5) < "12:00" && day == before.prefix(10) && clock >= "18:00"
        return isRecent ? String(clock) : String(day.suffix(5))
    }

    private static func rows(_ text: String) -> [String] {
        var rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if rows.last?.isEmpty == true { rows.removeLast() }
        return rows
    }

    private static func begin(_ place: String, _ rows: [String]) -> [String] {
        guard let first = rows.first else { return [place] }
        return [place + first] + rows.dropFirst()
    }

    private static func shortened(_ text: String) -> String {
        text.count > previewLength ? "\(text.prefix(previewLength))..." : text
    }
}
