import ByteCoding
import HTTP2
import TestSupport

/// A client and a server session back to back.
final class Conversation {
    let client: HTTP2Session
    let server: HTTP2Session
    /// The sizes in which bytes cross; nil for all at once.
    var pieces: (() -> Int)?
    private(set) var clientEvents: [HTTP2Event] = []
    private(set) var serverEvents: [HTTP2Event] = []
    /// Called with each event of the server.
    var serve: ((HTTP2Event) throws -> Void)?
    /// A source for choices.
    var generator = SeededRandom(seed: 99)
    /// The time of all bytes: frames are paid for by content only.
    let time = ContinuousClock.now
    var consumesAtServer = true
    var consumesAtClient = true

    init(client: HTTP2Limits = HTTP2Limits(), server: HTTP2Limits = HTTP2Limits()) throws {
        self.client = try HTTP2Session(.client, limits: client)
        self.server = try HTTP2Session(.server, limits: server)
    }

    /// Carries bytes until both sides are silent.
    func run() throws {
        var isSilent = false
        while !isSilent {
            let toServer = try client.output(), toClient = try server.output()
            isSilent = toServer.isEmpty && toClient.isEmpty
            for piece in cut(toServer) { try server.receive(piece, at: time) }
            for event in server.takeEvents() {
                serverEvents.append(event)
                if consumesAtServer, case .body(let stream, let bytes) = event {
                    try server.consume(bytes.count, of: stream)
                }
                try serve?(event)
                isSilent = false
            }
            for piece in cut(toClient) { try client.receive(piece, at: time) }
            for event in client.takeEvents() {
                clientEvents.append(event)
                if consumesAtClient, case .body(let stream, let bytes) = event {
                    try client.consume(bytes.count, of: stream)
                }
                isSilent = false
            }
        }
    }

    private func cut(_ bytes: Bytes) -> [Bytes] {
        guard let pieces else { return bytes.isEmpty ? [] : [bytes] }
        var rest = bytes[...], cut: [Bytes] = []
        while !rest.isEmpty {
            let piece = rest.prefix(max(1, pieces()))
            cut.append(Bytes(piece))
            rest = rest.dropFirst(piece.count)
        }
        return cut
    }
}

extension [HTTP2Event] {
    /// The body of a stream, or of all.
    func body(_ stream: HTTP2StreamID? = nil) -> Bytes {
        flatMap { event -> Bytes in
            if case .body(let number, let bytes) = event, stream == nil || stream == number { bytes } else { [] }
        }
    }

    var heads: [(stream: HTTP2StreamID, headers: [HTTP2Header])] {
        compactMap { if case .head(let stream, let headers) = $0 { (stream, headers) } else { nil } }
    }

    var ends: [(stream: HTTP2StreamID, reason: HTTP2Reason)] {
        compactMap { if case .closed(let stream, let reason) = $0 { (stream, reason) } else { nil } }
    }

    /// The events without bodies.
    var withoutBodies: [HTTP2Event] {
        filter { if case .body = $0 { false } else { true } }
    }
}

/// A producer of `bytes` in pieces of `size`.
func pieces(of bytes: Bytes, size: Int = 16384) -> HTTP2Body {
    var rest = bytes[...]
    return { _ in
        let piece = Bytes(rest.prefix(size))
        rest = rest.dropFirst(piece.count)
        return rest.isEmpty ? .last(piece) : .bytes(piece)
    }
}

let post = [HTTP2Header].post("/", authority: "localhost:5443")
