import Glibc
import SystemIO

/// How a terminal treats what is typed (termios(3)), with the way back.
struct TerminalMode {
    private let descriptor: Int32
    private let original: termios

    /// Remembers the present mode of a terminal.
    init(of descriptor: Int32) throws(PromptError) {
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

    /// Goes back to the mode at the beginning. What was not read is dropped: it may be the rest of a secret, and the
    /// shell would show or even run it.
    func restore() {
        var mode = original
        while unsafe tcsetattr(descriptor, TCSAFLUSH, &mode) != 0, errno == EINTR {}
    }
}
