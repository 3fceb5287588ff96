public import ByteCoding
import CryptoCore
import SMPProtocol

extension QueueAddress: CustomStringConvertible {
    /// The form inside of links: `smp://FINGERPRINT@HOSTS[:PORT]/SENDER-ID#/?v=1-4&dh=KEY[&q=m|c][&k=s][&srv=HOSTS]`.
    public var description: String {
        let server = location.server
        var items = [
            QueryString.Item("v", versions.description),
            QueryString.Item("dh", Base64URL.encode(location.dhKey.der)),
        ]
        switch location.mode {
        case .messaging: items.append(QueryString.Item("q", "m"))
        case .contact: items.append(QueryString.Item("q", "c"))
        case nil: break
        }
        // How readers of version 3 learn that the sender secures the queue.
        if location.senderCanSecure, versions.min < QueueAddressVersion.modes {
            items.append(QueryString.Item("k", "s"))
        }
        var shown = server
        if versions.min < QueueAddressVersion.severalHosts {
            shown = ServerAddress(
                hosts: Array(server.hosts.prefix(1)), port: server.port, fingerprint: server.fingerprint)
            let others = server.hosts.dropFirst().map(\.description).joined(separator: ",")
            if !others.isEmpty { items.append(QueryString.Item("srv", others)) }
        }
        return "\(shown)/\(Base64URL.encode(location.senderID.bytes))#/?\(QueryString(items).text)"
    }

    /// Reads a text that is a queue address and nothing else, also in its older forms: with the key before the question
    /// mark, and with nothing but the key (version 1).
    public init(text: String) throws(DecodeError) {
        var reader = TextReader(text)
        let server = try ServerAddress(from: &reader)
        try reader.expect("/")
        let senderID = try reader.base64URL()
        guard senderID.count <= UInt8.max else { throw .invalid("queue id") }
        _ = reader.skip("/")
        try reader.expect("#")
        let key = reader.attempt { reader throws(DecodeError) in try X25519.PublicKey(der: try reader.base64URL()) }
        if let key, reader.isAtEnd {
            self.init(
                versions: VersionRange(1),
                location: QueueLocation(
                    server: LegacyHosts.complete(server), senderID: EntityID(senderID), dhKey: key, mode: nil))
            return
        }
        _ = reader.skip("/")
        try reader.expect("?")
        let query = try QueryString(text: reader.take(while: QueryString.goesOn))
        try reader.finish()
        try self.init(server: server, senderID: EntityID(senderID), key: key, query: query)
    }

    private init(
        server: ServerAddress, senderID: EntityID, key: X25519.PublicKey?, query: QueryString
    ) throws(DecodeError) {
        guard let versionText = query["v"] else { throw .invalid("queue version") }
        let versions = try VersionRange(text: versionText)
        let dhKey: X25519.PublicKey
        if let key { dhKey = key } else { dhKey = try QueueAddress.key(query["dh"]) }
        let mode: QueueMode? =
            switch query["q"] {
            case "m": .messaging
            case "c": .contact
            default: query["k"] == "s" ? .messaging : nil
            }
        var hosts = server.hosts
        if let others = query["srv"] {
            var reader = TextReader(others)
            hosts += try reader.commaSeparated { reader throws(DecodeError) in try TransportHost(from: &reader) }
            try reader.finish()
            try ServerAddress.check(hosts)
        }
        let complete = ServerAddress(hosts: hosts, port: server.port, fingerprint: server.fingerprint)
        self.init(
            versions: versions,
            location: QueueLocation(
                server: versions.max < QueueAddressVersion.severalHosts ? LegacyHosts.complete(complete) : complete,
                senderID: senderID, dhKey: dhKey, mode: mode))
    }

    private static func key(_ text: String?) throws(DecodeError) -> X25519.PublicKey {
        guard let text else { throw .invalid("queue key") }
        return try X25519.PublicKey(der: try Base64URL.decode(text))
    }
}
