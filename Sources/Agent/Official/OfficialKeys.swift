import ByteCoding
package import CryptoCore
import SMPProtocol
package import Store

/// Private keys as the official programs store them: DER of PKCS #8 (RFC 8410), a fixed header and the raw key.
package enum OfficialKey {
    private static let ed25519Header: Bytes = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]
    private static let x25519Header: Bytes = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20]
    private static let x448Header: Bytes = [0x30, 0x46, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6f, 4, 0x3a, 4, 0x38]

    package static func ed25519(_ der: Secret) throws(StoreError) -> Ed25519.PrivateKey {
        guard let raw = raw(der, ed25519Header), let key = try? Ed25519.PrivateKey(seed: raw) else {
            throw StoreError(.damaged)
        }
        return key
    }

    /// Reads the key of a queue. Those from before 2024 are Ed448 keys.
    static func authorization(_ der: Secret) throws(StoreError) -> AuthorizationPrivateKey {
        guard let key = try? AuthorizationPrivateKey(pkcs8: der.copyBytes()) else { throw StoreError(.damaged) }
        return key
    }

    static func x25519(_ der: Secret) throws(StoreError) -> X25519.PrivateKey {
        guard let raw = raw(der, x25519Header), let key = try? X25519.PrivateKey(raw) else {
            throw StoreError(.damaged)
        }
        return key
    }

    static func x448(_ der: Secret) throws(StoreError) -> X448.PrivateKey {
        guard let raw = raw(der, x448Header), let key = try? X448.PrivateKey(raw) else { throw StoreError(.damaged) }
        return key
    }

    /// The DER form of a private key.
    package static func der(of key: Ed25519.PrivateKey) -> Secret { der(ed25519Header, key.seed) }
    /// The DER form of a private key.
    static func der(of key: X25519.PrivateKey) -> Secret { der(x25519Header, key.secret) }
    /// The DER form of a private key.
    static func der(of key: X448.PrivateKey) -> Secret { der(x448Header, key.secret) }

    /// The DER form of the key of a queue.
    static func der(of key: AuthorizationPrivateKey) -> Secret {
        if case .ed25519(let key) = key { der(of: key) } else { Secret(copying: key.pkcs8) }
    }

    private static func raw(_ der: Secret, _ header: Bytes) -> Secret? {
        var reader = SecretReader(der)
        guard var beginning = try? reader.plain(header.count), beginning.rest() == header else { return nil }
        return try? reader.secret(reader.remaining)
    }

    private static func der(_ header: Bytes, _ raw: Secret) -> Secret {
        var writer = SecretWriter()
        writer.plain.raw(header)
        writer.secret(raw)
        return writer.finish()
    }
}

extension Row {
    /// Reads three columns: hosts, port, and the fingerprint, which is base64url text in a blob. Without one it is that of
    /// the list of servers.
    mutating func officialServer(_ fingerprints: [String: String]) throws(StoreError) -> ServerAddress {
        let hosts = try text(), port = try text()
        let own = try optional { row throws(StoreError) in try row.foreignText() }
        guard let fingerprint = own ?? fingerprints[OfficialAgent.place(hosts, port)] else {
            throw StoreError(.damaged)
        }
        let address = "smp://\(fingerprint)@\(hosts)\(port.isEmpty ? "" : ":\(port)")"
        guard let server = try? ServerAddress(text: address), server.fingerprint.count == 32 else {
            throw StoreError(.damaged)
        }
        return server
    }

    /// Reads the mode of a queue.
    mutating func officialMode() throws(StoreError) -> QueueMode? {
        switch try optional({ row throws(StoreError) in try row.foreignText() }) {
        case nil: nil
        case "M": .messaging
        case "C": .contact
        default: throw StoreError(.damaged)
        }
    }
}
