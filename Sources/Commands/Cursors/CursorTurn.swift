import ChatCore
import Host
import SystemIO
import TerminalKit

/// The right to run programs for what is behind a cursor. Two runs side by side would deal with each message twice, as when a cron
/// job takes longer than the time to the next.
struct CursorTurn: ~Copyable {
    private let lock: FileLock

    /// Waits until nobody else has it, as long as the user waits for another writer.
    ///
    /// - Throws: A ``Reason`` with 75 if that takes too long.
    init(_ name: String, _ session: CommandSession) async throws {
        let folder = session.host.folder.path + "/run", profile = try await session.profile()
        try Files.createFolder(folder)
        // A name may hold characters that the name of a file may not.
        let digits = name.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let path = "\(folder)/cursor-\(profile.objectID)-\(digits.prefix(200)).lock"
        let deadline = ContinuousClock.now + session.invocation[GlobalOptions.lockTimeout]
        var taken: FileLock?
        while taken == nil {
            do throws(FileLock.Failure) {
                taken = try FileLock(path, note: Array("\(ProcessEnvironment.processID)\n".utf8))
            } catch .held(let note) {
                guard ContinuousClock.now < deadline, !session.invocation.cancellation.isRequested else {
                    throw CursorTurn.busy(name, note)
                }
                await session.host.pause(StoreLock.pollingInterval)
            } catch .system(let error) {
                throw error
            }
        }
        guard let lock = taken.take() else { throw Reason.bug }
        self.lock = lock
    }

    private static func busy(_ name: String, _ note: [UInt8]) -> Reason {
        .cursorBusy(name, String(decoding: note, as: UTF8.self).filter(\.isNumber))
    }
}
