/// The limits of a session, which bound its memory.
///
/// A session keeps at most `connectionWindow` bytes of bodies, and about `streams` × `headerBytes` bytes of headers, for
/// its peer.
public struct HTTP2Limits: Hashable, Sendable {
    /// The largest number of streams that the peer may have open.
    public var streams = 32
    /// The largest size of the headers of a message: names, values and 32 bytes for each (RFC 9113 6.5.2).
    public var headerBytes = 8192
    /// The number of body bytes that the peer may send on a stream before the first ``HTTP2Session/consume(_:of:)``.
    public var streamWindow = 256 << 10
    /// The same for all streams together.
    public var connectionWindow = 1 << 20
    /// The largest number of streams that the peer resets in excess of those that it completes (CVE-2023-44487).
    public var resets = 100
    /// The largest number of waiting acknowledgements of PING and SETTINGS.
    public var acknowledgements = 100
    /// The number of frames without content that the peer may send at once.
    public var frames = 1000
    /// The number of frames without content that the peer may send per second. A peer that sends more is stopped.
    public var frameRate = 100

    /// Creates limits.
    public init() {}
}
