public import ByteCoding
public import SMPClient
import XFTPProtocol

/// The parameters of a connection to a file relay.
public struct FileSessionParameters: Sendable {
    /// The versions of the client.
    public var versions = XFTP.versions
    /// The route to the hosts of the relay.
    public var route = RelayRoute()
    /// The time limit for connecting to each host of the relay.
    public var connectDeadline: Duration = .seconds(15)
    /// The time limit of the TLS handshake.
    public var handshakeDeadline: Duration = .seconds(15)
    /// The time limit for opening the session, for all hosts together.
    public var openingDeadline: Duration = .seconds(60)
    /// The time limit for progress of a command: for a response, and for each part of a chunk.
    public var answerDeadline: Duration = .seconds(30)
    /// The time without progress after which an upload stalls, while the relay may do better with fewer uploads at once.
    public var stallDeadline: Duration = .seconds(5)
    /// The largest number of requests without a response on one connection, of which one may be an upload.
    ///
    /// A relay that works on one request at a time leaves the bodies of the others unread. They use up the window of the connection,
    /// 65,535 bytes (RFC 9113 6.9.2), and without it the first one cannot end. Three blocks of 16,384 bytes leave room.
    public var mostRequests: Int = 3
    /// The lowest rate of a chunk in bytes per second. A slower transfer fails, and counts as an attempt.
    public var lowestRate: Int = 2048

    /// Creates the default parameters.
    public init() {}

    /// The time limit of a whole command with a chunk of this size.
    func transferDeadline(size: Int64) -> Duration {
        answerDeadline + .seconds(size / Int64(max(1, lowestRate)))
    }
}
