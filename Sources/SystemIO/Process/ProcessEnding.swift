import CLinux
import Glibc

/// Ways out of the process.
public enum ProcessEnding {
    /// Ends the process with a status.
    public static func exit(_ status: Int32) -> Never {
        Glibc.exit(status)
    }

    /// Has a file that may not grow any more be an error of whoever writes to it, and not the end of the process
    /// (setrlimit(2)).
    public static func outlivesFileSizeLimit() {
        Glibc.signal(SIGXFSZ, SIG_IGN)
    }

    /// Ends the process as a program whose reader has gone.
    public static func closedPipe() -> Never {
        signal(SIGPIPE)
    }

    /// Ends the process by a signal, as if nobody had caught it, so that a shell sees what happened.
    public static func signal(_ number: Int32) -> Never {
        Glibc.signal(number, SIG_DFL)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        // A signal that does not end a process by default.
        Glibc.exit(128 + number)
    }

    /// Stops the process, as Ctrl-Z does, until the shell has it go on.
    public static func suspend() {
        raise(SIGSTOP)
    }
}
