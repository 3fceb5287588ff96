import Glibc

/// The properties of a standard stream.
public struct Terminal: Sendable {
    /// True if the stream is a terminal.
    public let isTerminal: Bool
    /// The width in columns, if known.
    public let columns: Int?
    /// The height in rows, if known.
    public let rows: Int?

    /// Reads the properties of the stream with this descriptor.
    public init(descriptor: Int32) {
        isTerminal = isatty(descriptor) == 1
        var size = winsize()
        let answered = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        columns = answered && size.ws_col > 0 ? Int(size.ws_col) : nil
        rows = answered && size.ws_row > 0 ? Int(size.ws_row) : nil
    }
}
