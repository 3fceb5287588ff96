internal import Glibc
import SystemIO

/// The other end of a connection within this machine.
public enum LocalPeer {
    /// The largest table that is read, in bytes: some hundred thousand connections.
    private static let limit = 64 << 20

    /// The number of the state ESTABLISHED in all tables of the kernel.
    private static let established: UInt8 = 1

    /// Returns true if a connection within this machine is open in both directions, and the socket at its other end belongs
    /// to `user`. False if the system does not report it.
    ///
    /// SECURITY: a socket without a process (closed, or in TIME_WAIT) is listed with the user 0, so only open ones count. The
    /// own end is asked last: while it is open, no other connection can have had its addresses.
    public static func isConnected(_ socket: Int32, to user: UInt32) -> Bool {
        guard isEstablished(socket), let peer = endpoint(of: socket, isPeer: true),
            let own = endpoint(of: socket, isPeer: false),
            SocketQuery.user(from: peer, to: own) ?? userInTables(from: peer, to: own) == user
        else { return false }
        return isEstablished(socket)
    }

    /// Finds a user in the lists of all sockets (proc(5)), for systems that answer no ``SocketQuery``.
    private static func userInTables(from peer: Endpoint, to own: Endpoint) -> UInt32? {
        for path in ["/proc/net/tcp", "/proc/net/tcp6"] {
            guard let table = try? Files.read(path, limit: limit) else { continue }
            if let user = user(in: String(decoding: table, as: UTF8.self), from: peer, to: own) { return user }
        }
        return nil
    }

    private static func isEstablished(_ socket: Int32) -> Bool {
        // The state is the first byte (tcp(7)).
        var info = tcp_info(), size = socklen_t(MemoryLayout<tcp_info>.size)
        let status = unsafe getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &size)
        return status == 0 && size > 0 && info.tcpi_state == established
    }

    /// A question to the kernel about one TCP connection (sock_diag(7)), answered in constant time.
    enum SocketQuery {
        private static let sizeOfHeader = 16, sizeOfRequest = 72, sizeOfAnswer = 88
        private static let kind: UInt16 = 20

        /// Returns the user of the open socket from `peer` to `own`; nil if there is none, or no answer.
        static func user(from peer: Endpoint, to own: Endpoint) -> UInt32? {
            let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            guard let number = try? systemCall("ask for a socket", { Glibc.socket(AF_NETLINK, type, 4) }) else {
                return nil
            }
            let socket = FileDescriptor(owning: number)
            guard (try? socket.write(request(from: peer, to: own))) != nil, let answer = try? socket.read(8192) else {
                return nil
            }
            return user(in: answer, from: peer, to: own)
        }

        static func request(from peer: Endpoint, to own: Endpoint) -> [UInt8] {
            var bytes = native(UInt32(sizeOfRequest)) + native(kind) + native(UInt16(1)) + native(UInt32(1))
            bytes += native(UInt32(0))
            bytes += [family(of: peer), UInt8(IPPROTO_TCP), 0, 0] + native(UInt32.max)
            bytes += identity(from: peer, to: own)
            // Any interface, any cookie.
            return bytes + native(UInt32(0)) + native(UInt32.max) + native(UInt32.max)
        }

        /// Reads an answer: a header, the family and the state, the ports at byte 20, the addresses, the user at byte 80. The
        /// addresses may be those of IPv4 in the form of IPv6.
        static func user(in answer: [UInt8], from peer: Endpoint, to own: Endpoint) -> UInt32? {
            guard answer.count >= sizeOfAnswer, Array(answer[4..<6]) == native(kind), answer[17] == established,
                Array(answer[20..<24]) == ports(peer, own)
            else { return nil }
            return unsafe answer.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: 80, as: UInt32.self) }
        }

        private static func family(of endpoint: Endpoint) -> UInt8 {
            UInt8(endpoint.address.count == 4 ? AF_INET : AF_INET6)
        }

        /// Both ports, then both addresses in 16 bytes each.
        private static func identity(from peer: Endpoint, to own: Endpoint) -> [UInt8] {
            ports(peer, own) + [peer, own].flatMap { $0.address + [UInt8](repeating: 0, count: 16 - $0.address.count) }
        }

        private static func ports(_ peer: Endpoint, _ own: Endpoint) -> [UInt8] {
            [peer.port, own.port].flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        }

        private static func native<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
        }
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

    /// Finds the user of the open socket from `peer` to `own` in a table.
    static func user(in table: String, from peer: Endpoint, to own: Endpoint) -> UInt32? {
        for line in table.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ", maxSplits: 8, omittingEmptySubsequences: true)
            guard fields.count > 7, UInt8(fields[3], radix: 16) == established, Endpoint(fields[1]) == peer,
                Endpoint(fields[2]) == own
            else { continue }
            return UInt32(fields[7])
        }
        return nil
    }

    static func endpoint(of socket: Int32, isPeer: Bool) -> Endpoint? {
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
