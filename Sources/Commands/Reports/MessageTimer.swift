import ByteCoding
import ChatCore
import CommandKit
import JSONCoding

/// What reports say of a message that disappears.
enum MessageTimer {
    static let fields: [ReportForm.Field] = [
        .sometimes("ttl_ms", .duration, "Lifetime after sending, or after being marked as read"),
        .sometimes("expires_at", .time, "Time when the message disappears here, once known"),
    ]

    static func set(_ json: inout JSONObject, _ item: ChatItem) {
        json.set("ttl_ms", item.ttl.map { $0 * 1000 })
        // The time begins again when it leaves the outbox.
        json.set("expires_at", item.status.isUnsent ? nil : item.expiresAt?.description)
    }
}
