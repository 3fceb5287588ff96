import ByteCoding
import CryptoCore
import SMPProtocol
import Store

/// A queue as stored in the relay's file. Every change is written to the file first.
final class Queue {
    /// The key of its row.
    let number: Int64
    let recipientID: EntityID
    let senderID: EntityID
    /// The secret that encrypts messages for the recipient.
    let secret: Secret
    /// The mode; nil for a queue created below version 9, which its recipient secures and which may have any purpose.
    let mode: QueueMode?
    /// The recipient's keys, at least one.
    var recipientKeys: [AuthorizationKey]
    /// The sender's key; nil for a queue that is not secured.
    var senderKey: AuthorizationKey?
    /// True if the queue accepts no further messages.
    var isOff = false
    var linkID: EntityID?
    var notifier: Notifier?
    /// The number of the service that receives the messages of the queue with its others.
    var service: Int64?
    /// The day of the last use, counted from 1970-01-01.
    var lastUsed: Int64
    /// The messages in order; nil until they are needed.
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

    /// True if the queue takes requests of many senders: a contact queue, or an unsecured one without a mode.
    var isContact: Bool {
        switch mode {
        case .messaging: false
        case .contact: true
        case nil: senderKey == nil
        }
    }

    /// True if the queue has its one sender.
    var isSecuredForMessages: Bool { mode != .contact && senderKey != nil }
}

/// The notifier of a queue.
struct Notifier {
    let id: EntityID
    let key: AuthorizationKey
    /// The secret that encrypts the metadata of notifications.
    let secret: Secret
    /// The number of the service that receives the notifications with those of its others.
    var service: Int64?
}

extension Queue {
    /// Reads the columns that ``QueueStore`` selects, after the number.
    convenience init(number: Int64, from row: inout Row) throws(StoreError) {
        self.init(
            number: number, recipientID: try row.entityID(), senderID: try row.entityID(),
            recipientKeys: try row.keys(), secret: try row.secret(size: SecretBox.keySize),
            senderKey: try row.optional { row throws(StoreError) in try row.key() },
            mode: try row.optional { row throws(StoreError) in try row.mode() }, isOff: try row.bool(),
            lastUsed: try row.int64(), linkID: try row.optional { row throws(StoreError) in try row.entityID() },
            notifier: try row.notifier())
        service = try row.optional { row throws(StoreError) in try row.int64() }
        notifier?.service = try row.optional { row throws(StoreError) in try row.int64() }
    }

    private convenience init(
        number: Int64, recipientID: EntityID, senderID: EntityID, recipientKeys: [AuthorizationKey], secret: Secret,
        senderKey: AuthorizationKey?, mode: QueueMode?, isOff: Bool, lastUsed: Int64, linkID: EntityID?,
        notifier: Notifier?
    ) {
        self.init(
            number: number, recipientID: recipientID, senderID: senderID, secret: secret, mode: mode,
            recipientKeys: recipientKeys, lastUsed: lastUsed)
        self.senderKey = senderKey
        self.isOff = isOff
        self.linkID = linkID
        self.notifier = notifier
    }
}

extension Row {
    fileprivate mutating func entityID() throws(StoreError) -> EntityID {
        let bytes = try bytes()
        guard (1...Int(UInt8.max)).contains(bytes.count) else { throw StoreError(.damaged) }
        return EntityID(bytes)
    }

    fileprivate mutating func key() throws(StoreError) -> AuthorizationKey {
        let der = try bytes()
        guard let key = try? AuthorizationKey(der: der) else { throw StoreError(.damaged) }
        return key
    }

    fileprivate mutating func keys() throws(StoreError) -> [AuthorizationKey] {
        var reader = ByteReader(try bytes())
        guard let keys: [AuthorizationKey] = try? reader.nonEmptyList() else { throw StoreError(.damaged) }
        return keys
    }

    fileprivate mutating func mode() throws(StoreError) -> QueueMode {
        switch try text() {
        case "M": .messaging
        case "C": .contact
        default: throw StoreError(.damaged)
        }
    }

    fileprivate mutating func notifier() throws(StoreError) -> Notifier? {
        let id = try optional { row throws(StoreError) in try row.entityID() }
        let key = try optional { row throws(StoreError) in try row.key() }
        let secret = try optional { row throws(StoreError) in try row.secret(size: SecretBox.keySize) }
        guard let id, let key, let secret else { return nil }
        return Notifier(id: id, key: key, secret: secret)
    }
}
