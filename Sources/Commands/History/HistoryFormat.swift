/// A form of the readable history.
enum HistoryFormat: String, CaseIterable, Sendable {
    /// The objects of `read --json`.
    case jsonl
    /// Plain text.
    case txt
    /// One page for a browser.
    case html
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
