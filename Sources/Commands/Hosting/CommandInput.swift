import ControlSocket
import Synchronization
import SystemIO

/// What `-` on a command line stands for: a stream that is read to its end, once.
final class CommandInput: Sendable {
    private let file: SharedFile?
    private let content = Mutex<[UInt8]?>(nil)

    /// Standard input of this process.
    static let standard = CommandInput(SharedFile(FileDescriptor(owning: 0)))

    /// A file that was passed with the command; nil if there was none, which reads like an empty one.
    init(_ file: SharedFile?) {
        self.file = file
    }

    /// Whether a person types it.
    var isTerminal: Bool { file.map { Terminal(descriptor: $0.file.number).isTerminal } ?? false }

    /// Everything up to the end, if that is at most `limit` bytes. It is kept, in case that another process has to read it.
    func readAll(limit: Int) throws(SystemError) -> [UInt8] {
        guard let file else { return [] }
        let bytes = try file.file.readAll(limit: limit, "read standard input")
        content.withLock { $0 = bytes }
        return bytes
    }

    /// A file from which another process reads the same.
    func reopened() throws(SystemError) -> SharedFile? {
        guard let bytes = content.withLock({ $0 }) else { return file }
        return SharedFile(try FileDescriptor(inMemory: bytes))
    }
}
