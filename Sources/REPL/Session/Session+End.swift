import ChatCore
import Commands
import Navigation
import SystemIO
import TerminalKit

extension Session {
    /// The reason for the end of a session.
    enum End: Sendable {
        /// The person has left.
        case left
        /// Another process requests the end (`tacit daemon stop`).
        case stopped
        /// The files of the store were removed or replaced.
        case storeGone
        /// The store cannot be used.
        case failed(any Error)
        /// The store could not be written for a while, and must be opened again.
        case reopening(Resumption?)
        /// The self-destruct passcode was typed: an empty store with this record takes the place of this one.
        case erased(GateRecord)
        /// The process that had the store open has ended. The session resumes when the store is open again.
        case holderEnded(Resumption?)
    }

    /// The start of a session.
    struct Beginning: Sendable {
        /// The address of the first screen; nil if the command line has none.
        var address: String?
        /// The name of the profile; nil if the command line has none.
        var profile: String?
        var isFresh = true
        /// True if the passcode was typed already.
        var isOpened = false
        /// The place where an earlier session of this process stopped.
        var resumption: Resumption?
    }

    /// The state of a session that goes on with the next one.
    struct Resumption: Sendable {
        let place: LastPlace?
        /// The unsent text.
        let text: String
        /// In bytes of UTF-8.
        let cursor: Int
        /// True if the passcode gate was open.
        let isOpened: Bool
        /// The store that was open.
        let identity: FileStatus?
        /// Destinations that wait until something can be shown.
        let pending: PendingDestinations
        /// The command line of the process that had the store open; nil for the session itself.
        let former: String?
    }

    // MARK: - A store that cannot be written

    /// Reception has ended. The session waits if the store may become writable again.
    func receptionHasEnded(because error: any Error) {
        switch error as? ChatError {
        case .database(.diskFull), .database(.disk), .database(.busy):
            display.report(error, during: "write to the store")
            display.say("Nothing is received or sent until the store is writable; retrying.", .warning)
            isStuck = true
        default: life.leave(.failed(error))
        }
    }

    /// Returns true if a file is the store.
    func isStore(_ identity: FileStatus) -> Bool { store.folder.identity?.isSameFile(as: identity) == true }

    /// Resumes when the store can be written again, and ends without the store.
    func lookAfterStore() {
        // Another process that has it open may replace the store.
        if store.holderCommand == nil, let identity, !isStore(identity) { return life.leave(.storeGone) }
        guard isStuck else { return }
        queue.enqueue { [weak self] in await self?.reopenIfPossible() }
    }

    private func reopenIfPossible() async {
        guard isStuck, await store.canBeWritten() else { return }
        isStuck = false
        life.leave(.reopening(nil))
    }
}
