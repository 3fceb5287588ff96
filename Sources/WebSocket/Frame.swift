public import ByteCoding

/// One frame (RFC 6455, section 5.2).
public struct Frame: Hashable, Sendable {
    /// The largest payload of a control frame (section 5.5).
    public static let controlLimit = 125

    /// True for the last part of a message, and for every control frame.
    public var isFinal: Bool
    /// The kind.
    public var opcode: Opcode
    /// The payload without its mask.
    public var payload: Bytes

    /// Creates a frame.
    public init(_ opcode: Opcode, _ payload: Bytes, isFinal: Bool = true) {
        self.opcode = opcode
        self.payload = payload
        self.isFinal = isFinal
    }

    /// The bytes on the wire, with the shortest form of the length.
    ///
    /// - Parameter mask: Four bytes from a client; nil from a server.
    public func encoded(mask: Bytes? = nil) -> Bytes {
        precondition(mask == nil || mask?.count == FrameHeader.maskSize, "a mask has four bytes")
        let flag: UInt8 = mask == nil ? 0 : 0x80
        var bytes = Bytes()
        bytes.reserveCapacity(payload.count + FrameHeader.largestSize)
        bytes.append((isFinal ? 0x80 : 0) | opcode.rawValue)
        switch payload.count {
        case ...125: bytes.append(flag | UInt8(payload.count))
        case ...0xffff:
            bytes.append(flag | 126)
            bytes.append(UInt8(payload.count >> 8))
            bytes.append(UInt8(truncatingIfNeeded: payload.count))
        default:
            bytes.append(flag | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        guard let mask else { return bytes + payload }
        bytes += mask
        bytes += FrameHeader.unmasked(payload[...], mask)
        return bytes
    }
}

/// What stands before the payload of a frame.
struct FrameHeader: Hashable {
    static let maskSize = 4
    static let largestSize = 14

    let isFinal: Bool
    let opcode: Opcode
    let length: Int
    /// Nil for a frame without a mask.
    let mask: Bytes?
    /// The size of the header itself.
    let size: Int

    /// Reads the header at the start of `bytes`; returns nil if more bytes are needed.
    ///
    /// - Throws: ``CloseCode/protocolError``, also for a length that is not in its shortest form.
    static func read(_ bytes: Bytes.SubSequence) throws(CloseCode) -> FrameHeader? {
        var reader = ByteReader(Bytes(bytes.prefix(largestSize)))
        guard let first = try? reader.uint8() else { return nil }
        // The reserved bits belong to extensions, and none was agreed on.
        guard first & 0x70 == 0, let opcode = Opcode(rawValue: first & 0x0f) else { throw .protocolError }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { throw .protocolError }
        guard let second = try? reader.uint8() else { return nil }
        let short = second & 0x7f
        guard short <= Frame.controlLimit || !opcode.isControl else { throw .protocolError }
        var length = Int(short)
        if short == 126 {
            guard let long = try? reader.uint16() else { return nil }
            guard long > Frame.controlLimit else { throw .protocolError }
            length = Int(long)
        } else if short == 127 {
            guard let long = try? reader.int64() else { return nil }
            guard long > 0xffff else { throw .protocolError }
            length = Int(long)
        }
        var mask: Bytes?
        if second & 0x80 != 0 {
            guard let found = try? reader.take(maskSize) else { return nil }
            mask = found
        }
        let size = min(bytes.count, largestSize) - reader.remaining
        return FrameHeader(isFinal: isFinal, opcode: opcode, length: length, mask: mask, size: size)
    }

    /// Applies a mask (section 5.3), or removes it.
    static func unmasked(_ bytes: Bytes.SubSequence, _ mask: Bytes) -> Bytes {
        var result = Bytes(bytes)
        for index in result.indices { result[index] ^= mask[index & 3] }
        return result
    }
}
