import CLinux
import Glibc

/// Sockets in the file system, which only processes of this machine reach (unix(7)).
public enum UnixSocket {
    /// Listens at a path, where nothing may be. The socket is the owner's alone, and does not block.
    public static func listen(at path: String) throws(SystemError) -> FileDescriptor {
        let socket = try make("listen at the socket")
        // SECURITY: a socket gets the mode that the mask leaves of 0777 at once; the folder keeps others out anyway.
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
    /// - Parameter patience: How long the other end may take to take the connection, and whatever is sent to it later; without
    ///   a limit if it is nil. What takes longer fails with an error that ``SystemError/isRetry`` says to be one of time.
    public static func connect(
        to path: String, within patience: Duration? = nil
    ) throws(SystemError) -> FileDescriptor {
        let socket = try make("connect to the socket")
        try limitSending(patience, on: socket.number)
        try unsafe withAddress(of: path, "connect to the socket") { address, length in
            unsafe Glibc.connect(socket.number, address, length)
        }
        return socket
    }

    private static func limitSending(_ patience: Duration?, on socket: Int32) throws(SystemError) {
        let (seconds, attoseconds) = (patience ?? .zero).components
        var time = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        // Zero stands for no limit (socket(7)).
        if patience != nil, time.tv_sec == 0, time.tv_usec == 0 { time.tv_usec = 1 }
        try systemCall("connect to the socket") {
            unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Has calls on a connected socket return at once from now on, with an error instead of a wait.
    public static func stopBlocking(_ socket: Int32) throws(SystemError) {
        try systemCall("connect to the socket") { fcntl(socket, F_SETFL, O_NONBLOCK) }
    }

    /// Sends as many of the bytes as the other end takes now, or waits until it takes some if the socket blocks. That the
    /// other end has gone is an error and no signal.
    public static func send(_ bytes: [UInt8], on socket: Int32) throws(SystemError) -> Int {
        try systemCall("write to the socket") {
            unsafe bytes.withUnsafeBytes { unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }
    }

    /// The user of the process at the other end, as it was when the connection was made.
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

    /// Lends the address of a path. One that is longer than an address can be is reached through its folder.
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
