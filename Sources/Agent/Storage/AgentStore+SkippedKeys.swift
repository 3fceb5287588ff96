import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import Store

/// The stored skipped keys of one connection (smp-agent.md 8.7).
struct StoredSkippedKeys: SkippedKeyStore {
    let database: Database
    let connectionID: ConnectionID

    /// The largest number of keys of a connection. The reference implementation limits only the gap, to 512.
    static let limit = 2048

    func headerKeys() throws(StoreError) -> [HeaderKey] {
        try database.rows(
            "SELECT header_key FROM skipped_chains WHERE connection_id = ? ORDER BY chain DESC", connectionID.number
        ) { row throws(StoreError) in
            try row.secret { secret throws(DecodeError) in try HeaderKey(stored: secret) }
        }
    }

    func key(_ headerKey: HeaderKey, _ number: UInt32) throws(StoreError) -> SkippedKey? {
        guard let chain = try chain(headerKey) else { return nil }
        return try database.first(
            "SELECT key FROM skipped_keys WHERE connection_id = ? AND chain = ? AND number = ?", connectionID.number,
            chain, Int64(number)
        ) { row throws(StoreError) in
            try row.secret { secret throws(DecodeError) in try SkippedKey(stored: secret) }
        }
    }

    func apply(_ change: SkippedKeys.Change, at time: Timestamp) throws(StoreError) {
        switch change {
        case .none: break
        case .removed(let key):
            guard let chain = try chain(key.headerKey) else { return }
            try database.run(
                "DELETE FROM skipped_keys WHERE connection_id = ? AND chain = ? AND number = ?", connectionID.number,
                chain, Int64(key.number))
            try database.run(
                "DELETE FROM skipped_chains WHERE connection_id = ? AND chain = ? AND \(AgentStore.isEmptyChain)",
                connectionID.number, chain)
        case .added(let keys):
            try add(keys, at: time)
            try removeOldest()
        }
    }

    func removeAll() throws(StoreError) {
        try database.run("DELETE FROM skipped_chains WHERE connection_id = ?", connectionID.number)
    }

    // MARK: - Chains

    private func add(_ keys: [SkippedKey], at time: Timestamp) throws(StoreError) {
        var current: (headerKey: HeaderKey, chain: Int64)?
        for key in keys {
            var chain = current.flatMap { $0.headerKey.secret === key.headerKey.secret ? $0.chain : nil }
            if chain == nil { chain = try self.chain(key.headerKey) }
            let known = if let chain { chain } else { try insert(key.headerKey) }
            current = (key.headerKey, known)
            try database.run(
                "INSERT INTO skipped_keys (connection_id, chain, number, key, created_at) VALUES (?, ?, ?, ?, ?)",
                connectionID.number, known, Int64(key.number), key.stored(), time)
        }
    }

    private func chain(_ headerKey: HeaderKey) throws(StoreError) -> Int64? {
        try database.first(
            "SELECT chain FROM skipped_chains WHERE connection_id = ? AND header_key = ?", connectionID.number,
            headerKey.secret
        ) { row throws(StoreError) in try row.int64() }
    }

    private func insert(_ headerKey: HeaderKey) throws(StoreError) -> Int64 {
        let last = try database.first(
            "SELECT chain FROM skipped_chains WHERE connection_id = ? ORDER BY chain DESC LIMIT 1", connectionID.number
        ) { row throws(StoreError) in try row.int64() }
        let chain = (last ?? 0) + 1
        try database.run(
            "INSERT INTO skipped_chains (connection_id, chain, header_key) VALUES (?, ?, ?)", connectionID.number,
            chain, headerKey.secret)
        return chain
    }

    /// Chains and their numbers increase with time.
    private func removeOldest() throws(StoreError) {
        try database.run(
            """
            DELETE FROM skipped_keys WHERE connection_id = ?1 AND (chain, number) <= (
                SELECT chain, number FROM skipped_keys WHERE connection_id = ?1
                ORDER BY chain DESC, number DESC LIMIT 1 OFFSET ?2)
            """, connectionID.number, Int64(StoredSkippedKeys.limit))
        if database.changes > 0 { try removeEmptyChains() }
    }

    private func removeEmptyChains() throws(StoreError) {
        try database.run(
            "DELETE FROM skipped_chains WHERE connection_id = ? AND \(AgentStore.isEmptyChain)", connectionID.number)
    }
}

extension AgentStore {
    /// True if a row of `skipped_chains` has no keys.
    fileprivate static let isEmptyChain = """
        NOT EXISTS (SELECT 1 FROM skipped_keys WHERE skipped_keys.connection_id = skipped_chains.connection_id
            AND skipped_keys.chain = skipped_chains.chain)
        """

    func skippedKeys(of id: ConnectionID) -> StoredSkippedKeys {
        StoredSkippedKeys(database: database, connectionID: id)
    }

    func removeSkippedKeys(before time: Timestamp) throws {
        try database.run("DELETE FROM skipped_keys WHERE created_at < ?", time)
        try database.run("DELETE FROM skipped_chains WHERE \(AgentStore.isEmptyChain)")
    }
}
