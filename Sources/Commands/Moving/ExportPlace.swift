import ByteCoding
import ChatCore
import SystemIO
import TerminalKit

/// Where an export goes: a new file that nobody sees before it is complete, or standard output.
///
/// What is wrong with the place is found before anything is done.
final class ExportPlace: @unchecked Sendable {
    // Safe because it is used by one thread, and by another only after that.

    let isStandardOutput: Bool
    private let path: String
    private let replaces: Bool
    private let output: Output
    private var draft: DraftFile?

    /// - Parameters:
    ///   - folder: The store, whose own files are no place.
    ///   - isBinary: Whether a terminal could not show it.
    init(_ invocation: Invocation, besides folder: StoreFolder, isBinary: Bool) throws {
        path = invocation[ExportCommand.file]
        replaces = invocation[ExportCommand.force]
        output = invocation.output
        isStandardOutput = path == "-"
        guard !isStandardOutput else {
            // What is carried out for others is printed as text.
            let takesBytes = invocation.host == nil && (replaces || !output.traits.isTerminal)
            guard !isBinary || takesBytes else { throw Failure.archiveShown }
            draft = nil
            return
        }
        if let status = try? Files.status(path) {
            guard status.isRegular else {
                throw Reason.exportToSpecialFile(path)
            }
            guard replaces else { throw Reason.exportExists(path) }
            guard try !folder.contains(path) else {
                throw Reason.exportIntoStore
            }
        }
        do throws(SystemError) {
            draft = try DraftFile(for: path)
        } catch {
            throw Reason.exportNotMade(error, at: path)
        }
    }

    func write(_ bytes: Bytes) throws {
        if isStandardOutput { try output.write(bytes) } else { try draft?.write(bytes) }
    }

    func write(_ text: String) throws {
        try write(Bytes(text.utf8))
    }

    /// Lets everybody see the whole.
    func publish() throws {
        guard !isStandardOutput else { return try output.flush() }
        do throws(SystemError) {
            try draft.take()?.publish(replaces: replaces)
        } catch {
            guard error.condition != .exists else { throw Reason.exportExists(path) }
            throw error
        }
    }
}
