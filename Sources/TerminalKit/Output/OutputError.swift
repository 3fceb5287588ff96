import Glibc
public import SystemIO

/// Why output did not arrive.
public enum OutputError: Error, Hashable, Sendable {
    /// Nobody reads any more: the other end of the pipe is closed.
    case closed
    /// The disk, the quota or the largest size of a file is full.
    case full
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
