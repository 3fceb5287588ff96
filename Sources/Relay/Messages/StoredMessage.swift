import ByteCoding
import SMPProtocol

/// A message that waits in a queue.
final class StoredMessage {
    /// Its place in the queue: later messages have larger numbers.
    let number: Int64
    /// 24 random bytes, which are also the nonce of the box.
    let id: EntityID
    /// When it came, by the later of both clocks (``ExpiryClock``): a clock that is corrected must not make it old.
    let time: Timestamp
    /// Whether it is the marker at the end of a full queue.
    let isQuota: Bool
    /// Where the body is in the file.
    let slot: Int64
    /// The body as its recipient gets it, while it is fresh (``FreshMessages``).
    var box: Bytes?

    init(number: Int64, id: EntityID, time: Timestamp, isQuota: Bool, slot: Int64, box: Bytes? = nil) {
        self.number = number
        self.id = id
        self.time = time
        self.isQuota = isQuota
        self.slot = slot
        self.box = box
    }
}

/// The newest messages, whose bodies are in memory too: most are delivered within milliseconds, and are then never read
/// from the file.
struct FreshMessages {
    private var ring: [StoredMessage?]
    private var next = 0

    /// - Parameter limit: How many bodies are kept, 16 KB each.
    init(limit: Int) {
        precondition(limit > 0, "a ring has places")
        ring = Array(repeating: nil, count: limit)
    }

    /// Keeps the body of a message that was just stored, in the place of the oldest.
    mutating func insert(_ message: StoredMessage) {
        ring[next]?.box = nil
        ring[next] = message
        next = (next + 1) % ring.count
    }
}
