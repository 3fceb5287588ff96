import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport

// Builds values from the descriptions in the recordings.

extension Vector {
    var entity: EntityID { EntityID(bytes) }

    func entity(_ key: String) -> EntityID? { field(key).map { EntityID($0.bytes) } }

    func x25519(_ key: String) throws -> X25519.PublicKey { try X25519.PublicKey(raw: self[key].bytes) }

    func authorizationKey() throws -> AuthorizationKey {
        let raw = self["raw"].bytes
        switch self["algorithm"].text {
        case "X25519": return .x25519(try X25519.PublicKey(raw: raw))
        case "Ed25519": return .ed25519(try Ed25519.PublicKey(raw: raw))
        default: return .ed448(try Ed448.PublicKey(raw: raw))
        }
    }

    func authorizationPrivateKey() throws -> AuthorizationPrivateKey {
        let secret = Secret(copying: self["privateKey"].bytes)
        switch self["algorithm"].text {
        case "X25519": return .x25519(try X25519.PrivateKey(secret))
        case "Ed25519": return .ed25519(try Ed25519.PrivateKey(seed: secret))
        default: return .ed448(try Ed448.PrivateKey(seed: secret))
        }
    }

    var blobs: LinkBlobs { LinkBlobs(fixed: self["fixedData"].bytes, user: self["userData"].bytes) }

    func password() throws -> ServerPassword? { try field("basicAuth").map { try ServerPassword($0.text) } }

    var queueMode: QueueMode? {
        switch self {
        case .string("messaging"): .messaging
        case .string("contact"): .contact
        default: nil
        }
    }

    func clientCommand(_ tag: String) throws -> ClientCommand? {
        switch CommandTag(rawValue: tag) {
        case .new: return .new(try newQueue())
        case .sub: return .sub
        case .subs: return .subs(nil)
        case .key: return .key(try self["senderKey"].authorizationKey())
        case .skey: return .skey(try self["senderKey"].authorizationKey())
        case .lkey: return .lkey(try self["senderKey"].authorizationKey())
        case .rkey: return .rkey(try self["recipientKeys"].list.map { try $0.authorizationKey() })
        case .lset: return .lset(linkID: self["linkId"].entity, self["data"].blobs)
        case .nkey:
            return .nkey(
                NotifierKeys(
                    authorizationKey: try self["notifierKey"].authorizationKey(),
                    dhKey: try x25519("recipientNotificationDhKey")))
        case .ack: return .ack(messageID: self["messageId"].entity)
        case .send: return .send(MessageFlags(notifies: self["notification"].bool), body: self["body"].bytes)
        case .prxy: return .prxy(try ServerAddress(text: self["server"].text), password: try password())
        case .pfwd:
            return .pfwd(
                version: UInt16(self["version"].int), key: try x25519("key"),
                encrypted: self["encryptedTransmission"].bytes)
        case .rfwd: return .rfwd(encrypted: self["encryptedTransmission"].bytes)
        case .ldel: return .ldel
        case .ndel: return .ndel
        case .get: return .get
        case .off: return .off
        case .del: return .del
        case .que: return .que
        case .ping: return .ping
        case .lget: return .lget
        case .nsub: return .nsub
        case .nsubs: return .nsubs(nil)
        case .rslv: return nil
        case nil: return nil
        }
    }

    private func newQueue() throws -> NewQueue {
        let request = field("queueRequest").map { request in
            QueueRequest(
                mode: request["mode"].queueMode ?? .contact,
                link: request.field("link").map {
                    NewLink(linkID: $0.entity("linkId"), senderID: $0["senderId"].entity, blobs: $0["data"].blobs)
                })
        }
        let notifier = try field("notifierCredentials").map {
            NotifierKeys(authorizationKey: try $0["authKey"].authorizationKey(), dhKey: try $0.x25519("dhKey"))
        }
        return NewQueue(
            recipientKey: try self["recipientAuthKey"].authorizationKey(), dhKey: try x25519("recipientDhKey"),
            password: try password(), subscription: self["subscriptionMode"].text == "S" ? .subscribe : .createOnly,
            request: request, notifier: notifier)
    }

    /// Messages that the recording describes by their fields; errors, INFO and PKEY are only given as bytes.
    func relayMessage(_ tag: String) throws -> RelayMessage? {
        switch MessageTag(rawValue: tag) {
        case .ids:
            return .ids(
                QueueIDs(
                    recipientID: self["recipientId"].entity, senderID: self["senderId"].entity,
                    dhKey: try x25519("serverDhKey"), mode: self["queueMode"].queueMode, linkID: entity("linkId"),
                    serviceID: entity("serviceId"), notifier: try field("notifierCredentials")?.notifierIDs()))
        case .lnk: return .lnk(senderID: self["senderId"].entity, self["data"].blobs)
        case .sok: return .sok(serviceID: entity("serviceId"))
        case .soks: return .soks(ServiceQueues(count: self["count"].int64))
        case .ends: return .ends(ServiceQueues(count: self["count"].int64))
        case .msg:
            return .msg(
                EncryptedMessage(messageID: self["messageId"].entity, encrypted: self["encryptedBody"].bytes))
        case .nid: return .nid(try notifierIDs())
        case .nmsg: return .nmsg(nonce: Nonce(self["nonce"].bytes), encrypted: self["encryptedMeta"].bytes)
        case .pres: return .pres(encrypted: self["encryptedResponse"].bytes)
        case .rres: return .rres(encrypted: self["encryptedResponse"].bytes)
        case .end: return .end
        case .deld: return .deld
        case .ok: return .ok
        case .pong: return .pong
        case .alls: return .alls
        case .err, .info, .pkey, .rname, nil: return nil
        }
    }

    private func notifierIDs() throws -> NotifierIDs {
        NotifierIDs(notifierID: self["notifierId"].entity, dhKey: try x25519("serverDhKey"))
    }
}
