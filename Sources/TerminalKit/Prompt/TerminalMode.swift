import Glibc
import SystemIO

/// The input mode of a terminal (termios(3)), which can be restored.
public struct TerminalMode {
    private let descriptor: Int32
    private let original: termios

    /// Saves the current mode of a terminal.
    ///
    /// - Throws: ``PromptError``.
    public init(of descriptor: Int32) throws(PromptError) {
        var mode = termios()
        guard unsafe tcgetattr(descriptor, &mode) == 0 else { throw .system(.last("look at the terminal")) }
        self.descriptor = descriptor
        original = mode
    }

    /// Switches to whole lines, with or without echo.
    func readLines(showing isShown: Bool) throws(PromptError) {
        var mode = original
        mode.c_iflag |= tcflag_t(ICRNL)
        mode.c_lflag |= tcflag_t(ICANON | ISIG)
        if !isShown {
            mode.c_lflag &= ~tcflag_t(ECHO)
            mode.c_lflag |= tcflag_t(ECHONL)
        }
        // Earlier input is not an answer to the question.
        guard unsafe tcsetattr(descriptor, TCSAFLUSH, &mode) == 0 else {
            throw .system(.last("change the terminal"))
        }
    }

    /// Switches to single keys without echo, including the keys of signals.
    ///
    /// - Throws: ``PromptError``.
    public func readKeys() throws(PromptError) {
        var mode = original
        mode.c_iflag &= ~tcflag_t(ICRNL | INLCR | IXON)
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN | ISIG)
        guard unsafe tcsetattr(descriptor, TCSADRAIN, &mode) == 0 else {
            throw .system(.last("change the terminal"))
        }
    }

    /// Restores the saved mode.
    ///
    /// - Parameter dropsTyped: True to discard unread input. It may be the rest of a secret, which the shell would show
    ///   or even run.
    public func restore(dropsTyped: Bool = true) {
        var mode = original
        while unsafe tcsetattr(descriptor, dropsTyped ? TCSAFLUSH : TCSADRAIN, &mode) != 0, errno == EINTR {}
    }
}
