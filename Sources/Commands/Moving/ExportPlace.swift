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
            guard !isBinary || takesBytes else { throw ExportPlace.terminal }
            draft = nil
            return
        }
        if let status = try? Files.status(path) {
            guard status.isRegular else {
                throw Reason(
                    "file.special", .noOutput, "this is no regular file", why: ["it is \(UntrustedText(path).quoted)"],
                    tries: [.init("tacit export - > FILE", "write to whatever the shell opens")])
            }
            guard replaces else { throw ExportPlace.exists(path) }
            guard try !folder.contains(path) else {
                throw Reason("file.store", .noOutput, "this is a part of the store itself")
            }
        }
        do throws(SystemError) {
            draft = try DraftFile(for: path)
        } catch {
            throw Reason(error, "the file cannot be made", at: path, "file.create", .noOutput)
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
            guard error.condition != .exists else { throw ExportPlace.exists(path) }
            throw error
        }
    }

    private static let terminal = Failure(
        "output.terminal", .usage, "a terminal cannot show an archive",
        tries: [
            .init("tacit export backup.zip", "write a file"), .init("tacit export - > backup.zip"),
            .init("tacit export --format txt -", "read the history"),
        ])

    private static func exists(_ path: String) -> Reason {
        Reason(
            "file.exists", .noOutput, "the file exists already", why: ["it is \(UntrustedText(path).quoted)"],
            tries: [.init(words: ["tacit", "export", "--force", path], "replace it")])
    }
}
