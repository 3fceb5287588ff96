import ByteCoding

/// The budget of a peer for frames, which it uses up by frames without content (RFC 9113 10.5).
///
/// Each frame costs one: empty DATA, PRIORITY, interim responses, SETTINGS, PING, RST_STREAM, WINDOW_UPDATE, CONTINUATION,
/// and frames of unknown types and closed streams, which the library reports to no callback. The compressed bytes of
/// headers cost more. Time, received bodies and sent bytes pay for frames, so that a transfer never uses up its budget.
struct FrameBudget {
    private enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let continuation: UInt8 = 9
    }

    /// The largest saved amount.
    private let most: Double
    private let rate: Double
    private var left: Double
    private var lastTime: ContinuousClock.Instant?
    /// The rest of the preface or of the payload that is arriving.
    private var payload: Int
    /// The received part of the head that is arriving.
    private var head: Bytes = []

    private static let headSize = 9
    /// The size of the preface of a client (RFC 9113 3.4).
    private static let prefaceSize = 24
    /// The bytes of DATA that pay for one frame.
    private static let bodyBytes = 512.0
    /// The sent bytes that pay for one frame: a peer sends up to four WINDOW_UPDATE for each DATA of 16 KiB.
    private static let sentBytes = 4096.0
    /// The compressed bytes of headers that cost as much as one frame.
    private static let headerBytes = 256.0

    init(_ limits: HTTP2Limits, ofClient: Bool) {
        most = Double(limits.frames)
        rate = Double(limits.frameRate)
        left = most
        payload = ofClient ? FrameBudget.prefaceSize : 0
    }

    /// Counts the frames that begin in bytes of the peer. Returns false if there are too many.
    mutating func take(_ bytes: Bytes, at time: ContinuousClock.Instant) -> Bool {
        if let lastTime { pay(rate * ((time - lastTime) / .seconds(1))) }
        lastTime = time
        var rest = bytes[...]
        while !rest.isEmpty {
            if payload > 0 {
                let part = min(payload, rest.count)
                payload -= part
                rest = rest.dropFirst(part)
                continue
            }
            let part = rest.prefix(FrameBudget.headSize - head.count)
            head += part
            rest = rest.dropFirst(part.count)
            guard head.count == FrameBudget.headSize else { break }
            payload = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            let kind = head[3]
            head.removeAll(keepingCapacity: true)
            left -= 1
            switch kind {
            case Kind.data: pay(Double(payload) / FrameBudget.bodyBytes)
            case Kind.headers, Kind.continuation: left -= Double(payload) / FrameBudget.headerBytes
            default: break
            }
            if left < 0 { return false }
        }
        return true
    }

    /// Counts bytes for the peer.
    mutating func sent(_ count: Int) {
        pay(Double(count) / FrameBudget.sentBytes)
    }

    private mutating func pay(_ amount: Double) {
        left = min(most, left + amount)
    }
}
