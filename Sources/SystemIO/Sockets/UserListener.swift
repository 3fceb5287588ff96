/// A listener at a Unix socket for processes of the same user, active during its life. All calls are on the loop's thread.
public final class UserListener {
    /// The path of the socket, which is removed at the end.
    public let path: String
    private let socket: FileDescriptor
    private var acceptor: ConnectionAcceptor?

    /// Starts to listen at an unused path.
    ///
    /// - Parameter accept: Takes ownership of each connected, non-blocking socket.
    /// - Throws: ``SystemError``.
    public init(at path: String, loop: EventLoop, accept: @escaping (Int32) -> Void) throws(SystemError) {
        let socket = try UnixSocket.listen(at: path)
        let user = ProcessEnvironment.userID
        acceptor = try ConnectionAcceptor(socket.number, on: loop) { connected in
            // SECURITY: the mode keeps other users out; root could connect all the same.
            guard let peer = try? UnixSocket.peerUser(of: connected), peer == user else {
                _ = FileDescriptor(owning: connected)
                return
            }
            accept(connected)
        }
        self.path = path
        self.socket = socket
    }

    deinit {
        acceptor = nil
        try? Files.remove(path)
    }
}
