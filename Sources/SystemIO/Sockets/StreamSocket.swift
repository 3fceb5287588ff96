import Glibc

/// Calls for connected sockets of any family.
public enum StreamSocket {
    /// Tells the other side that nothing more is sent (shutdown(2)); it may still send. A connection that is broken stays so.
    public static func endSending(_ socket: Int32) {
        _ = shutdown(socket, Int32(SHUT_WR))
    }
}
