/// What goes to a terminal and comes from it, without any logic of the program.
///
/// - ``Output``: standard output or error with what is known about it (``StreamTraits``); buffered, and every failure is
///   a value (``OutputError``).
/// - ``StyledText``: text with a ``Style`` by meaning; colour is decided when it is written.
/// - ``UntrustedText``: text of a peer. It reaches a screen escaped, on one line or behind a margin.
/// - ``Table``, ``PlainRecord`` and `JSONObject`: the three forms of results (`text`, `--plain`, `--json`).
/// - ``QRCode``: a text that a camera reads from the screen.
/// - ``ProgressLine`` and ``ControllingTerminal``: what only exists where a person sits.
/// - ``Failure``: an error as a person or a script sees it, with its ``ExitCode``.
///
/// Widths are columns of a terminal, counted by Unicode tables of our own (``Swift/String/displayWidth``). Nothing here
/// decides what is written, and nothing needs Foundation.
///
/// ```swift
/// let output = Output(descriptor: 1, traits: StreamTraits(descriptor: 1, color: .auto, environment: variables))
/// try output.write(line: StyledText("@alice", .name) + " hi")
/// try output.flush()
/// ```
import Glibc
public import SystemIO

/// Why output did not arrive.
public enum OutputError: Error, Hashable, Sendable {
    /// Nobody reads any more: the other end of the pipe is closed.
    case closed
    /// The disk, the quota or the largest size of a file is full.
    case full
    /// The reader takes nothing, or less than there is, and too much waits for it.
    case stalled
    case failed(SystemError)

    /// The error of the write that failed last on this thread.
    static func last() -> OutputError {
        switch errno {
        case EPIPE, ECONNRESET: .closed
        case ENOSPC, EDQUOT, EFBIG: .full
        default: .failed(.last("write the output"))
        }
    }
}
