import ByteCoding
public import SystemIO

/// Listens at a socket for other programs of the same user.
public final class ControlServer {
    /// Where it listens.
    public let path: String
    private let socket: FileDescriptor
    private var acceptor: ConnectionAcceptor?

    /// Begins to listen. What an earlier process left at the path is removed: only who holds the lock of the store may be
    /// there.
    ///
    /// - Parameters:
    ///   - path: In a folder that is the user's alone.
    ///   - accept: Gets each connection of this user.
    public init(
        at path: String, loop: EventLoop, accept: @escaping (ControlConnection) -> Void
    ) throws(SystemError) {
        try? Files.remove(path)
        let socket = try UnixSocket.listen(at: path)
        let user = ProcessEnvironment.userID
        acceptor = try ConnectionAcceptor(socket.number, on: loop) { connected in
            // SECURITY: the folder and the mode keep other users out; root could come in all the same.
            guard let peer = try? UnixSocket.peerUser(of: connected), peer == user else {
                _ = FileDescriptor(owning: connected)
                return
            }
            accept(ControlConnection(socket: connected, loop: loop))
        }
        self.path = path
        self.socket = socket
    }

    deinit {
        acceptor = nil
        try? Files.remove(path)
    }
}
