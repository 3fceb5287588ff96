import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import Store

/// What this side keeps of a call that is not over, besides its entry.
struct CallKeys {
    /// Names the call for the program with the sound.
    let uuid: String
    /// The own part of the key agreement; nil if the streams are not encrypted.
    let privateKey: X25519.PrivateKey?
    /// The key of the streams, once both parts are known.
    var sharedKey: Bytes?

    /// The keys of a new call.
    init(encrypted isEncrypted: Bool, random: any RandomSource) {
        uuid = CallKeys.uuid(random.bytes(16))
        privateKey = isEncrypted ? X25519.PrivateKey(random: random) : nil
    }

    fileprivate init(uuid: String, privateKey: X25519.PrivateKey?, sharedKey: Bytes?) {
        self.uuid = uuid
        self.privateKey = privateKey
        self.sharedKey = sharedKey
    }

    /// The own part as the other side gets it.
    var publicKey: String? { privateKey.map { Base64URL.encode($0.publicKey.der) } }

    /// Takes the part of the other side. A key that is none leaves the streams without.
    mutating func agree(with key: String?) {
        guard let privateKey, let bytes = key.flatMap({ try? Base64URL.decode($0) }),
            let other = try? X25519.PublicKey(der: bytes), let shared = try? privateKey.agree(with: other)
        else { return }
        sharedKey = shared.copyBytes()
    }

    var agreement: CallAgreement { CallAgreement(uuid: uuid, sharedKey: sharedKey.map { Base64URL.encode($0) }) }

    /// The text of a random UUID (RFC 9562, version 4).
    ///
    /// - Parameter random: 16 bytes.
    private static func uuid(_ random: Bytes) -> String {
        var bytes = random
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return [bytes[..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]].map { Hex.encode($0) }
            .joined(separator: "-")
    }
}

/// What programs with sound and pictures get of a call.
public struct CallAgreement: Hashable, Sendable {
    /// Names the call on this machine.
    public var uuid = ""
    /// The key of the streams, in base64url; nil if they are not encrypted, or if the other side has not sent its part.
    public var sharedKey: String?

    public init(uuid: String = "", sharedKey: String? = nil) {
        self.uuid = uuid
        self.sharedKey = sharedKey
    }
}

extension LocatedItem {
    /// `RcvCallInvitation` of the API.
    func invitation(_ profile: OwnProfile, _ agreement: CallAgreement) -> JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("contact", chat.contact)
        fields.set("callType", item.content.call?.invitation.type)
        fields.set("sharedKey", agreement.sharedKey)
        fields.set("callUUID", agreement.uuid)
        fields.set("callTs", item.time.apiText)
        // The official core has no entry for it yet.
        fields.set("chatItem", self)
        return fields
    }
}

extension CallAgreement {
    /// Reads what ``LocatedItem/invitation(_:_:)`` has of it.
    init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(uuid: try fields.text("callUUID"), sharedKey: try fields.optionalText("sharedKey"))
    }
}

extension ChatStore {
    func setCallKeys(_ keys: CallKeys, of id: ChatItemID) throws {
        try database.run(
            "INSERT OR REPLACE INTO call_keys (item_id, uuid, private_key, shared_key) VALUES (?, ?, ?, ?)", id.number,
            keys.uuid, keys.privateKey?.secret.copyBytes(), keys.sharedKey)
    }

    /// Nil for a call that is over.
    func callKeys(of id: ChatItemID) throws -> CallKeys? {
        try database.first("SELECT uuid, private_key, shared_key FROM call_keys WHERE item_id = ?", id.number) {
            row throws(StoreError) in
            let uuid = try row.text()
            let privateKey = try row.optional { row throws(StoreError) in try row.bytes() }
            let sharedKey = try row.optional { row throws(StoreError) in try row.bytes() }
            return CallKeys(
                uuid: uuid, privateKey: privateKey.flatMap { try? X25519.PrivateKey(Secret(copying: $0)) },
                sharedKey: sharedKey)
        }
    }

    func removeCallKeys(of id: ChatItemID) throws {
        try database.run("DELETE FROM call_keys WHERE item_id = ?", id.number)
    }
}
