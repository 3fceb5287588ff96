public import ByteCoding
public import SMPProtocol

/// A link that fits into a line: the relay of its records, and the key that decrypts them (smp-agent.md 6.5).
///
/// The records contain the signed full link, and the content that its owner shows.
public struct ShortLink: Hashable, Sendable {
    /// The start of the text, without a meaning for the connection.
    public enum Scheme: Hashable, Sendable {
        /// All hosts are in the query.
        case simplex
        /// The first host is that of the URL, so that a browser reaches a server.
        case https
    }

    /// The object of the records.
    public enum Target: Hashable, Sendable {
        /// An invitation with the id of its records, chosen by the relay.
        case invitation(EntityID)
        /// An address. The id of its records is derived from the key of the link.
        case address(AddressKind)
    }

    /// The start of the text.
    public let scheme: Scheme
    /// The object of the records.
    public let target: Target
    /// The relay of the records. Links to well-known servers leave out the port, the fingerprint and all hosts but the
    /// first: see ``restored(from:)``.
    public let server: ServerAddress
    /// The key of the link.
    public let key: ShortLinkKey

    /// Creates a short link from its parts.
    public init(scheme: Scheme = .https, target: Target, server: ServerAddress, key: ShortLinkKey) {
        self.scheme = scheme
        self.target = target
        self.server = server
        self.key = key
    }

    /// The kind of the link.
    public var kind: LinkKind {
        switch target {
        case .invitation: .invitation
        case .address(let kind): .address(kind)
        }
    }

    /// The id of the records on the relay, the entity of the command that reads them.
    ///
    /// For an address the command is LGET, without authorization. For an invitation it is LKEY, which also secures the
    /// queue: its key authorizes the command and all later messages to the queue. The relay accepts no other key
    /// afterwards, so store the key before using it.
    public var linkID: EntityID {
        switch target {
        case .invitation(let id): id
        case .address: key.address().linkID
        }
    }

    /// Returns true if both links lead to the same records, in any spelling.
    public func isSame(as other: ShortLink) -> Bool {
        // The key is the hash of a record that names its queue, so it does not occur on two servers.
        guard key == other.key else { return false }
        return switch (target, other.target) {
        case (.invitation(let id), .invitation(let otherID)): id == otherID
        case (.address, .address): true
        default: false
        }
    }
}

// MARK: - Well-known servers

extension ShortLink {
    /// The size of a server's fingerprint in bytes.
    private static let fingerprintSize = 32

    /// Returns the server to connect to.
    ///
    /// - Throws: ``LinkError/unknownServer`` if the link leaves out its server.
    public func usableServer() throws(LinkError) -> ServerAddress {
        guard server.fingerprint.count == ShortLink.fingerprintSize else { throw .unknownServer }
        return server
    }

    /// Returns the link with the complete server if it is one of `known`. Other links stay unchanged.
    ///
    /// SECURITY: `known` must be the servers that every user of the network has, not those in this user's
    /// configuration. Otherwise links would identify their user.
    public func restored(from known: [ServerAddress]) -> ShortLink {
        let isShortened = server.hosts.count == 1 && server.port == nil && server.fingerprint.isEmpty
        guard isShortened, let complete = preset(in: known) else { return self }
        return with(complete)
    }

    /// Returns the link without the parts that `known` provides. Links to other servers stay unchanged.
    public func shortened(for known: [ServerAddress]) -> ShortLink {
        guard let complete = preset(in: known), complete.fingerprint == server.fingerprint,
            server.hosts.allSatisfy(complete.hosts.contains), isPort(of: complete)
        else { return self }
        return with(ServerAddress(hosts: Array(server.hosts.prefix(1)), port: nil, fingerprint: []))
    }

    /// Returns the known server with the same first host.
    private func preset(in known: [ServerAddress]) -> ServerAddress? {
        known.first { $0.hosts.first == server.hosts.first }
    }

    /// Returns true if the ports are equal. Relays listen on both ports if an address has none.
    private func isPort(of complete: ServerAddress) -> Bool {
        server.port == complete.port || (complete.port == nil && (server.port == 443 || server.port == SMP.defaultPort))
    }

    private func with(_ server: ServerAddress) -> ShortLink {
        ShortLink(scheme: scheme, target: target, server: server, key: key)
    }
}

// MARK: - Binary form

extension ShortLink: ByteCodable {
    /// Reads a link in a record, where the scheme is not stored.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        switch try reader.uint8() {
        case UInt8(ascii: "I"):
            server = try reader.value()
            target = .invitation(try reader.value())
        case UInt8(ascii: "C"):
            let letter = Unicode.Scalar(try reader.uint8())
            guard let kind = AddressKind.allCases.first(where: { $0.binaryLetter == letter }) else {
                throw .invalid("link kind")
            }
            server = try reader.value()
            target = .address(kind)
        default: throw .invalid("short link")
        }
        key = ShortLinkKey(try reader.shortBytes())
        scheme = .https
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        switch target {
        case .invitation(let id):
            writer.character("I")
            writer.value(server)
            writer.value(id)
        case .address(let kind):
            writer.character("C")
            writer.character(kind.binaryLetter)
            writer.value(server)
        }
        writer.shortBytes(key.bytes)
    }
}

extension ShortLink: CustomStringConvertible {
    /// The canonical text:
    ///
    /// ```
    /// https://HOST/i#LINK-ID/KEY[?h=HOSTS][&p=PORT][&c=FINGERPRINT]
    /// https://HOST/a#KEY[?h=HOSTS][&p=PORT][&c=FINGERPRINT]
    /// simplex:/a#KEY?h=ALL-HOSTS[&p=PORT][&c=FINGERPRINT]
    /// ```
    /// The links omit base64 padding of ids and keys, unlike full links.
    public var description: String {
        let origin: String
        var inQuery = server.hosts[...]
        switch scheme {
        case .simplex: origin = "simplex:"
        case .https: origin = "https://\(inQuery.removeFirst())"
        }
        var items: [QueryString.Item] = []
        if !inQuery.isEmpty {
            items.append(QueryString.Item("h", inQuery.map(\.description).joined(separator: ",")))
        }
        if let port = server.port { items.append(QueryString.Item("p", "\(port)")) }
        if !server.fingerprint.isEmpty {
            items.append(QueryString.Item("c", Base64URL.encode(server.fingerprint, padding: false)))
        }
        let query = items.isEmpty ? "" : "?\(QueryString(items).text)"
        return "\(origin)/\(path)\(Base64URL.encode(key.bytes, padding: false))\(query)"
    }

    /// The part from the letter of the kind to the key.
    private var path: String {
        switch target {
        case .invitation(let id): "i#\(Base64URL.encode(id.bytes, padding: false))/"
        case .address(let kind): "\(kind.letter)#"
        }
    }

    /// Reads a text that consists of a short link. Letters of addresses may be in upper case, ids and keys padded.
    /// Unknown parameters are ignored.
    ///
    /// - Throws: ``DecodeError``.
    public init(text: String) throws(DecodeError) {
        var reader = TextReader(text)
        var hosts: [TransportHost] = []
        let scheme: Scheme
        if reader.skip("https://") {
            scheme = .https
            hosts.append(try TransportHost(from: &reader))
        } else {
            try reader.expect("simplex:")
            scheme = .simplex
        }
        try reader.expect("/")
        let target = try ShortLink.target(&reader)
        let key = try ShortLink.shortBytes(&reader)
        let query = try QueryString(text: reader.skip("?") ? reader.take(while: QueryString.goesOn) : "")
        try reader.finish()
        if let others = query["h"] { hosts += try ShortLink.hosts(others) }
        // All hosts together, as in the binary form, which is read back from the store.
        try ServerAddress.check(hosts)
        let server = ServerAddress(
            hosts: hosts, port: try ShortLink.port(query["p"]), fingerprint: try ShortLink.fingerprint(query["c"]))
        self.init(scheme: scheme, target: target, server: server, key: ShortLinkKey(key))
    }

    /// Reads the letter of the kind, and the id of an invitation.
    private static func target(_ reader: inout TextReader) throws(DecodeError) -> Target {
        let name = reader.take { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "#") }
        _ = reader.skip("/")
        try reader.expect("#")
        if name == "i" {
            let id = try shortBytes(&reader)
            try reader.expect("/")
            return .invitation(EntityID(id))
        }
        let kind = AddressKind.allCases.first { "\($0.letter)" == name.lowercased() }
        guard let kind else { throw .invalid("link kind") }
        return .address(kind)
    }

    private static func shortBytes(_ reader: inout TextReader) throws(DecodeError) -> Bytes {
        let bytes = try reader.base64URL()
        guard bytes.count <= UInt8.max else { throw .invalid("link") }
        return bytes
    }

    private static func hosts(_ text: String) throws(DecodeError) -> [TransportHost] {
        var reader = TextReader(text)
        let hosts = try reader.commaSeparated { reader throws(DecodeError) in try TransportHost(from: &reader) }
        try reader.finish()
        return hosts
    }

    private static func port(_ text: String?) throws(DecodeError) -> UInt16? {
        guard let text else { return nil }
        var reader = TextReader(text)
        let port = try reader.number(UInt16.self)
        try reader.finish()
        return port
    }

    private static func fingerprint(_ text: String?) throws(DecodeError) -> Bytes {
        guard let text else { return [] }
        var reader = TextReader(text)
        let fingerprint = try shortBytes(&reader)
        try reader.finish()
        return fingerprint
    }
}
