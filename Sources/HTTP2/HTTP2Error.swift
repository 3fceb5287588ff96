internal import CNghttp2

/// The reason why an operation of a session failed. It contains nothing of the peer.
public enum HTTP2Error: Error, Hashable, Sendable {
    /// The bytes are not HTTP/2.
    case invalid
    /// The peer asks for more work than the limits of the session allow.
    case flooded
    /// The session is over, or the peer accepts no further streams.
    case closed
    /// The stream is unknown, or has its response already.
    case unknownStream
    /// A method was called by the producer of a body.
    case reentered
    /// The library failed, for example for lack of memory.
    case library

    /// Creates the error of a status of libnghttp2.
    init(status: Int) {
        switch nghttp2_error(rawValue: Int32(clamping: status)) {
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC, NGHTTP2_ERR_PROTO, NGHTTP2_ERR_INVALID_FRAME: self = .invalid
        case NGHTTP2_ERR_FLOODED: self = .flooded
        case NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE, NGHTTP2_ERR_START_STREAM_NOT_ALLOWED, NGHTTP2_ERR_SESSION_CLOSING:
            self = .closed
        case NGHTTP2_ERR_DATA_EXIST, NGHTTP2_ERR_INVALID_STREAM_ID, NGHTTP2_ERR_INVALID_STREAM_STATE,
            NGHTTP2_ERR_STREAM_CLOSED:
            self = .unknownStream
        default: self = .library
        }
    }
}
