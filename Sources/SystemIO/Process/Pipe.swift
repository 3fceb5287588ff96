import CLinux
import Glibc

/// A pipe that no child inherits unless it is given to it.
public enum Pipe {
    /// Makes one. Both ends are the caller's to close.
    public static func make() throws(SystemError) -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        // At once, not with a second call: a child that another thread starts in between would inherit the ends, and the
        // reader would wait for that child too.
        try systemCall("create a pipe") { unsafe pipe2(&ends, O_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
