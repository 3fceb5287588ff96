public import ChatCore

/// The words of a session for effects that it only prints.
extension SessionEffect {
    /// The sentence about the effect and its subject; nil for an effect that changes what is shown.
    public var sentence: (subject: String, text: String)? {
        switch self {
        case .requestReceived(let request):
            // Both commands work as they stand here on every screen.
            return (
                request.target, "sent a contact request: /accept \(request.target) or /reject \(request.target)"
            )
        case .notice(let notice):
            let report = EventReport(notice)
            return (report.subject, report.sentence)
        case .newItems, .itemsUpdated, .itemChanged, .itemsDeleted, .chatDeleted, .profileGone, .listsChanged,
            .gateChanged, .homeChanged, .callBegan, .callEnded, .relayLost, .relayReached:
            return nil
        }
    }
}

extension RelayProblem {
    /// The problem and its first cause, in one line.
    public var sentence: String {
        let reason = Reason(self)
        return ([reason.text] + reason.why.prefix(1)).joined(separator: ": ")
    }
}
