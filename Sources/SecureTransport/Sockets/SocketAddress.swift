internal import Glibc
import SystemIO

/// A socket address of the system, for connecting or listening.
struct SocketAddress: Sendable {
    let family: Int32
    private let bytes: [UInt8]

    /// Resolves all addresses of a host, in the system's order. Blocks until the name server answers: call it on a
    /// worker thread.
    static func resolve(host: String, port: UInt16) -> Result<[SocketAddress], ConnectionError> {
        lookUp(host: host, port: port, flags: AI_ADDRCONFIG)
    }

    /// Returns the addresses to listen at, those of all interfaces for nil.
    static func local(host: String?, port: UInt16) -> Result<[SocketAddress], ConnectionError> {
        lookUp(host: host, port: port, flags: AI_PASSIVE)
    }

    private static func lookUp(
        host: String?, port: UInt16, flags: Int32
    ) -> Result<[SocketAddress], ConnectionError> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = flags | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, "\(port)", &hints, &list)
        defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
        switch status {
        case 0: break
        case EAI_SYSTEM: return .failure(.unreachable(.last("look up the host")))
        // No name server answered, so the host may exist.
        case EAI_AGAIN: return .failure(.unreachable(SystemError("look up the host", number: EAGAIN)))
        default: return .failure(.unknownHost)
        }
        var addresses: [SocketAddress] = []
        var entry = unsafe list
        while let current = unsafe entry {
            if let address = unsafe SocketAddress(current.pointee) { addresses.append(address) }
            unsafe entry = current.pointee.ai_next
        }
        return addresses.isEmpty ? .failure(.unknownHost) : .success(addresses)
    }

    private init?(_ info: addrinfo) {
        guard let address = unsafe info.ai_addr else { return nil }
        unsafe family = info.ai_family
        unsafe bytes = [UInt8](UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))
    }

    /// The address without the port; nil for families other than IPv4 and IPv6.
    var ip: IPAddress? { IPAddress(socketAddress: bytes, family: family) }

    /// Creates a non-blocking socket for this family. It sends small packets at once (TCP_NODELAY): with delayed
    /// acknowledgements a message would otherwise wait for 40 ms.
    func makeSocket() throws(SystemError) -> FileDescriptor {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = FileDescriptor(owning: try systemCall("create a socket") { socket(family, type, 0) })
        SocketOption.set(descriptor.number, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        SocketOption.keepAlive(descriptor.number)
        return descriptor
    }

    func withPointer<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("an address has bytes") }
            return unsafe body(start.assumingMemoryBound(to: sockaddr.self), socklen_t(buffer.count))
        }
    }
}

/// Socket options. A socket works without them, so a failure is ignored.
enum SocketOption {
    static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Enables detection of a lost peer within about 90 s: 30 s idle, then 4 probes 15 s apart.
    static func keepAlive(_ descriptor: Int32) {
        set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
        set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, 30)
        set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, 15)
        set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPCNT, 4)
    }
}
