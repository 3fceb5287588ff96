import AgentProtocol
import ByteCoding
import CryptoCore
import SMPProtocol
import Store

/// The progress of a queue in the words of the official programs.
enum OfficialQueueStatus: String {
    case new
    /// The keys of the sender are known.
    case confirmed
    /// The relay lets the sender in.
    case secured
    case active
    case disabled
}

/// A queue of this side as the official programs store it.
struct OfficialReceiveQueue {
    let id: Int64
    let queue: ReceiveQueue
    let status: OfficialQueueStatus
    let isPrimary: Bool
    /// The queue that this one is to replace.
    let replaces: Int64?
    let switchStatus: String?
    let isDeleted: Bool
    let link: OwnedLink?
}

/// A queue of the other side as the official programs store it.
struct OfficialSendQueue {
    let id: Int64
    let queue: SendQueue
    let status: OfficialQueueStatus
    let isPrimary: Bool
    let replaces: Int64?
    let switchStatus: String?
}

extension OfficialAgent {
    func receiveQueues(of id: Bytes, isAddress: Bool) throws(StoreError) -> [OfficialReceiveQueue] {
        let mode =
            try tables.has("queue_mode", in: "rcv_queues") ? "queue_mode" : "(CASE snd_secure WHEN 1 THEN 'M' END)"
        return try tables.rows(
            """
            host, port, server_key_hash, rcv_id, snd_id, \(mode), rcv_private_key, rcv_dh_secret, e2e_priv_key,
            e2e_dh_secret, smp_client_version, rcv_queue_id, status, rcv_primary, replace_rcv_queue_id, switch_status,
            deleted, link_id, link_key, link_priv_sig_key, link_enc_fixed_data
            """, from: "rcv_queues", "WHERE conn_id = ? ORDER BY rcv_queue_id", id
        ) { row throws(StoreError) in
            let server = try row.officialServer(fingerprints)
            let recipientID = try row.entityID(), senderID = try row.entityID()
            let mode = try row.officialMode()
            let authorizationKey = try OfficialKey.authorization(try row.secret())
            let relaySecret = try row.secret(size: SecretBox.keySize)
            let agreementKey = try OfficialKey.x25519(try row.secret())
            let secret = try row.optional { row throws(StoreError) in try row.secret(size: SecretBox.keySize) }
            let version = try row.optional { row throws(StoreError) in try row.uint16() } ?? 1
            let queue = ReceiveQueue(
                server: server, recipientID: recipientID, senderID: senderID,
                mode: mode ?? (isAddress ? .contact : nil),
                authorizationKey: authorizationKey, relaySecret: relaySecret, agreementKey: agreementKey,
                sender: secret.map { ReceiveQueue.Sender(version: version, secret: $0) })
            let id = try row.int64()
            let status = try row.officialStatus()
            let isPrimary = try row.foreignBool()
            let replaces = try row.optional { row throws(StoreError) in try row.int64() }
            let switchStatus = try row.optional { row throws(StoreError) in try row.text() }
            let isDeleted = try row.foreignBool()
            return OfficialReceiveQueue(
                id: id, queue: queue, status: status, isPrimary: isPrimary, replaces: replaces,
                switchStatus: switchStatus, isDeleted: isDeleted, link: try row.officialLink(isInvitation: !isAddress))
        }
    }

    func sendQueues(of id: Bytes) throws(StoreError) -> [OfficialSendQueue] {
        let mode =
            try tables.has("queue_mode", in: "snd_queues") ? "queue_mode" : "(CASE snd_secure WHEN 1 THEN 'M' END)"
        return try tables.rows(
            """
            host, port, server_key_hash, snd_id, \(mode), snd_private_key, e2e_dh_secret, smp_client_version,
            e2e_pub_key, snd_queue_id, status, snd_primary, replace_snd_queue_id, switch_status
            """, from: "snd_queues", "WHERE conn_id = ? ORDER BY snd_queue_id", id
        ) { row throws(StoreError) in
            let server = try row.officialServer(fingerprints)
            let senderID = try row.entityID()
            let mode = try row.officialMode()
            let authorizationKey = try OfficialKey.authorization(try row.secret())
            let secret = try row.secret(size: SecretBox.keySize)
            let version = try row.uint16()
            // Queues of old versions have no key: they were in use long before.
            let shown = try row.optional { row throws(StoreError) in try row.bytes() }
            let agreementKey: X25519.PublicKey
            if let shown {
                guard let key = try? X25519.PublicKey(der: shown) else { throw StoreError(.damaged) }
                agreementKey = key
            } else {
                agreementKey = X25519.PrivateKey(random: SystemRandom()).publicKey
            }
            let queue = SendQueue(
                server: server, senderID: senderID, mode: mode, version: version, authorizationKey: authorizationKey,
                agreementKey: agreementKey, secret: secret)
            let id = try row.int64()
            let status = try row.officialStatus()
            let isPrimary = try row.foreignBool()
            let replaces = try row.optional { row throws(StoreError) in try row.int64() }
            return OfficialSendQueue(
                id: id, queue: queue, status: status, isPrimary: isPrimary, replaces: replaces,
                switchStatus: try row.optional { row throws(StoreError) in try row.text() })
        }
    }
}

extension Row {
    fileprivate mutating func officialStatus() throws(StoreError) -> OfficialQueueStatus {
        guard let status = OfficialQueueStatus(rawValue: try text()) else { throw StoreError(.damaged) }
        return status
    }

    /// Reads the four columns of an own short link; nil unless all are there.
    fileprivate mutating func officialLink(isInvitation: Bool) throws(StoreError) -> OwnedLink? {
        let linkID = try optional { row throws(StoreError) in try row.entityID() }
        let key = try optional { row throws(StoreError) in try row.bytes() }
        let signer = try optional { row throws(StoreError) in try OfficialKey.ed25519(try row.secret()) }
        let fixedBlob = try optional { row throws(StoreError) in try row.bytes() }
        guard let linkID, let key, let signer, let fixedBlob else { return nil }
        guard key.count == 32 else { throw StoreError(.damaged) }
        return OwnedLink(
            key: ShortLinkKey(key), signer: signer, rootKey: signer.publicKey, fixedBlob: fixedBlob, linkID: linkID,
            isInvitation: isInvitation)
    }
}
