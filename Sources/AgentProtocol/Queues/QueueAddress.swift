public import ByteCoding
public import CryptoCore
public import SMPProtocol

/// The location of a queue: its relay, the id for its sender, and the key that encrypts messages for its recipient.
public struct QueueLocation: Hashable, Sendable {
    /// The relay.
    public let server: ServerAddress
    /// The id for the sender's commands.
    public let senderID: EntityID
    /// The recipient's key for the agreement of ``MessageEnvelope``.
    public let dhKey: X25519.PublicKey
    /// The mode; nil for queues of old relays.
    public let mode: QueueMode?

    /// Creates a queue location from its parts.
    public init(server: ServerAddress, senderID: EntityID, dhKey: X25519.PublicKey, mode: QueueMode?) {
        self.server = server
        self.senderID = senderID
        self.dhKey = dhKey
        self.mode = mode
    }

    /// True if the sender secures the queue, without action by the recipient.
    public var senderCanSecure: Bool { mode == .messaging }

    init(server: ServerAddress, from reader: inout ByteReader) throws(DecodeError) {
        // SECURITY: the store has servers as text, which cannot be read back without a fingerprint.
        guard !server.fingerprint.isEmpty else { throw .invalid("fingerprint") }
        self.server = server
        senderID = try reader.value()
        dhKey = try reader.value()
        mode = QueueLocation.readMode(from: &reader)
    }

    func encode(into writer: inout ByteWriter) {
        writer.value(senderID)
        writer.value(dhKey)
    }

    /// Reads the letter `M` or `C`, the spelling `T` or `F` of version 3, or nothing.
    private static func readMode(from reader: inout ByteReader) -> QueueMode? {
        if reader.skip("M") || reader.skip("T") { return .messaging }
        return reader.skip("C") || reader.skip("F") ? .contact : nil
    }

    static func encode(_ mode: QueueMode?, into writer: inout ByteWriter) {
        switch mode {
        case .messaging: writer.character("M")
        case .contact: writer.character("C")
        case nil: break
        }
    }
}

/// The versions of queue addresses that changed the form.
enum QueueAddressVersion {
    static let severalHosts: UInt16 = 2
    static let senderSecures: UInt16 = 3
    static let modes: UInt16 = 4
}

/// A queue for a sender whose versions are unknown: the form in links (smp-agent.md 6.3).
public struct QueueAddress: Hashable, Sendable, ByteCodable {
    /// The versions of ``MessageEnvelope`` that the recipient supports.
    public let versions: VersionRange
    /// The location of the queue.
    public let location: QueueLocation

    /// Creates a queue address from its parts.
    public init(versions: VersionRange, location: QueueLocation) {
        self.versions = versions
        self.location = location
    }

    /// Returns the address for a sender of these versions, or nil without a common version.
    public func agreed(with versions: VersionRange) -> AgreedQueueAddress? {
        self.versions.agreed(with: versions).map { AgreedQueueAddress(version: $0, location: location) }
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        versions = try reader.value()
        location = try QueueLocation(server: try reader.value(), from: &reader)
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.value(versions)
        writer.value(location.server)
        location.encode(into: &writer)
        if versions.min >= QueueAddressVersion.modes {
            QueueLocation.encode(location.mode, into: &writer)
        } else if versions.min >= QueueAddressVersion.senderSecures
            || (versions.max >= QueueAddressVersion.senderSecures && location.senderCanSecure)
        {
            // Readers of older versions cannot skip the letter, so only newer ones get it.
            writer.bool(location.senderCanSecure)
        }
    }
}

/// A queue with the agreed version: the form in confirmations and queue rotation.
public struct AgreedQueueAddress: Hashable, Sendable, ByteCodable {
    /// The agreed version.
    public let version: UInt16
    /// The location of the queue.
    public let location: QueueLocation

    /// Creates an agreed queue address from its parts.
    public init(version: UInt16, location: QueueLocation) {
        self.version = version
        self.location = location
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        version = try reader.uint16()
        let server: ServerAddress =
            version >= QueueAddressVersion.severalHosts
            ? try reader.value() : LegacyHosts.complete(try ServerAddress(legacyFrom: &reader))
        location = try QueueLocation(server: server, from: &reader)
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.uint16(version)
        if version >= QueueAddressVersion.severalHosts {
            writer.value(location.server)
        } else {
            location.server.encodeLegacy(into: &writer)
        }
        location.encode(into: &writer)
        if version >= QueueAddressVersion.modes {
            QueueLocation.encode(location.mode, into: &writer)
        } else if version >= QueueAddressVersion.senderSecures, location.senderCanSecure {
            writer.bool(true)
        }
    }
}

/// The name of a queue for both its sender and its recipient.
public struct SenderQueueAddress: Hashable, Sendable, ByteCodable {
    /// The relay.
    public let server: ServerAddress
    /// The id for the sender's commands.
    public let senderID: EntityID

    /// Creates a sender queue address from its parts.
    public init(server: ServerAddress, senderID: EntityID) {
        self.server = server
        self.senderID = senderID
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        server = try reader.value()
        senderID = try reader.value()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.value(server)
        writer.value(senderID)
    }
}

/// The onion names of public relays from before addresses had several hosts.
enum LegacyHosts {
    private static let onions = [
        "smp4.simplex.im": "o5vmywmrnaxalvz6wi3zicyftgio6psuvyniis6gco6bp6ekl4cqj4id.onion",
        "smp5.simplex.im": "jjbyvoemxysm7qxap7m5d5m35jzv5qq6gnlv7s4rsn7tdwwmuqciwpid.onion",
        "smp6.simplex.im": "bylepyau3ty4czmn77q4fglvperknl4bi2eb2fdy2bh4jxtf32kf73yd.onion",
        "smp8.simplex.im": "beccx4yfxxbvyhqypaavemqurytl6hozr47wfc7uuecacjqdvwpw2xid.onion",
        "smp9.simplex.im": "jssqzccmrcws6bhmn77vgmhfjmhwlyr3u7puw4erkyoosywgl67slqqd.onion",
        "smp10.simplex.im": "rb2pbttocvnbrngnwziclp2f4ckjq65kebafws6g4hy22cdaiv5dwjqd.onion",
    ]

    /// Adds the onion name to an address that has only the public name.
    static func complete(_ server: ServerAddress) -> ServerAddress {
        guard server.hosts.count == 1, let onion = onions[server.hosts[0].description] else { return server }
        return ServerAddress(
            hosts: server.hosts + [.onion(onion)], port: server.port, fingerprint: server.fingerprint)
    }
}

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
        // The mark for readers of version 3 that the sender secures the queue.
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

    /// Reads a text that consists of a queue address, also in its older forms: with the key before the question mark,
    /// and with only the key (version 1).
    ///
    /// - Throws: ``DecodeError``.
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
