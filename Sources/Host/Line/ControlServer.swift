public import SystemIO

/// Listens at a socket for other programs of the same user.
public final class ControlServer {
    private let listener: UserListener

    /// Where it listens.
    public var path: String { listener.path }

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
        listener = try UserListener(at: path, loop: loop) { accept(ControlConnection(socket: $0, loop: loop)) }
    }
}
