import ByteCoding
import CryptoCore
import SMPProtocol

/// A queue, as the relay's file holds it. Every change goes to the file first.
final class Queue {
    /// The key of its row.
    let number: Int64
    let recipientID: EntityID
    let senderID: EntityID
    /// Encrypts what the recipient gets.
    let secret: Secret
    /// Nil for a queue that was made below version 9: it is secured by its recipient and may be anything.
    let mode: QueueMode?
    /// At least one.
    var recipientKeys: [AuthorizationKey]
    /// Nil while everybody who knows the sender id may send.
    var senderKey: AuthorizationKey?
    /// Accepts no further messages.
    var isOff = false
    var linkID: EntityID?
    var notifier: Notifier?
    /// Days since 1970.
    var lastUsed: Int64
    /// What waits in the queue, in order; nil until it is needed.
    var messages: [StoredMessage]?

    init(
        number: Int64, recipientID: EntityID, senderID: EntityID, secret: Secret, mode: QueueMode?,
        recipientKeys: [AuthorizationKey], lastUsed: Int64
    ) {
        self.number = number
        self.recipientID = recipientID
        self.senderID = senderID
        self.secret = secret
        self.mode = mode
        self.recipientKeys = recipientKeys
        self.lastUsed = lastUsed
    }

    /// Whether it takes the requests of many: a contact queue, or one of before there were modes that nobody secured.
    var isContact: Bool {
        switch mode {
        case .messaging: false
        case .contact: true
        case nil: senderKey == nil
        }
    }

    /// Whether it has the one sender that it is meant for.
    var isSecuredForMessages: Bool { mode != .contact && senderKey != nil }
}

/// Who is told that a message has come.
struct Notifier {
    let id: EntityID
    let key: AuthorizationKey
    /// Encrypts the metadata of notifications.
    let secret: Secret
}
