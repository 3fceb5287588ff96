import Glibc

/// A connected, non-blocking socket, or nil. Waits for the connection: the benchmark has nothing else to do.
func connectedSocket(host: String, port: UInt16) -> Int32? {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "\(port)", &hints, &list) == 0, let address = unsafe list?.pointee else {
        return nil
    }
    defer { unsafe freeaddrinfo(list) }
    let number = unsafe socket(address.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { return nil }
    guard unsafe connect(number, address.ai_addr, address.ai_addrlen) == 0 else {
        close(number)
        return nil
    }
    var one: Int32 = 1
    _ = unsafe setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
    return number
}

/// A port of the loopback interface that nobody listens at. Somebody else may take it before it is used.
func unusedPort() -> UInt16 {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            unsafe bind(number, address, size) == 0 ? getsockname(number, address, &size) : -1
        }
    }
    guard status == 0 else { stop("no port") }
    return UInt16(bigEndian: address.sin_port)
}
