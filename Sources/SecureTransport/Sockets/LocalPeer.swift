internal import Glibc
import SystemIO

/// The other end of a connection within this machine.
public enum LocalPeer {
    /// The largest table that is read, in bytes: some hundred thousand connections.
    private static let limit = 64 << 20

    /// Returns the user of the process that made a connection to a socket of this machine, or nil if the system does not tell.
    ///
    /// Linux lists its TCP sockets with their users in `/proc/net` (proc(5)). Takes a time that grows with the number of sockets.
    public static func user(of socket: Int32) -> UInt32? {
        guard let peer = endpoint(of: socket, isPeer: true), let own = endpoint(of: socket, isPeer: false) else {
            return nil
        }
        for path in ["/proc/net/tcp", "/proc/net/tcp6"] {
            guard let table = try? Files.read(path, limit: limit) else { continue }
            if let user = user(in: String(decoding: table, as: UTF8.self), from: peer, to: own) { return user }
        }
        return nil
    }

    /// An address and a port.
    struct Endpoint: Hashable {
        /// 4 or 16 bytes; an IPv4 address in the form of IPv6 has 4.
        let address: [UInt8]
        let port: UInt16

        init(_ address: [UInt8], _ port: UInt16) {
            let isMapped = address.count == 16 && address.prefix(12) == Endpoint.mapped[...]
            self.address = isMapped ? Array(address.dropFirst(12)) : address
            self.port = port
        }

        private static let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]

        /// Reads `0100007F:1469`: words of four bytes in the order of the machine, and the port.
        init?(_ text: Substring) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].utf8.count % 8 == 0, let port = UInt16(parts[1], radix: 16) else {
                return nil
            }
            var bytes: [UInt8] = [], rest = parts[0]
            while !rest.isEmpty {
                guard let word = UInt32(rest.prefix(8), radix: 16) else { return nil }
                bytes += unsafe withUnsafeBytes(of: word) { unsafe Array($0) }
                rest = rest.dropFirst(8)
            }
            guard bytes.count == 4 || bytes.count == 16 else { return nil }
            self.init(bytes, port)
        }
    }

    /// Finds the user of the socket from `peer` to `own` in a table.
    static func user(in table: String, from peer: Endpoint, to own: Endpoint) -> UInt32? {
        for line in table.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ", maxSplits: 8, omittingEmptySubsequences: true)
            guard fields.count > 7, Endpoint(fields[1]) == peer, Endpoint(fields[2]) == own else { continue }
            return UInt32(fields[7])
        }
        return nil
    }

    private static func endpoint(of socket: Int32, isPeer: Bool) -> Endpoint? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe isPeer ? getpeername(socket, $0, &size) : getsockname(socket, $0, &size)
            }
        }
        guard status == 0 else { return nil }
        let bytes = unsafe withUnsafeBytes(of: storage) { unsafe [UInt8]($0) }
        // The port has the same place in addresses of both families (ip(7), ipv6(7)).
        let port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        switch Int32(storage.ss_family) {
        case AF_INET: return Endpoint(Array(bytes[4..<8]), port)
        case AF_INET6: return Endpoint(Array(bytes[8..<24]), port)
        default: return nil
        }
    }
}
