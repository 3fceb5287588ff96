import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

/// Writes the readable history of a profile or of one conversation.
///
/// Nothing is locked: every page of entries is a snapshot of its own, and what arrives meanwhile comes at the end or not
/// at all.
enum HistoryExport {
    /// How many entries are in memory at a time.
    private static let page = 500

    static func run(_ format: HistoryFormat, _ invocation: Invocation) throws -> ExitCode {
        let folder = try StoreOpener(invocation, isWriting: false).existingFolder()
        let place = try ExportPlace(invocation, besides: folder, isBinary: false)
        let (count, chat) = try StoreOpener(invocation, isWriting: false).run { session in
            try await History(session, format, place).write()
        }
        try place.publish()
        let summary = HistoryReport(
            path: invocation[ExportCommand.file], format: format, count: count, chat: chat)
        if place.isStandardOutput {
            invocation.note(summary.sentence)
        } else {
            try invocation.print(done: summary)
        }
        return .ok
    }

    /// One export.
    private struct History {
        private let session: CommandSession
        private let format: HistoryFormat
        private let place: ExportPlace

        init(_ session: CommandSession, _ format: HistoryFormat, _ place: ExportPlace) {
            self.session = session
            self.format = format
            self.place = place
        }

        /// Returns the number of entries, and the chat if they are of one.
        func write() async throws -> (Int, Chat?) {
            let invocation = session.invocation
            let only = invocation[ExportCommand.target]
            var count = 0
            session.progress.start { "exporting: \(count) messages" }
            let chosen = if let only { try await session.chat(only) } else { nil as Chat? }
            guard format != .jsonl else {
                try await forEachEntry(of: chosen) { report in
                    try place.write(report.json.line + "\n")
                    count += 1
                }
                return (count, chosen)
            }
            let chats = if let chosen { [chosen] } else { try await all() }
            var document: any HistoryDocument =
                switch format {
                case .html: HTMLHistory(invocation, try await session.profile().name, chats)
                case .txt, .jsonl: TextHistory(invocation)
                }
            try place.write(document.beginning())
            for chat in chats {
                try place.write(document.conversation(with: HistoryChat(chat)))
                try await forEachEntry(of: chat) { report in
                    try place.write(document.entry(report))
                    count += 1
                }
            }
            try place.write(document.end())
            return (count, chosen)
        }

        /// All chats with others.
        private func all() async throws -> [Chat] {
            try await session.contacts().map { Chat.direct($0) } + session.groups().map { Chat.group($0) }
        }

        /// Calls `body` with the entries of a conversation, or of all, oldest first.
        private func forEachEntry(of chat: Chat?, _ body: (MessageReport) throws -> Void) async throws {
            var last = ChatItemID(0)
            while true {
                let reports = try await entries(of: chat, .after(last, HistoryExport.page))
                for report in reports { try body(report) }
                guard let end = reports.last else { return }
                last = end.item.id
            }
        }

        private func entries(of chat: Chat?, _ range: ItemRange) async throws -> [MessageReport] {
            if let chat {
                let history = try await session.execute(ReadChat(.reference(chat.reference), range))
                return history.items.map { MessageReport(chat, $0) }
            }
            return try await session.execute(ListItems(try await session.profileID(), range)).items.map {
                MessageReport($0)
            }
        }
    }
}

/// Whom a conversation is with, as a document shows it.
struct HistoryChat {
    /// The name here.
    let name: String
    let fullName: String
    /// How commands name it: `@alice`.
    let target: String
    let id: String

    init(_ chat: Chat) {
        name = chat.name
        target = chat.target
        fullName = chat.contact?.profile.fullName ?? chat.group?.profile.fullName ?? ""
        id = chat.objectID
    }
}

/// A history that was written.
struct HistoryReport: Report {
    let path: String
    let format: HistoryFormat
    let count: Int
    /// Nil for the history of the whole profile.
    var chat: Chat?

    static let forms = [
        ReportForm(
            "history", "An exported history", plain: ["file", "format", "messages"],
            [
                .always("file", .text, "Path of the file"),
                .always("format", .text, "Format of the file"),
                .always("messages", .count, "Number of messages"),
                .sometimes(
                    "chat", .text, "Contact or group, in the form that commands accept; missing for all conversations"),
                .sometimes("chat_id", .id, "Id of the contact or group"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "history")
        json.set("file", path)
        json.set("format", format.rawValue)
        json.set("messages", count)
        json.set("chat", chat?.target)
        json.set("chat_id", chat?.objectID)
        return json
    }

    var sentence: StyledText { StyledText("exported \(count == 1 ? "1 message" : "\(count) messages")") }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText(path) + ": " + sentence]
    }
}
