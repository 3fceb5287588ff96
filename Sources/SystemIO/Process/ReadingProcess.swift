import Glibc

/// A child process that reads what this one writes, and shares its screen: a pager.
///
/// While it runs, the signals of the keyboard are for it alone, as they are when a shell waits.
public struct ReadingProcess: ~Copyable {
    private let pid: Int32
    private let keyboard: KeyboardSignals
    /// The writing end of the child's standard input.
    public let input: FileDescriptor

    /// Starts `path` with exactly these arguments (the first is the program's name) and environment.
    public init(_ path: String, _ arguments: [String], environment: [String: String]) throws(SystemError) {
        let (reader, writer) = try Pipe.make()
        defer { close(reader) }
        do throws(SystemError) {
            pid = try Spawning.start(path, arguments, environment: environment, input: reader, output: 1, errors: 2)
        } catch {
            close(writer)
            throw error
        }
        input = FileDescriptor(owning: writer)
        keyboard = KeyboardSignals()
    }

    /// Says that nothing more comes, and waits for the end of the child.
    public consuming func finish() throws(SystemError) -> Subprocess.Ending {
        let pid = pid, keyboard = keyboard
        close(input.release())
        defer { keyboard.restore() }
        return try Subprocess.wait(for: pid)
    }
}
