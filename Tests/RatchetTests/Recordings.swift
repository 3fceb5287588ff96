import TestSupport

/// The recorded conversations.
enum Recordings {
    static let files = [
        "ratchet", "ratchet-plain", "ratchet-versions", "ratchet-pq", "ratchet-pq-order", "ratchet-pq-switch",
        "ratchet-pq-switch2",
    ]
    static let all = files.flatMap { VectorFile.cases($0) }

    /// Whether a KEM takes part: one side has a key for it, or some step made one.
    static func usesKEM(_ recording: Vector) -> Bool {
        let sides = [recording["x3dh"]["initiator"], recording["x3dh"]["joiner"]]
        let used = recording["steps"].list.flatMap { $0.field("randomUsed")?.list ?? [] }
        return sides.contains { $0["kem"].text != "none" } || used.contains { $0["kind"].text.hasPrefix("kem") }
    }
}
