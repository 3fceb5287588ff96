import SystemIO

/// Whether the terminal can show pictures.
extension LineEditor {
    /// The time for an answer, also over a slow connection.
    private static let answerTimeout = Duration.seconds(2)

    /// Asks the terminal, once, whether it can show pictures. False for one that does not say so.
    func showsPictures() async -> Bool {
        if let picturesAreShown { return picturesAreShown }
        guard canvas.isKnown else { return false }
        return await withCheckedContinuation { continuation in
            onReply = { continuation.resume(returning: $0) }
            replies.expect()
            canvas.send(TerminalReplies.question)
            loop.after(LineEditor.answerTimeout) { [weak self] in self?.replied(nil) }
        }
    }

    /// The terminal has answered; nil if it has not.
    func replied(_ showsPictures: Bool?) {
        if let showsPictures { picturesAreShown = showsPictures }
        let onReply = onReply
        self.onReply = nil
        onReply?(showsPictures ?? false)
    }
}
