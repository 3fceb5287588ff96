public import ByteCoding

/// The reason why a connection ends (RFC 6455, section 7.4).
public struct CloseCode: Error, Hashable, Sendable {
    /// The number of the reason.
    public let number: UInt16

    private init(known number: UInt16) {
        self.number = number
    }

    /// The purpose of the connection is fulfilled.
    public static let normal = CloseCode(known: 1000)
    /// The server stops.
    public static let goingAway = CloseCode(known: 1001)
    /// The other side broke the protocol.
    public static let protocolError = CloseCode(known: 1002)
    /// The other side sent a kind of message that is not accepted.
    public static let unsupported = CloseCode(known: 1003)
    /// A text is not UTF-8.
    public static let invalidText = CloseCode(known: 1007)
    /// The other side broke a rule that has no code of its own.
    public static let policy = CloseCode(known: 1008)
    /// A message is too large.
    public static let tooLarge = CloseCode(known: 1009)

    /// Reads the number of a received frame.
    ///
    /// - Throws: ``protocolError`` for a number that must not be sent (sections 7.4.1 and 7.4.2).
    init(received number: UInt16) throws(CloseCode) {
        switch number {
        // 1004 is reserved; 1005, 1006 and 1015 stand for the absence of a frame.
        case 1000...1003, 1007...1014, 3000...4999: self.number = number
        default: throw .protocolError
        }
    }

    /// The payload of a close frame with a reason, which is cut off if it is too long.
    public func payload(_ reason: String = "") -> Bytes {
        var bytes = Bytes([UInt8(number >> 8), UInt8(truncatingIfNeeded: number)])
        for scalar in reason.unicodeScalars {
            let next = Array(String(scalar).utf8)
            guard bytes.count + next.count <= Frame.controlLimit else { break }
            bytes += next
        }
        return bytes
    }
}
