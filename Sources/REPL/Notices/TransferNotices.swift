import ChatCore
import Commands
import TerminalKit

/// The transfers of files that go on, in a line above the prompt.
final class TransferNotices {
    private let display: Display
    /// In the order of their beginning.
    private var running: [(id: ChatFileID, progress: FileProgress)] = []

    init(display: Display) {
        self.display = display
    }

    /// Shows how far the transfer of an entry has come.
    ///
    /// - Returns: False for a change that is more than progress.
    func take(_ located: LocatedItem) -> Bool {
        guard let file = located.item.file else { return false }
        switch file.state {
        case .sending(let done, let total): note(file, "sending", done, of: total)
        case .receiving(let done, let total): note(file, "receiving", done, of: total)
        default:
            if let index = running.firstIndex(where: { $0.id == file.id }) {
                running.remove(at: index)
                show()
            }
            return false
        }
        return true
    }

    private func note(_ file: ChatFile, _ verb: String, _ done: Int64, of total: Int64) {
        // Before the first bytes it is not known how many there are.
        guard total > 1 else { return }
        let progress = running.first { $0.id == file.id }?.progress ?? FileProgress(verb)
        progress.note(file.id, file.name, done, of: total)
        if !running.contains(where: { $0.id == file.id }) { running.append((file.id, progress)) }
        // What is complete waits for the contact's relay only.
        if done >= total { running.removeAll { $0.id == file.id } }
        show()
    }

    private func show() {
        guard let first = running.first else {
            display.transfers = ""
            return
        }
        let others = running.count > 1 ? ", and \(running.count - 1) more" : ""
        display.transfers = StyledText(first.progress.text + others, .muted)
    }
}
