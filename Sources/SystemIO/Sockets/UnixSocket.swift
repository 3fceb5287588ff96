import CLinux
import Glibc

/// Unix domain sockets, accessible to processes of this machine only (unix(7)).
public enum UnixSocket {
    /// Listens at an unused path. The socket belongs to the user alone and does not block.
    ///
    /// - Throws: ``SystemError``.
    public static func listen(at path: String) throws(SystemError) -> FileDescriptor {
        let socket = try make("listen at the socket")
        // SECURITY: the socket gets its mode from the umask on creation; the folder excludes other users anyway.
        try unsafe withAddress(of: path, "listen at the socket") { address, length in
            unsafe bind(socket.number, address, length)
        }
        try systemCall("listen at the socket") { unsafe chmod(path, 0o600) }
        try systemCall("listen at the socket") { Glibc.listen(socket.number, 64) }
        try systemCall("listen at the socket") { fcntl(socket.number, F_SETFL, O_NONBLOCK) }
        return socket
    }

    /// Connects to a socket; calls on it block.
    ///
    /// - Parameter timeout: The time limit for connecting, and for each later send; nil for no limit. Its error is one
    ///   of ``SystemError/isRetry``.
    /// - Throws: ``SystemError``.
    public static func connect(
        to path: String, within timeout: Duration? = nil
    ) throws(SystemError) -> FileDescriptor {
        let socket = try make("connect to the socket")
        try limitSending(timeout, on: socket.number)
        try unsafe withAddress(of: path, "connect to the socket") { address, length in
            unsafe Glibc.connect(socket.number, address, length)
        }
        return socket
    }

    private static func limitSending(_ timeout: Duration?, on socket: Int32) throws(SystemError) {
        let (seconds, attoseconds) = (timeout ?? .zero).components
        var time = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        // Zero means no limit (socket(7)).
        if timeout != nil, time.tv_sec == 0, time.tv_usec == 0 { time.tv_usec = 1 }
        try systemCall("connect to the socket") {
            unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Makes a connected socket non-blocking.
    ///
    /// - Throws: ``SystemError``.
    public static func stopBlocking(_ socket: Int32) throws(SystemError) {
        try systemCall("connect to the socket") { fcntl(socket, F_SETFL, O_NONBLOCK) }
    }

    /// Sends as many bytes as the other side accepts; a blocking socket waits until it accepts some. A closed
    /// connection is an error, not a signal.
    ///
    /// - Throws: ``SystemError``.
    public static func send(_ bytes: [UInt8], on socket: Int32) throws(SystemError) -> Int {
        try systemCall("write to the socket") {
            unsafe bytes.withUnsafeBytes { unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }
    }

    /// Returns the user of the process at the other end when the connection was made.
    ///
    /// - Throws: ``SystemError``.
    public static func peerUser(of socket: Int32) throws(SystemError) -> UInt32 {
        var credentials = tacit_ucred(), size = socklen_t(MemoryLayout<tacit_ucred>.size)
        try systemCall("ask who is connected") {
            unsafe getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
        }
        return credentials.uid
    }

    private static func make(_ operation: StaticString) throws(SystemError) -> FileDescriptor {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        return FileDescriptor(owning: try systemCall(operation) { socket(AF_UNIX, type, 0) })
    }

    /// Lends the address of a path. A path that exceeds the size of an address is reached through its folder.
    private static func withAddress(
        of path: String, _ operation: StaticString, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SystemError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        var name = Array(path.utf8), folder: Int32 = -1
        defer { if folder >= 0 { close(folder) } }
        if name.count >= capacity, let slash = path.lastIndex(of: "/") {
            let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
            folder = try systemCall(operation) { unsafe open(String(path[..<slash]), flags) }
            name = Array("/proc/self/fd/\(folder)\(path[slash...])".utf8)
        }
        guard name.count < capacity else { throw SystemError(operation, number: ENAMETOOLONG) }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        try systemCall(operation) {
            unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe call(address, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
    }
}
