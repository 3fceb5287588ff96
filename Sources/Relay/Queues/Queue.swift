import ByteCoding
import CryptoCore
import SMPProtocol
import Store

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

extension Queue {
    /// Reads the columns that ``QueueStore`` selects, behind the number.
    convenience init(number: Int64, from row: inout Row) throws(StoreError) {
        self.init(
            number: number, recipientID: try row.entityID(), senderID: try row.entityID(),
            recipientKeys: try row.keys(), secret: try row.agreement(),
            senderKey: try row.optional { row throws(StoreError) in try row.key() },
            mode: try row.optional { row throws(StoreError) in try row.mode() }, isOff: try row.bool(),
            lastUsed: try row.int64(), linkID: try row.optional { row throws(StoreError) in try row.entityID() },
            notifier: try row.notifier())
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

    /// The agreement of two X25519 keys.
    fileprivate mutating func agreement() throws(StoreError) -> Secret {
        let secret = try secret()
        guard secret.count == SecretBox.keySize else { throw StoreError(.damaged) }
        return secret
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
        let secret = try optional { row throws(StoreError) in try row.agreement() }
        guard let id, let key, let secret else { return nil }
        return Notifier(id: id, key: key, secret: secret)
    }
}
