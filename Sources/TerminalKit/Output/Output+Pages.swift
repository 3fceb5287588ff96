import ByteCoding
import SystemIO

extension Output {
    /// Writes text of our own that may be longer than a screen: on a terminal through a pager, anywhere else as it is.
    public func write(page text: String, environment: [String: String]) throws(OutputError) {
        if traits.isTerminal, let pager = Pager(environment: environment) {
            try flush()
            if pager.show(text, environment: environment) { return }
        }
        try write(verbatim: text)
    }
}

/// A program that shows long text a screen at a time.
struct Pager: Hashable, Sendable {
    /// A line for the shell.
    let command: String

    /// The pager that the user wants: `TACIT_PAGER`, else `PAGER`, else less, if it is there. A variable that is empty, or
    /// `cat`, and a terminal that cannot move its cursor, ask for none.
    init?(environment: [String: String]) {
        guard environment["TERM"] != "dumb" else { return nil }
        // F: short text needs no pager; R: colours; X: what was read stays on the screen.
        let wish = environment["TACIT_PAGER"] ?? environment["PAGER"] ?? "less -FRX"
        guard !wish.isEmpty, wish != "cat" else { return nil }
        command = wish
    }

    /// Shows text until the user has seen enough. False if there is no such program.
    func show(_ text: String, environment: [String: String]) -> Bool {
        var environment = environment
        // SECURITY: the key of the store is no business of another program.
        environment["TACIT_KEY"] = nil
        let ending: Subprocess.Ending
        do throws(SystemError) {
            let process = try ReadingProcess("/bin/sh", ["sh", "-c", command], environment: environment)
            // Who has seen enough closes the pipe.
            try? Delivery.write(Bytes(text.utf8), to: process.input.number)
            ending = try process.finish()
        } catch {
            return false
        }
        // The shell says with these that it could not run the program (POSIX, XCU 2.8.2).
        return ending != .exited(127) && ending != .exited(126)
    }
}
