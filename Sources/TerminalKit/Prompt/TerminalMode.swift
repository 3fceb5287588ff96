import Glibc
import SystemIO

/// How a terminal treats what is typed (termios(3)), with the way back.
public struct TerminalMode {
    private let descriptor: Int32
    private let original: termios

    /// Remembers the present mode of a terminal.
    public init(of descriptor: Int32) throws(PromptError) {
        var mode = termios()
        guard unsafe tcgetattr(descriptor, &mode) == 0 else { throw .system(.last("look at the terminal")) }
        self.descriptor = descriptor
        original = mode
    }

    /// Makes the terminal give out whole lines, and show what is typed or nothing but the end of the line.
    func readLines(showing isShown: Bool) throws(PromptError) {
        var mode = original
        mode.c_iflag |= tcflag_t(ICRNL)
        mode.c_lflag |= tcflag_t(ICANON | ISIG)
        if !isShown {
            mode.c_lflag &= ~tcflag_t(ECHO)
            mode.c_lflag |= tcflag_t(ECHONL)
        }
        // What was typed before the question is no answer to it.
        guard unsafe tcsetattr(descriptor, TCSAFLUSH, &mode) == 0 else {
            throw .system(.last("change the terminal"))
        }
    }

    /// Makes the terminal give out every key at once and as it is, also those for signals, and show nothing by itself.
    public func readKeys() throws(PromptError) {
        var mode = original
        mode.c_iflag &= ~tcflag_t(ICRNL | INLCR | IXON)
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN | ISIG)
        guard unsafe tcsetattr(descriptor, TCSADRAIN, &mode) == 0 else {
            throw .system(.last("change the terminal"))
        }
    }

    /// Goes back to the mode at the beginning.
    ///
    /// - Parameter dropsTyped: Whether what was not read is dropped: it may be the rest of a secret, and the shell would
    ///   show or even run it.
    public func restore(dropsTyped: Bool = true) {
        var mode = original
        while unsafe tcsetattr(descriptor, dropsTyped ? TCSAFLUSH : TCSADRAIN, &mode) != 0, errno == EINTR {}
    }
}
