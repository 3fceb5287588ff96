import SecureTransport
public import SystemIO

/// The port or the Unix socket at which clients of the API connect. On the loop's thread.
final class APIListener {
    /// The address with the port that the system chose.
    let address: ListenAddress
    private let ports: Listener?
    private let socket: UserListener?

    /// Starts to listen. A Unix socket that an earlier process left is replaced.
    ///
    /// - Parameter accept: Takes ownership of each connected socket.
    init(_ address: ListenAddress, _ loop: EventLoop, accept: @escaping (Int32) -> Void) throws(ListenFailure) {
        switch address {
        case .port(let host, let port):
            let listener: Listener
            do throws(ConnectionError) {
                listener = try Listener(host: host, port: port, loop: loop, accept: accept)
            } catch .unreachable(let error) {
                throw ListenFailure(error: error)
            } catch {
                throw ListenFailure(error: nil)
            }
            ports = listener
            socket = nil
            self.address = .port(host: host, listener.port)
        case .socket(let path):
            do throws(SystemError) {
                if try APIListener.isAbandoned(path) { try Files.remove(path) }
                socket = try UserListener(at: path, loop: loop, accept: accept)
            } catch {
                throw ListenFailure(error: error)
            }
            ports = nil
            self.address = address
        }
    }

    private static func isAbandoned(_ path: String) throws(SystemError) -> Bool {
        guard (try? Files.status(path, followsLink: false).isSocket) == true else { return false }
        return !ControlConnection.isTaken(path)
    }
}

/// The reason why an address cannot be listened at.
public struct ListenFailure: Error {
    /// The error of the system; nil if the host has no address.
    public let error: SystemError?

    public init(error: SystemError?) {
        self.error = error
    }
}
