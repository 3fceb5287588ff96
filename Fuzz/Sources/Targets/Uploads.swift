import AttackSupport
import ByteCoding
import Glibc
import HTTP2
import SystemIO

extension FuzzTarget {
    /// Clients of a file relay that begin, continue, end and break off uploads, and send frames of their own.
    static let uploads = FuzzTarget(name: "uploads") { input in
        guard let sessions = Sessions.shared.sessions else { return promise(false, "no file relay: it cannot start") }
        do {
            try sessions.play(input)
        } catch let broken as UploadSessions.Broken {
            promise(false, "\(broken): \(Hex.encode(input))")
        } catch {
            // The client of the test refuses what it has made the relay send.
        }
    }

    /// libFuzzer runs one input after the other.
    private struct Sessions: @unchecked Sendable {
        let sessions: UploadSessions?

        static let shared = Sessions(sessions: try? UploadSessions("/dev/shm/tacit-uploads-\(getpid())"))
    }

    /// The bytes of a peer for both sides of HTTP/2, at once and in pieces.
    static let http2 = FuzzTarget(name: "http2") { input in
        for side in [HTTP2Session.Side.server, .client] {
            for size in [input.count, 7] where size > 0 {
                guard let session = try? HTTP2Session(side) else { return }
                if side == .client { _ = try? session.request(.post("/", authority: "h")) { _ in .last([1]) } }
                converse(session, input, size)
            }
        }
    }

    private static func converse(_ session: HTTP2Session, _ input: Bytes, _ size: Int) {
        let now = ContinuousClock.now
        var rest = input[...], open: Set<HTTP2StreamID> = []
        while !rest.isEmpty, !session.isFinished {
            do throws(HTTP2Error) {
                try session.receive(Bytes(rest.prefix(size)), at: now)
                rest = rest.dropFirst(size)
                for event in session.takeEvents() {
                    switch event {
                    case .head(let stream, _):
                        promise(open.insert(stream).inserted, "HTTP2: two heads: \(Hex.encode(input))")
                        if open.count % 2 == 0 { try session.respond(to: stream, .status(200)) }
                    case .body(let stream, let bytes): try session.consume(bytes.count, of: stream)
                    case .closed(let stream, _): open.remove(stream)
                    case .end, .goAway: break
                    }
                }
                _ = try session.output()
            } catch {
                guard error == .unknownStream else { return }
            }
        }
        promise(session.streamCount <= HTTP2Limits().streams + 2, "HTTP2: too many streams: \(Hex.encode(input))")
    }
}
