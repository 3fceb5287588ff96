import ByteCoding
internal import Glibc

/// The destination in a SOCKS request (RFC 1928 section 4): address and port.
struct SOCKSTarget: Hashable, Sendable {
    enum Address: Hashable, Sendable {
        /// 4 bytes.
        case ipv4(Bytes)
        /// 16 bytes.
        case ipv6(Bytes)
        /// 1 to 255 bytes.
        case domain(Bytes)
    }

    let address: Address
    let port: UInt16

    /// Creates a destination, or returns nil for a host that does not fit into a request. Names are not resolved here.
    init?(host: String, port: UInt16) {
        if let bytes = SOCKSTarget.parsed(host, AF_INET, count: 4) {
            address = .ipv4(bytes)
        } else if let bytes = SOCKSTarget.parsed(host, AF_INET6, count: 16) {
            address = .ipv6(bytes)
        } else {
            guard (1...255).contains(host.utf8.count) else { return nil }
            address = .domain(Bytes(host.utf8))
        }
        self.port = port
    }

    private static func parsed(_ host: String, _ family: Int32, count: Int) -> Bytes? {
        var isAddress = false
        let bytes = unsafe Bytes(unsafeUninitializedCapacity: count) { buffer, filled in
            isAddress = unsafe inet_pton(family, host, buffer.baseAddress) == 1
            filled = isAddress ? count : 0
        }
        return isAddress ? bytes : nil
    }

    func encode(into writer: inout ByteWriter) {
        switch address {
        case .ipv4(let bytes):
            writer.uint8(1)
            writer.raw(bytes)
        case .domain(let bytes):
            writer.uint8(3)
            writer.shortBytes(bytes)
        case .ipv6(let bytes):
            writer.uint8(4)
            writer.raw(bytes)
        }
        writer.uint16(port)
    }
}
