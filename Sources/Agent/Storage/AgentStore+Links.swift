import AgentProtocol
import ByteCoding
import CryptoCore
import SMPProtocol
import Store

/// An own short link and the relay of its records.
struct StoredLink {
    let link: OwnedLink
    let server: ServerAddress
    /// True if the relay has the link, so that it can be published.
    var isPublished = true
}

extension AgentStore {
    func insert(_ stored: StoredLink, of id: ConnectionID) throws {
        let link = stored.link
        try database.run(
            """
            INSERT INTO links (connection_id, server_id, link_key, signer, root_key, fixed_blob, link_id, is_invitation,
                is_published)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, id.number, try serverID(stored.server), link.key.bytes, link.signer.seed, link.rootKey.der,
            link.fixedBlob, link.linkID?.bytes, link.isInvitation, stored.isPublished)
    }

    /// Records that the relay has a link.
    func setPublished(_ id: ConnectionID) throws {
        try database.run("UPDATE links SET is_published = 1 WHERE connection_id = ?", id.number)
    }

    /// Removes a link that the relay rejected.
    func removeUnpublishedLink(of id: ConnectionID) throws {
        try database.run("DELETE FROM links WHERE connection_id = ? AND is_published = 0", id.number)
    }

    /// Returns the own short link of a connection.
    func link(of id: ConnectionID) throws -> StoredLink? {
        try database.first(
            """
            SELECT address, link_key, signer, root_key, fixed_blob, link_id, is_invitation, is_published
            FROM links JOIN servers USING (server_id) WHERE connection_id = ?
            """, id.number
        ) { row throws(StoreError) in
            let server = try row.serverAddress()
            let key = ShortLinkKey(try row.bytes())
            let signer = try row.ed25519Key()
            let der = try row.bytes()
            guard let rootKey = try? Ed25519.PublicKey(der: der) else { throw StoreError(.damaged) }
            let fixedBlob = try row.bytes()
            let linkID = try row.optional { row throws(StoreError) in try row.entityID() }
            let link = OwnedLink(
                key: key, signer: signer, rootKey: rootKey, fixedBlob: fixedBlob, linkID: linkID,
                isInvitation: try row.bool())
            return StoredLink(link: link, server: server, isPublished: try row.bool())
        }
    }

    /// Returns the key with which a profile opens an invitation, after an earlier attempt.
    func openingKey(of link: ShortLink, _ id: ProfileID) throws -> Ed25519.PrivateKey? {
        try database.first(
            "SELECT key FROM opening_keys WHERE profile_id = ? AND link_id = ? AND link_key = ?", id.number,
            link.linkID.bytes, link.key.bytes
        ) { row throws(StoreError) in try row.ed25519Key() }
    }

    /// Stores a new key for an invitation, unless there is one.
    func insertOpeningKey(_ key: Ed25519.PrivateKey, of link: ShortLink, _ id: ProfileID) throws {
        try database.run(
            "INSERT OR IGNORE INTO opening_keys (profile_id, link_id, link_key, key) VALUES (?, ?, ?, ?)", id.number,
            link.linkID.bytes, link.key.bytes, key.seed)
    }
}
