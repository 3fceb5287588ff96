import CLinux
import Glibc

extension FileDescriptor {
    /// Accepts a connection that waits at `listener` (see accept4(2)): non-blocking, and inherited by no child. Nil if none
    /// waits, or no descriptor is left.
    public static func accept(from listener: Int32) -> Int32? {
        let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = accept4(listener, nil, nil, flags)
        return number >= 0 ? number : nil
    }
}
