internal import Glibc
public import SystemIO

/// A listener for connections at an address of this machine. All calls and callbacks are on the loop's thread.
public final class Listener {
    /// The port: the requested one, or the one that the system chose for 0.
    public let port: UInt16
    private let sockets: [Int32]
    private var acceptors: [ConnectionAcceptor]

    /// Starts to listen at all addresses of `host`, or of this machine for nil.
    ///
    /// - Parameter accept: Takes ownership of each connected, non-blocking socket.
    /// - Throws: ``ConnectionError``.
    public init(
        host: String?, port: UInt16, loop: EventLoop, accept: @escaping (Int32) -> Void
    ) throws(ConnectionError) {
        var sockets: [Int32] = []
        var acceptors: [ConnectionAcceptor] = []
        var actualPort = port
        do throws(ConnectionError) {
            for address in Listener.preferred(try SocketAddress.local(host: host, port: port).get()) {
                sockets.append(try Listener.listen(at: address))
            }
            if let first = sockets.first, port == 0 { actualPort = Listener.port(of: first) }
            for socket in sockets {
                acceptors.append(try Listener.accept(at: socket, on: loop, accept))
            }
        } catch {
            acceptors = []
            for socket in sockets { close(socket) }
            throw error
        }
        self.sockets = sockets
        self.acceptors = acceptors
        self.port = actualPort
    }

    deinit {
        acceptors = []
        for socket in sockets { close(socket) }
    }

    /// Returns the addresses to listen at. An IPv6 socket for all addresses accepts IPv4 connections too; with port 0
    /// two sockets would have two ports.
    private static func preferred(_ addresses: [SocketAddress]) -> [SocketAddress] {
        [addresses.first { $0.family == AF_INET6 } ?? addresses[0]]
    }

    private static func listen(at address: SocketAddress) throws(ConnectionError) -> Int32 {
        do throws(SystemError) {
            let socket = try address.makeSocket()
            SocketOption.set(socket.number, SOL_SOCKET, SO_REUSEADDR, 1)
            if address.family == AF_INET6 { SocketOption.set(socket.number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
            try systemCall("listen") { unsafe address.withPointer { unsafe bind(socket.number, $0, $1) } }
            try systemCall("listen") { Glibc.listen(socket.number, 1024) }
            return socket.release()
        } catch {
            throw .unreachable(error)
        }
    }

    private static func accept(
        at socket: Int32, on loop: EventLoop, _ accept: @escaping (Int32) -> Void
    ) throws(ConnectionError) -> ConnectionAcceptor {
        do throws(SystemError) {
            return try ConnectionAcceptor(socket, on: loop) { connected in
                SocketOption.set(connected, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
                SocketOption.keepAlive(connected)
                accept(connected)
            }
        } catch {
            throw .unreachable(error)
        }
    }

    private static func port(of socket: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = unsafe getsockname(socket, address, &size)
            }
            // The port has the same offset in addresses of both families.
            return unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                UInt16(bigEndian: unsafe address.pointee.sin_port)
            }
        }
    }
}
