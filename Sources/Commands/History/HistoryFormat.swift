/// A form of the readable history.
enum HistoryFormat: String, CaseIterable, Sendable {
    /// The objects of `read --json`.
    case jsonl
    /// Plain text.
    case txt
    /// One page for a browser.
    case html
}

/// A form of an export, besides the archive of this program.
enum ExportFormat: String, CaseIterable, Sendable {
    case jsonl, txt, html
    /// An archive for the official apps.
    case official

    /// The form of the readable history; nil for an archive.
    var history: HistoryFormat? { HistoryFormat(rawValue: rawValue) }
}

/// What turns entries into a document, piece by piece, so that a long history needs no more memory than a short one.
protocol HistoryDocument {
    /// What stands before everything.
    mutating func beginning() -> String
    /// What stands before the entries of a conversation.
    mutating func conversation(with chat: HistoryChat) -> String
    mutating func entry(_ report: MessageReport) -> String
    /// What stands behind everything.
    mutating func end() -> String
}
