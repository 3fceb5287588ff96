import CLinux
import Glibc

/// The ways to end or stop the process.
public enum ProcessEnding {
    /// Ends the process with a status.
    public static func exit(_ status: Int32) -> Never {
        Glibc.exit(status)
    }

    /// Turns a file that exceeds the size limit into an error of the writer, instead of ending the process
    /// (setrlimit(2)).
    public static func outlivesFileSizeLimit() {
        Glibc.signal(SIGXFSZ, SIG_IGN)
    }

    /// Ends the process by SIGPIPE, as a program whose reader has closed the pipe.
    public static func closedPipe() -> Never {
        signal(SIGPIPE)
    }

    /// Ends the process by a signal with its default action, so that a shell sees the signal.
    public static func signal(_ number: Int32) -> Never {
        Glibc.signal(number, SIG_DFL)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        // The signal does not end a process by default.
        Glibc.exit(128 + number)
    }

    /// Stops the process, as Ctrl-Z does, until the shell continues it.
    public static func suspend() {
        raise(SIGSTOP)
    }
}
