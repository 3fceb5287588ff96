import CommandKit
import Host
import SystemIO
import TerminalKit

/// The configuration file of the user, about to be changed.
struct ConfigurationFile {
    let path: String
    /// What stands in it; nothing if it is not there.
    let text: SettingsText
    /// Where it is really: the file may be a link into a folder that is kept elsewhere.
    private let target: String

    init(_ invocation: Invocation) throws {
        path = try ConfigCommand.userFile(invocation)
        text = try Configuration.text(of: path) ?? SettingsText([])
        target = Files.resolved(path) ?? path
    }

    /// Changes the file, while no other process does: what others set meanwhile is not lost.
    static func change<Result>(
        _ invocation: Invocation, _ body: (ConfigurationFile) throws -> Result
    ) throws -> Result {
        let file = try ConfigurationFile(invocation)
        try file.createFolder()
        let lock = Held(try file.lock(within: invocation[GlobalOptions.lockTimeout]))
        defer { withExtendedLifetime(lock) {} }
        // What was read before the lock was taken may be old.
        return try body(ConfigurationFile(invocation))
    }

    /// The right to change the file. Its folder is locked, because the file is replaced by another one.
    private func lock(within timeout: Duration) throws(Reason) -> FolderLock {
        let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? "."
        let deadline = ContinuousClock.now + timeout
        while true {
            do throws(SystemError) {
                if let lock = try FolderLock(folder) { return lock }
            } catch {
                throw Reason.configurationNotLocked(error, at: target)
            }
            guard ContinuousClock.now < deadline else {
                throw Reason.configurationBusy
            }
            SystemClock.pause(ConfigurationFile.pollingInterval)
        }
    }

    /// How often a lock that somebody else holds is tried: it is held for the time that it takes to write a file.
    private static let pollingInterval = Duration.milliseconds(5)

    /// Makes the folder of the file, for this user only.
    func createFolder() throws(Reason) {
        guard let slash = target.lastIndex(of: "/"), slash != target.startIndex else { return }
        do throws(SystemError) {
            try Files.createFolder(String(target[..<slash]))
        } catch {
            throw Reason.configurationFolder(error, at: target)
        }
    }

    /// Replaces the file in one step by one that only its owner can read.
    func replace(with text: SettingsText) throws(Reason) {
        try createFolder()
        do throws(SystemError) {
            let draft = try DraftFile(for: target)
            try draft.write(text.bytes)
            try draft.publish(replaces: true)
        } catch {
            throw Reason.configurationNotWritten(error, at: target)
        }
    }
}
