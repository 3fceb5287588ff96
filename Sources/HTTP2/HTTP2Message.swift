public import ByteCoding

/// A header field or pseudo-header field of a message. Names are in lower case.
public struct HTTP2Header: Hashable, Sendable {
    /// The name: `:status`, `content-type`.
    public var name: String
    /// The value. Bytes that are not UTF-8 were replaced.
    public var value: String

    /// Creates a header.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [HTTP2Header] {
    /// Returns the headers of a request by `POST`, without further ones.
    ///
    /// - Parameter authority: The host, with the port unless it is 443.
    public static func post(_ path: String, authority: String) -> [HTTP2Header] {
        [
            HTTP2Header(":method", "POST"), HTTP2Header(":scheme", "https"), HTTP2Header(":authority", authority),
            HTTP2Header(":path", path),
        ]
    }

    /// Returns the headers of a response, without further ones.
    public static func status(_ status: Int) -> [HTTP2Header] {
        [HTTP2Header(":status", "\(status)")]
    }

    /// Returns the value of the first header with this name.
    public subscript(name: String) -> String? {
        first { $0.name == name }?.value
    }
}

/// The number of a stream within its session, chosen by the side that sent the request.
public struct HTTP2StreamID: Hashable, Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }
}

/// A result of the producer of a body.
public enum HTTP2Piece: Hashable, Sendable {
    /// The next bytes, of any size. Fewer bytes than asked for are usual; no bytes count as ``wait``.
    case bytes(Bytes)
    /// The last bytes, which may be none.
    case last(Bytes)
    /// There are no bytes yet: the producer is called again after ``HTTP2Session/resume(_:)``.
    case wait
    /// The body cannot be completed: the stream is reset.
    case failed
}

/// The producer of a body, called while ``HTTP2Session/output(limit:)`` runs, whenever the peer accepts more bytes. It
/// may not call the session.
///
/// The parameter is the number of bytes that can be sent now, at most 16384. Bytes in excess of it are kept by the
/// session.
public typealias HTTP2Body = (Int) -> HTTP2Piece

/// The reason for the end of a stream (RFC 9113 7).
public struct HTTP2Reason: RawRepresentable, Hashable, Sendable {
    /// The code on the wire.
    public let rawValue: UInt32

    /// Creates a reason.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Without an error.
    public static let done = HTTP2Reason(rawValue: 0)
    /// An error of the side that reports it.
    public static let internalError = HTTP2Reason(rawValue: 2)
    /// The stream was not processed, and may be repeated.
    public static let refused = HTTP2Reason(rawValue: 7)
    /// The stream is not needed any longer.
    public static let cancelled = HTTP2Reason(rawValue: 8)
    /// The peer exceeds its limits.
    public static let excess = HTTP2Reason(rawValue: 11)
}

/// An event of a session.
public enum HTTP2Event: Hashable, Sendable {
    /// The headers of a request, at the server, or of the final response, at the client.
    case head(HTTP2StreamID, [HTTP2Header])
    /// Bytes of a body. They count in the windows until ``HTTP2Session/consume(_:of:)``.
    case body(HTTP2StreamID, Bytes)
    /// The end of the message of the peer.
    case end(HTTP2StreamID)
    /// The end of the stream, in both directions; ``HTTP2Reason/done`` after two complete messages. It is the last event
    /// of a stream.
    case closed(HTTP2StreamID, HTTP2Reason)
    /// The peer accepts no further streams.
    case goAway
}
