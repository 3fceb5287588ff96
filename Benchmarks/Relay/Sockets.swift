import Glibc

/// A connected, non-blocking socket. Waits for the connection: the benchmark has nothing else to do.
func connectedSocket(host: String, port: UInt16) -> Int32 {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "\(port)", &hints, &list) == 0, let address = unsafe list?.pointee else {
        stop("the host is not known")
    }
    defer { unsafe freeaddrinfo(list) }
    let number = unsafe socket(address.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0, unsafe connect(number, address.ai_addr, address.ai_addrlen) == 0 else {
        stop("the relay cannot be reached: \(errno)")
    }
    var one: Int32 = 1
    _ = unsafe setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
    return number
}
