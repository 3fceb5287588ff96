import Glibc

extension Subprocess {
    /// Runs a program to its end, with `input` on its standard input; its output and errors go where those of this process
    /// go. The program is found at `path`; the first argument is its name.
    public static func run(
        _ path: String, _ arguments: [String], environment: [String: String], input: [UInt8]
    ) throws(SystemError) -> Ending {
        // Not a pipe: a program that reads nothing, or late, must not keep this one waiting.
        let file = try FileDescriptor(inMemory: input)
        let pid = try Spawning.start(
            path, arguments, environment: environment, input: file.number, output: 1, errors: 2)
        return try wait(for: pid)
    }

    /// Runs a program to its end on the terminal of this process: an editor. Meanwhile the signals of the keyboard are for it
    /// alone, as they are when a shell waits.
    public static func run(
        _ path: String, _ arguments: [String], environment: [String: String]
    ) throws(SystemError) -> Ending {
        let pid = try Spawning.start(path, arguments, environment: environment, input: 0, output: 1, errors: 2)
        let keyboard = KeyboardSignals()
        defer { keyboard.restore() }
        return try wait(for: pid)
    }
}
