import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import TestSupport

// Builds values from the descriptions in the recordings.

extension Vector {
    func serverAddress() throws -> ServerAddress {
        let port = self["port"].text
        return ServerAddress(
            hosts: try self["hosts"].list.map { try TransportHost(text: $0.text) },
            port: port.isEmpty ? nil : UInt16(port), fingerprint: self["keyHash"].bytes)
    }

    var range: VersionRange { VersionRange(UInt16(self["min"].int), UInt16(self["max"].int)) }

    private var queueMode: QueueMode? {
        switch self {
        case .string("messaging"): .messaging
        case .string("contact"): .contact
        default: nil
        }
    }

    func location() throws -> QueueLocation {
        QueueLocation(
            server: try self["server"].serverAddress(), senderID: EntityID(self["senderId"].bytes),
            dhKey: try X25519.PublicKey(raw: self["dhPublicKey"].bytes), mode: self["queueMode"].queueMode)
    }

    func queueAddress() throws -> QueueAddress {
        QueueAddress(versions: self["versions"].range, location: try location())
    }

    func agreedQueueAddress() throws -> AgreedQueueAddress {
        AgreedQueueAddress(version: UInt16(self["version"].int), location: try location())
    }

    func senderQueueAddress() throws -> SenderQueueAddress {
        SenderQueueAddress(server: try self["server"].serverAddress(), senderID: EntityID(self["senderId"].bytes))
    }

    func ratchetParameters() throws -> RatchetParameters {
        let kem: KEMParameter? =
            switch field("kem")?["state"].text {
            case "proposed": .proposed(publicKey: self["kem"]["publicKey"].bytes)
            case "accepted":
                .accepted(ciphertext: self["kem"]["ciphertext"].bytes, publicKey: self["kem"]["publicKey"].bytes)
            default: nil
            }
        return RatchetParameters(
            version: UInt16(self["version"].int), key1: try X448.PublicKey(raw: self["key1"].bytes),
            key2: try X448.PublicKey(raw: self["key2"].bytes), kem: kem)
    }

    func ratchetOffer() throws -> RatchetOffer {
        RatchetOffer(
            versions: self["versions"].range, key1: try X448.PublicKey(raw: self["key1"].bytes),
            key2: try X448.PublicKey(raw: self["key2"].bytes), kemKey: field("kem")?.bytes)
    }

    func connectionRequest() throws -> ConnectionRequest {
        let queues = ConnectionQueues(
            versions: (field("agentVersions") ?? self["versions"]).range,
            queues: try self["queues"].list.map { try $0.queueAddress() }, clientText: field("clientData")?.text)
        return self["mode"].text == "invitation"
            ? .invitation(queues, try self["e2e"].ratchetOffer()) : .contact(queues)
    }

    func agentEnvelope() throws -> AgentEnvelope {
        let content: AgentEnvelope.Content =
            switch self["type"].text {
            case "confirmation":
                .confirmation(try field("e2eParams")?.ratchetParameters(), encrypted: self["encConnInfo"].bytes)
            case "message": .message(encrypted: self["encAgentMessage"].bytes)
            case "invitation": .invitation(link: self["connectionRequest"].text, info: self["connInfo"].bytes)
            default: .ratchetKey(try self["e2eParams"].ratchetParameters(), info: self["info"].bytes)
            }
        return AgentEnvelope(version: UInt16(self["agentVersion"].int), content)
    }

    func agentMessage() throws -> AgentMessage? {
        switch self["type"].text {
        case "connInfo": return .connectionInfo(self["connInfo"].bytes)
        case "connInfoReply":
            let queues = try self["queues"].list.map { try $0.agreedQueueAddress() }
            return .connectionInfoReply(queues, info: self["connInfo"].bytes)
        case "ratchetInfo": return .ratchetInfo(self["info"].bytes)
        case let type:
            guard let body = try messageBody(type) else { return nil }
            let header = MessageHeader(number: self["sndMsgId"].int64, previousHash: self["prevMsgHash"].bytes)
            return .message(header, body)
        }
    }

    private func messageBody(_ type: String) throws -> AgentMessageBody? {
        switch type {
        case "HELLO": return .hello
        case "A_MSG": return .content(self["body"].bytes)
        case "A_RCVD":
            return .receipts(
                self["receipts"].list.map {
                    MessageReceipt(number: $0["sndMsgId"].int64, hash: $0["msgHash"].bytes, info: $0["info"].bytes)
                })
        case "A_QCONT": return .queueContinue(try self["queue"].senderQueueAddress())
        case "QADD":
            return .queueAdd(
                try self["queues"].list.map {
                    ReplacementQueue(
                        queue: try $0["queue"].queueAddress(), replaced: try $0.field("replaces")?.senderQueueAddress())
                })
        case "QKEY":
            return .queueKey(
                try self["queues"].list.map {
                    QueueSenderKey(
                        queue: try $0["queue"].agreedQueueAddress(), key: try $0["senderKey"].authorizationKey())
                })
        case "QUSE":
            return .queueUse(
                try self["queues"].list.map {
                    QueueUse(queue: try $0["queue"].senderQueueAddress(), isPrimary: $0["primary"].bool)
                })
        case "QTEST": return .queueTest(try self["queues"].list.map { try $0.senderQueueAddress() })
        case "EREADY": return .ratchetReady(lastReceived: self["lastDecryptedSndMsgId"].int64)
        default: return nil
        }
    }

    private func authorizationKey() throws -> AuthorizationKey {
        let raw = self["raw"].bytes
        switch self["algorithm"].text {
        case "X25519": return .x25519(try X25519.PublicKey(raw: raw))
        case "Ed25519": return .ed25519(try Ed25519.PublicKey(raw: raw))
        default: return .ed448(try Ed448.PublicKey(raw: raw))
        }
    }
}
