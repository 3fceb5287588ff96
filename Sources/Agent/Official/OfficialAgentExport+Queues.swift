import AgentProtocol
import ByteCoding
import CryptoCore
import SMPProtocol
import Store

extension OfficialAgentExport {
    /// A queue of this side as a row.
    struct ReceiveRow {
        let queue: ReceiveQueue
        let number: Int64
        let status: OfficialQueueStatus
        var isPrimary = true
        var replaces: Int64?
        var switchStatus: String?
        var link: OwnedLink?
    }

    /// A queue of the other side as a row.
    struct SendRow {
        let queue: SendQueue
        let number: Int64
        let status: OfficialQueueStatus
        var replaces: Int64?
        var switchStatus: String?
        /// False while this side is not let in: its first message shows the key then, and the recipient lets it in.
        var isMode = true
    }

    mutating func insertQueues(_ outgoing: OutgoingConnection) throws {
        let connection = outgoing.connection
        let rows = receiveRows(outgoing)
        for row in rows.kept { try insert(row, of: outgoing.name) }
        for queue in rows.abandoned { try addAbandoned(queue, of: outgoing.stored.profileID) }
        if let queue = connection.sendQueue {
            let hasNext = connection.sendRotation?.stage == .keySent && connection.sendRotation?.queue != nil
            let isSecuring = outgoing.contains { task in if case .secureSendQueue = task { true } else { false } }
            try insert(
                SendRow(
                    queue: queue, number: 1, status: sendStatus(outgoing, queue, isSecuring: isSecuring),
                    switchStatus: hasNext ? "sending_qkey" : nil, isMode: !isSecuring), of: outgoing.name)
            switch (connection.sendRotation?.stage, connection.sendRotation?.queue) {
            case (.keySent?, let next?):
                try insert(SendRow(queue: next, number: 2, status: .new, replaces: 1), of: outgoing.name)
            // The other side offers a queue again if it has no answer.
            case (.added?, _): note(.rotations)
            // The new queue is the only one by now.
            case (.keySent?, nil), (.used?, _), (.testing?, _), (nil, _): break
            }
        }
        try insertCommands(outgoing)
    }

    private mutating func receiveRows(
        _ outgoing: OutgoingConnection
    ) -> (kept: [ReceiveRow], abandoned: [ReceiveQueue]) {
        let connection = outgoing.connection
        guard let queue = connection.receiveQueue else { return ([], []) }
        var row = ReceiveRow(queue: queue, number: 1, status: receiveStatus(outgoing, queue), link: outgoing.link)
        guard let rotation = connection.receiveRotation else { return ([row], []) }
        switch (rotation.stage, rotation.queue) {
        case (.creating, _):
            row.switchStatus = "switch_started"
            return ([row], [])
        case (.offered, let next?), (.confirmed, let next?):
            row.switchStatus = "sending_qadd"
            let status: OfficialQueueStatus = rotation.stage == .offered ? .new : .confirmed
            return ([row, ReceiveRow(queue: next, number: 2, status: status, replaces: 1)], [])
        case (.announced, let next?):
            row.switchStatus = "sending_quse"
            return ([row, ReceiveRow(queue: next, number: 2, status: .secured, replaces: 1)], [])
        case (.draining, let former?):
            return (
                [
                    ReceiveRow(
                        queue: former, number: 1, status: .active, isPrimary: false, switchStatus: "received_message"),
                    ReceiveRow(queue: queue, number: 2, status: .active),
                ], []
            )
        // The official agent creates the messages that are due here together with the step before.
        case (.created, let next), (.secured, let next):
            note(.rotations)
            return ([row], next.map { [$0] } ?? [])
        case (.offered, nil), (.confirmed, nil), (.announced, nil), (.draining, nil): return ([row], [])
        }
    }

    private func receiveStatus(_ outgoing: OutgoingConnection, _ queue: ReceiveQueue) -> OfficialQueueStatus {
        let connection = outgoing.connection
        switch (connection.role, connection.status) {
        case (.address, _), (_, .new), (_, .opening), (_, .requested): return .new
        case (.initiator, .confirming), (.initiator, .confirmed):
            return queue.mode == .messaging ? .confirmed : .secured
        case (.joiner, .confirming), (.joiner, .confirmed): return .new
        case (.initiator, .greeting): return .active
        case (.joiner, .greeting):
            return outgoing.tasks.securesReceiveQueue ? .confirmed : .secured
        case (_, .ready), (_, .failed): return .active
        case (_, .deleted): return .active
        }
    }

    private func sendStatus(
        _ outgoing: OutgoingConnection, _ queue: SendQueue, isSecuring: Bool
    ) -> OfficialQueueStatus {
        let connection = outgoing.connection
        switch connection.status {
        // A joiner learns of no more than the confirmation, if it has let itself in.
        case .ready where connection.role == .joiner && queue.senderCanSecure && connection.sendRotation == nil:
            return .confirmed
        case .ready, .failed, .deleted: return .active
        case .confirming: return queue.senderCanSecure && !isSecuring ? .secured : .new
        case .confirmed: return .confirmed
        case .greeting:
            let isWaiting = outgoing.messages.contains { $0.message.kind == .hello }
            return isWaiting ? .confirmed : .active
        case .new, .requested, .opening: return .new
        }
    }

    // MARK: - Rows

    mutating func insert(_ row: ReceiveRow, of name: Bytes) throws {
        let queue = row.queue, server = try place(queue.server), link = row.link
        try official.run(
            """
            INSERT INTO rcv_queues (host, port, rcv_id, conn_id, rcv_private_key, rcv_dh_secret, e2e_priv_key,
                e2e_dh_secret, snd_id, queue_mode, status, rcv_queue_id, rcv_primary, replace_rcv_queue_id,
                smp_client_version, server_key_hash, switch_status, link_id, link_key, link_priv_sig_key,
                link_enc_fixed_data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, server.host, server.port, queue.recipientID.bytes, name,
            OfficialKey.der(of: queue.authorizationKey), queue.relaySecret, OfficialKey.der(of: queue.agreementKey),
            queue.sender?.secret, queue.senderID.bytes, queue.mode?.officialLetter, row.status.rawValue, row.number,
            row.isPrimary, row.replaces, queue.sender?.version ?? MessageEnvelope.versions.max, server.ownFingerprint,
            row.switchStatus, link?.linkID?.bytes, link?.linkID == nil ? nil : link?.key.bytes,
            link?.linkID == nil ? nil : (link?.signer).map { OfficialKey.der(of: $0) },
            link?.linkID == nil ? nil : link?.fixedBlob)
    }

    mutating func insert(_ row: SendRow, of name: Bytes) throws {
        let queue = row.queue, server = try place(queue.server)
        try official.run(
            """
            INSERT INTO snd_queues (host, port, snd_id, conn_id, snd_private_key, e2e_dh_secret, status,
                smp_client_version, snd_public_key, e2e_pub_key, snd_queue_id, snd_primary, replace_snd_queue_id,
                server_key_hash, switch_status, queue_mode) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)
            """, server.host, server.port, queue.senderID.bytes, name, OfficialKey.der(of: queue.authorizationKey),
            queue.secret, row.status.rawValue, queue.version, queue.authorizationKey.publicKey.der,
            queue.agreementKey.der, row.number, row.replaces, server.ownFingerprint, row.switchStatus,
            row.isMode ? queue.mode?.officialLetter : nil)
    }

    /// Adds a queue that no connection uses. It is part of a deleted connection, so the official agent deletes it at its relay.
    mutating func addAbandoned(_ queue: ReceiveQueue, of profileID: ProfileID) throws {
        try addUser(profileID, isDeleted: true)
        let name = newID()
        try official.run(
            "INSERT INTO connections (conn_id, conn_mode, smp_agent_version, duplex_handshake, deleted, user_id) "
                + "VALUES (?, 'INV', ?, 1, 1, ?)", name, AgentVersion.supported.max, profileID.number)
        try insert(ReceiveRow(queue: queue, number: 1, status: .disabled), of: name)
    }

    // MARK: - Commands

    /// Adds what the official agent has still to do at relays, beside sending messages.
    private mutating func insertCommands(_ outgoing: OutgoingConnection) throws {
        let connection = outgoing.connection
        for task in outgoing.tasks {
            switch task.task {
            case .createNextQueue where connection.receiveRotation?.stage == .creating:
                try insertCommand("CLIENT SWCH", "CLIENT SWCH", at: nil, of: outgoing.name, task.createdAt)
            case .secureNextQueue(let key):
                guard let queue = connection.receiveRotation?.queue, connection.receiveRotation?.stage == .confirmed
                else { continue }
                try insertCommand("INTERNAL QSECURE", queue, key, of: outgoing.name, task.createdAt)
            case .secureReceiveQueue(let key):
                guard let queue = connection.receiveQueue, connection.role == .joiner else { continue }
                try insertCommand("INTERNAL DUPLEX_SECURE", queue, key, of: outgoing.name, task.createdAt)
            default: continue
            }
        }
        if let rotation = connection.receiveRotation, rotation.stage == .draining, let former = rotation.queue {
            try insertCommand("INTERNAL QDELETE", former, nil, of: outgoing.name, now)
        }
    }

    private mutating func insertCommand(
        _ tag: String, _ queue: ReceiveQueue, _ key: AuthorizationKey?, of name: Bytes, _ createdAt: Timestamp
    ) throws {
        var words = [tag, Base64URL.encode(queue.recipientID.bytes)]
        if let key { words.append(Base64URL.encode(key.der)) }
        try insertCommand(tag, words.joined(separator: " "), at: queue.server, of: name, createdAt)
    }

    mutating func insertCommand(
        _ tag: String, _ command: String, at server: ServerAddress?, of name: Bytes, _ createdAt: Timestamp
    ) throws {
        let place = try server.map { server in try self.place(server) }
        try official.run(
            """
            INSERT INTO commands (conn_id, host, port, corr_id, command_tag, command, agent_version, server_key_hash,
                created_at) VALUES (?, ?, ?, x'', ?, ?, ?, ?, ?)
            """, name, place?.host, place?.port, Bytes(tag.utf8), Bytes(command.utf8), AgentVersion.supported.max,
            place?.ownFingerprint, time(createdAt))
    }
}

extension QueueMode {
    /// The letter of the official programs.
    var officialLetter: String {
        switch self {
        case .messaging: "M"
        case .contact: "C"
        }
    }
}
