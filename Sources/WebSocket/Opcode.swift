/// The kind of a frame (RFC 6455, section 11.8).
public enum Opcode: UInt8, CaseIterable, Hashable, Sendable {
    /// A further part of the message that has begun.
    case continuation = 0
    /// A message in UTF-8, or its first part.
    case text = 1
    /// A message of any bytes, or its first part.
    case binary = 2
    /// The end of the connection.
    case close = 8
    /// A request to show that the connection works.
    case ping = 9
    /// The answer to a ping.
    case pong = 10

    /// True for frames about the connection, which may stand between the parts of a message.
    public var isControl: Bool { rawValue >= 8 }
}
