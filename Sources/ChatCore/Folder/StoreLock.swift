public import ByteCoding
import JSONCoding
public import SystemIO

/// The right to write to a store. It ends with the process, so there are no stale locks.
public struct StoreLock: ~Copyable, Sendable {
    private let lock: FileLock
    private let note: JSONObject

    /// Who holds the lock, as far as is known.
    public struct Holder: Hashable, Sendable {
        public let pid: Int64?
        /// What the holder is doing, such as `fetch`.
        public let command: String?
        public let since: Timestamp?
        /// Where it takes the commands of others, if it does.
        public let socket: String?

        fileprivate init(_ note: Bytes) {
            var fields = try? JSONFields(decoding: note)
            pid = try? fields?.optionalInteger("pid")
            command = try? fields?.optionalText("command")
            let text = try? fields?.optionalText("since")
            since = text.flatMap { $0 }.flatMap { try? Timestamp(text: $0) }
            socket = try? fields?.optionalText("socket")
        }
    }

    /// Why the lock was not taken.
    public enum Failure: Error, Hashable, Sendable {
        case held(Holder)
        case system(SystemError)
    }

    /// Takes the lock at once, or fails.
    ///
    /// - Parameters:
    ///   - command: What this process is going to do, for whoever finds the lock taken.
    public init(_ folder: StoreFolder, command: String) throws(Failure) {
        note = [
            "pid": .integer(Int64(ProcessEnvironment.processID)), "command": .string(command),
            "since": .string(Timestamp(milliseconds: SystemClock.milliseconds()).description),
        ]
        do throws(FileLock.Failure) {
            lock = try FileLock(folder.lock, note: note.encoded + [UInt8(ascii: "\n")])
        } catch {
            switch error {
            case .held(let note): throw .held(Holder(note))
            case .system(let error): throw .system(error)
            }
        }
    }

    /// Writes into the lock where this process takes the commands of others, or that it does not any more.
    public borrowing func announce(socket: String?) throws(SystemError) {
        var note = note
        note.set("socket", socket)
        try lock.write(note: note.encoded + [UInt8(ascii: "\n")])
    }

    /// Whether it is this process that holds the lock, and not one that got its number later.
    public static func isHeld(_ folder: StoreFolder, by pid: Int64) -> Bool {
        FileLock.isHeld(folder.lock, by: pid)
    }

    /// The process that holds the lock now, if one does.
    public static func holder(of folder: StoreFolder) -> Holder? {
        FileLock.holder(of: folder.lock).map(Holder.init)
    }
}
