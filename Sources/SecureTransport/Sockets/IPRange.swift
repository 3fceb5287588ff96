internal import Glibc

/// The addresses that begin with the same bits, as CIDR notation writes them: `203.0.113.0/24`, `2001:db8::/48`.
public struct IPRange: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes; those behind the prefix are 0.
    let bytes: [UInt8]
    /// How many bits the addresses have in common.
    public let bits: Int

    /// The range of the first `bits` bits of an address. More bits than the address has are all of its bits.
    public init(_ address: IPAddress, bits: Int) {
        let bits = min(max(0, bits), address.bytes.count * 8)
        self.bits = bits
        bytes = address.bytes.enumerated().map { index, byte in
            let left = bits - index * 8
            return left >= 8 ? byte : left <= 0 ? 0 : byte & ~(0xff >> UInt8(left))
        }
    }

    /// Reads an address, which is a range of its own, or a range. Nil for other texts, and for bits behind the prefix that are not 0.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let address = IPAddress(parts[0]) else { return nil }
        let size = address.bytes.count * 8
        // An IPv4-mapped prefix counts from the start of the 16 bytes: that is no IPv4 range.
        guard parts.count == 1 || size == 128 || !parts[0].contains(":") else { return nil }
        guard let bits = parts.count == 1 ? size : Int(parts[1]), (0...size).contains(bits) else { return nil }
        self.init(address, bits: bits)
        guard bytes == address.bytes else { return nil }
    }

    public func contains(_ address: IPAddress) -> Bool {
        address.bytes.count == bytes.count && IPRange(address, bits: bits).bytes == bytes
    }

    public var description: String {
        let isIPv4 = bytes.count == 4
        var text = [CChar](repeating: 0, count: 64)
        _ = unsafe inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return bits == bytes.count * 8 ? address : "\(address)/\(bits)"
    }
}

extension IPAddress {
    /// True for an address of this machine (127.0.0.0/8, ::1).
    public var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
    }

    /// The addresses that one owner can usually change between: a /24 of IPv4, which is the smallest block that is routed, or a /48
    /// of IPv6, which one site may have (RFC 6177). An address of this machine is a range of its own.
    public var range: IPRange {
        IPRange(self, bits: isLoopback ? 128 : bytes.count == 4 ? 24 : 48)
    }

    /// ``network`` as a range.
    public var networkRange: IPRange {
        IPRange(self, bits: bytes.count == 4 ? 32 : 64)
    }
}
