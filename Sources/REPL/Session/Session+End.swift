import Commands
import Navigation
import TerminalKit

extension Session {
    /// Why a session ends.
    enum End: Sendable {
        /// The person leaves, or somebody else wants them to.
        case left
        /// An empty store is to be put in the place of this one; what its gate is to know.
        case erased(GateRecord)
        /// The process has ended that had the store open, and the session goes on when the store is open again.
        case holderEnded(Resumption?)
    }

    /// Where a session goes on.
    struct Resumption: Sendable {
        let place: LastPlace?
        /// What was typed and not sent.
        let text: String
        /// In bytes of UTF-8.
        let cursor: Int
        /// Whether the gate was open.
        let isOpened: Bool
        /// What had the store open, as it was typed.
        let former: String
    }

    /// Says who receives from now on.
    func sayWhoReceives() {
        guard let former = resumption?.former else { return }
        let now = store.holderCommand
        if now == former { return say("\(former) was started anew", .muted) }
        say("\(former) has ended; \(now ?? "this session") receives now", .muted)
    }
}
