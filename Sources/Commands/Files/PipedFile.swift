import ChatCore
import CommandKit
import Synchronization
import SystemIO
import TerminalKit

/// A file that is read from standard input, into the folder for files of the store. It is removed again unless it is sent.
final class PipedFile: Sendable {
    /// The absolute path.
    let path: String
    private let isKept = Mutex(false)

    /// What stands for standard input.
    static let mark = "-"
    /// The name of a file that the user gives none.
    private static let defaultName = "stdin"
    /// The bytes that are read at once.
    private static let partSize = 1 << 16
    /// The largest file of a message in bytes (chat.md 5.1).
    private static let limit = 1 << 30

    /// A name without folders.
    static let name = ValueKind<String>(
        ValueForm("NAME", expected: "a name without slashes"),
        read: { word in
            let isName = !word.isEmpty && word != "." && word != ".." && !word.contains("/") && word.utf8.count <= 200
            return isName ? word : nil
        }, write: { $0 })

    /// Reads standard input to its end.
    ///
    /// - Parameter name: Nil for a name that says where the file comes from.
    init(named name: String?, _ invocation: Invocation) throws {
        let folder = try StoreOpener(invocation, isWriting: true).existingFolder().files
        let name = name ?? PipedFile.defaultName
        if invocation.input.isTerminal { invocation.note("type the file and end it with Ctrl-D") }
        try Files.createFolder(folder)
        let draft = try DraftFile(for: "\(folder)/\(name)")
        var size = 0
        try invocation.input.read(inPartsOf: PipedFile.partSize) { part in
            size += part.count
            guard size <= PipedFile.limit else { throw ChatError.file(.tooLarge(name)) }
            try draft.write(part)
        }
        guard size > 0 else { throw Reason.emptyInput }
        path = try draft.publish(asFirstFreeOf: FileName.candidates(name).map { "\(folder)/\($0)" })
    }

    /// A message has the file.
    func keep() {
        isKept.withLock { $0 = true }
    }

    deinit {
        // One that stays takes room and does no other harm.
        if !isKept.withLock({ $0 }) { try? Files.remove(path) }
    }
}
