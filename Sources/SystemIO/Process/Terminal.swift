import Glibc

/// What is known about a standard stream.
public struct Terminal: Sendable {
    /// Whether a person may be at the other end.
    public let isTerminal: Bool
    /// The width in columns, if the terminal says so.
    public let columns: Int?
    /// The height in rows, if the terminal says so.
    public let rows: Int?

    /// Asks about the stream with this descriptor.
    public init(descriptor: Int32) {
        isTerminal = isatty(descriptor) == 1
        var size = winsize()
        let answered = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        columns = answered && size.ws_col > 0 ? Int(size.ws_col) : nil
        rows = answered && size.ws_row > 0 ? Int(size.ws_row) : nil
    }
}
