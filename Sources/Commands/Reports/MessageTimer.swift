import ByteCoding
import ChatCore
import CommandKit
import JSONCoding

/// What reports say of a message that disappears.
enum MessageTimer {
    static let fields: [ReportForm.Field] = [
        .sometimes("ttl_ms", .duration, "How long it stays once it was sent, or marked as read"),
        .sometimes("expires_at", .time, "When it disappears here, once that is known"),
    ]

    static func set(_ json: inout JSONObject, _ item: ChatItem) {
        json.set("ttl_ms", item.ttl.map { $0 * 1000 })
        json.set("expires_at", item.expiresAt?.description)
    }
}
