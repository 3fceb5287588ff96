internal import Glibc

/// An IPv4 or IPv6 address. An IPv4-mapped IPv6 address (RFC 4291 2.5.5.2) is the IPv4 address in it.
public struct IPAddress: Hashable, Sendable {
    /// 4 or 16 bytes in network order.
    public let bytes: [UInt8]

    /// Creates an address from 4 or 16 bytes in network order, or returns nil for another count.
    public init?(_ bytes: [UInt8]) {
        switch bytes.count {
        case 4: self.bytes = bytes
        case 16: self.bytes = bytes.starts(with: IPAddress.mappedPrefix) ? Array(bytes[12...]) : bytes
        default: return nil
        }
    }

    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

    /// Reads a numeric address, or returns nil for a name.
    public init?(_ text: String) {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            guard unsafe inet_pton(family, text, &bytes) == 1 else { continue }
            self.init(bytes)
            return
        }
        return nil
    }

    /// Creates the address of a connected socket's peer, or returns nil if there is no peer or no IP address.
    public init?(ofPeer descriptor: Int32) {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getpeername(descriptor, $0, &size)
            }
        }
        guard status == 0 else { return nil }
        let bytes = unsafe withUnsafeBytes(of: storage) { unsafe [UInt8]($0.prefix(Int(size))) }
        self.init(socketAddress: bytes, family: Int32(storage.ss_family))
    }

    /// Reads the bytes of a `sockaddr_in` or `sockaddr_in6`.
    init?(socketAddress bytes: [UInt8], family: Int32) {
        // The offset and size of the address.
        let place: Range<Int>
        switch family {
        case AF_INET: place = 4..<8
        case AF_INET6: place = 8..<24
        default: return nil
        }
        guard bytes.count >= place.upperBound else { return nil }
        self.init(Array(bytes[place]))
    }

    /// The usual assignment to one customer: an IPv4 address (/32) or an IPv6 network (/64).
    public var network: IPNetwork {
        IPNetwork(bytes: bytes.count == 4 ? bytes : Array(bytes.prefix(8)))
    }

    /// True if the address is reachable from the Internet: it is in no block of the IANA special-purpose address
    /// registries (RFC 6890) and is not multicast.
    ///
    /// IPv6 addresses that lead to an IPv4 address (NAT64, 6to4, Teredo) are not public: they may lead to a private
    /// one.
    public var isPublic: Bool {
        if bytes.count == 4 { return !IPAddress.special4.contains { $0.contains(bytes) } }
        return IPAddress.global6.contains(bytes) && !IPAddress.special6.contains { $0.contains(bytes) }
    }

    /// Returns true if a host is an address that is not public, or the name of the machine itself. Other names are not
    /// resolved, and count as public.
    public static func isPrivate(host: String) -> Bool {
        if let address = IPAddress(host) { return !address.isPublic }
        let name = host.lowercased()
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    private struct Block: Sendable {
        let prefix: [UInt8]
        let bits: Int

        init(_ bits: Int, _ prefix: UInt8...) {
            self.prefix = prefix
            self.bits = bits
        }

        func contains(_ address: [UInt8]) -> Bool {
            for (index, byte) in prefix.enumerated() {
                let left = bits - index * 8
                guard left > 0 else { break }
                let mask: UInt8 = left >= 8 ? 0xff : ~(0xff >> UInt8(left))
                guard address[index] & mask == byte & mask else { return false }
            }
            return true
        }
    }

    private static let special4: [Block] = [
        Block(8, 0),  // this network
        Block(8, 10), Block(12, 172, 16), Block(16, 192, 168),  // private use (RFC 1918)
        Block(10, 100, 64),  // shared address space (RFC 6598)
        Block(8, 127),  // loopback
        Block(16, 169, 254),  // link-local
        Block(24, 192, 0, 0),  // protocol assignments
        Block(24, 192, 0, 2), Block(24, 198, 51, 100), Block(24, 203, 0, 113),  // documentation
        Block(24, 192, 88, 99),  // 6to4 relays, deprecated
        Block(15, 198, 18),  // benchmarks
        Block(4, 224), Block(4, 240),  // multicast; reserved, and broadcast
    ]

    /// The block of global unicast. Other blocks include loopback, NAT64 (64:ff9b::/96), unique local (fc00::/7),
    /// link-local and multicast addresses.
    private static let global6 = Block(3, 0x20)
    private static let special6: [Block] = [
        Block(23, 0x20, 0x01, 0x00),  // protocol assignments: Teredo, benchmarks, ORCHID
        Block(32, 0x20, 0x01, 0x0d, 0xb8), Block(20, 0x3f, 0xff, 0x00),  // documentation
        Block(16, 0x20, 0x02),  // 6to4
    ]
}

/// The addresses that count as one client: an IPv4 address, or a /64 of IPv6.
public struct IPNetwork: Hashable, Sendable {
    /// The 4 or 8 bytes of the prefix.
    let bytes: [UInt8]
}

/// A range of addresses with a common prefix, in CIDR notation: `203.0.113.0/24`, `2001:db8::/48`.
public struct IPRange: Hashable, Sendable, CustomStringConvertible {
    /// The 4 or 16 bytes; those after the prefix are 0.
    let bytes: [UInt8]
    /// The length of the prefix in bits.
    public let bits: Int

    /// Creates the range of the first `bits` bits of an address, at most all bits of the address.
    public init(_ address: IPAddress, bits: Int) {
        let bits = min(max(0, bits), address.bytes.count * 8)
        self.bits = bits
        bytes = address.bytes.enumerated().map { index, byte in
            let left = bits - index * 8
            return left >= 8 ? byte : left <= 0 ? 0 : byte & ~(0xff >> UInt8(left))
        }
    }

    /// Reads a range, or an address as a range of one. Returns nil for other texts, and for nonzero bits after the
    /// prefix.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let address = IPAddress(parts[0]) else { return nil }
        let size = address.bytes.count * 8
        // An IPv4-mapped prefix counts from the start of the 16 bytes: it is not an IPv4 range.
        guard parts.count == 1 || size == 128 || !parts[0].contains(":") else { return nil }
        guard let bits = parts.count == 1 ? size : Int(parts[1]), (0...size).contains(bits) else { return nil }
        self.init(address, bits: bits)
        guard bytes == address.bytes else { return nil }
    }

    /// Returns true if the address is in the range.
    public func contains(_ address: IPAddress) -> Bool {
        address.bytes.count == bytes.count && IPRange(address, bits: bits).bytes == bytes
    }

    /// The range in CIDR notation.
    public var description: String {
        let isIPv4 = bytes.count == 4
        var text = [CChar](repeating: 0, count: 64)
        _ = unsafe inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return bits == bytes.count * 8 ? address : "\(address)/\(bits)"
    }
}

extension IPAddress {
    /// True if the address is one of this machine (127.0.0.0/8, ::1).
    public var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
    }

    /// The addresses that one owner can usually change between: a /24 of IPv4, the smallest routed block, or a /48 of
    /// IPv6, which one site may have (RFC 6177). A loopback address is a range of its own.
    public var range: IPRange {
        IPRange(self, bits: isLoopback ? 128 : bytes.count == 4 ? 24 : 48)
    }

    /// ``network`` as a range.
    public var networkRange: IPRange {
        IPRange(self, bits: bytes.count == 4 ? 32 : 64)
    }
}
