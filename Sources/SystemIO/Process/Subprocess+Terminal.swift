extension Subprocess {
    /// Runs a program to its end that talks to the user itself: it has the standard streams of this process. The program is
    /// found at `path`; the first argument is its name.
    public static func runOnTerminal(
        _ path: String, _ arguments: [String], environment: [String: String]
    ) throws(SystemError) -> Ending {
        let pid = try Spawning.start(path, arguments, environment: environment, input: 0, output: 1, errors: 2)
        return try wait(for: pid)
    }
}
