/// The end of a session: its reason and its time.
final class SessionLife {
    private(set) var hasEnded = false
    private(set) var reason = Session.End.left
    /// The signal that ended the session.
    var signal: Int32?
    /// True while another program has the terminal.
    var isElsewhere = false
    /// The end that waits until that program has ended: text that is written there must not be lost.
    private var postponedEnd: Session.End?
    private var ending: CheckedContinuation<Void, Never>?
    /// Called when the session ends.
    var onEnd: () -> Void = {}

    /// Ends the session after the current operation.
    func leave() {
        hasEnded = true
        onEnd()
        ending?.resume()
        ending = nil
    }

    /// Ends the session for a reason other than a command of the person.
    func leave(_ reason: Session.End) {
        guard !hasEnded else { return }
        if isElsewhere {
            postponedEnd = postponedEnd ?? reason
            return
        }
        self.reason = reason
        leave()
    }

    /// Ends the session now if its end was postponed.
    func leaveIfPostponed() {
        if let postponedEnd { leave(postponedEnd) }
    }

    /// Returns when the session has ended.
    func ended() async {
        if !hasEnded { await withCheckedContinuation { ending = $0 } }
    }
}
