import ChatCore
import Commands
import Navigation
import SystemIO
import TerminalKit

extension Session {
    /// Why a session ends.
    enum End: Sendable {
        /// The person leaves.
        case left
        /// Somebody else wants the session to end (`tacit daemon stop`).
        case stopped
        /// The files of the store were removed, or others stand in their place.
        case storeGone
        /// The store cannot be used any more.
        case failed(any Error)
        /// The store could not be written for a while, and is to be opened anew.
        case reopening(Resumption?)
        /// An empty store is to be put in the place of this one; what its gate is to know.
        case erased(GateRecord)
        /// The process has ended that had the store open, and the session goes on when the store is open again.
        case holderEnded(Resumption?)
    }

    /// What a session begins with.
    struct Beginning: Sendable {
        /// Where to begin, if the user said so.
        var address: String?
        /// The profile to begin in, if the user named one.
        var profile: String?
        var isFresh = true
        /// Whether the passcode was typed already.
        var isOpened = false
        /// Where a session stopped that this one goes on with.
        var resumption: Resumption?
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
        /// The store that was open.
        let identity: FileStatus?
        /// Where others wanted to go, as long as nothing could be shown.
        let pending: PendingDestinations
        /// What had the store open, as it was typed; nil if it was the session itself.
        let former: String?
    }

    /// Says who receives from now on.
    func sayWhoReceives() {
        guard let resumption else { return }
        guard let former = resumption.former else { return say("the store can be written again", .success) }
        let now = store.holderCommand
        if now == former { return say("\(former) was started anew", .muted) }
        say("\(former) has ended; \(now ?? "this session") receives now", .muted)
    }

    // MARK: - A store that cannot be written

    /// Nothing is received any more. Where that may pass it is waited for.
    func receptionHasEnded(because error: any Error) {
        switch error as? ChatError {
        case .database(.diskFull), .database(.disk), .database(.busy):
            report(error)
            say("Nothing is received or sent until it can be written; that is tried again and again.", .warning)
            isStuck = true
        default: leave(.failed(error))
        }
    }

    /// Whether a file is the store that is there now.
    func isStore(_ identity: FileStatus) -> Bool { store.folder.identity?.isSameFile(as: identity) == true }

    /// Goes on as soon as the store can be written again, and not without it.
    func lookAfterStore() {
        // Beside another process it is that one's affair, which may also replace the store.
        if store.holderCommand == nil, let identity, !isStore(identity) { return leave(.storeGone) }
        guard isStuck else { return }
        enqueue { session in
            guard session.isStuck, await session.store.canBeWritten() else { return }
            session.isStuck = false
            session.leave(.reopening(nil))
        }
    }
}
