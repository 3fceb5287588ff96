public import ByteCoding
public import SMPProtocol

/// A link that fits into a line: where a relay keeps the records behind it, and the key that opens them.
///
/// The records hold the full link, signed, and what its owner shows of themselves. Source: agent v7, short links.
public struct ShortLink: Hashable, Sendable {
    /// How the text begins. It means nothing else.
    public enum Scheme: Hashable, Sendable {
        /// All hosts are in the query.
        case simplex
        /// The first host is that of the URL, so that a browser finds somebody there.
        case https
    }

    /// What the records belong to.
    public enum Target: Hashable, Sendable {
        /// An invitation, with the id that the relay gave to its records.
        case invitation(EntityID)
        /// An address; the id of its records follows from the key of the link.
        case address(AddressKind)
    }

    public let scheme: Scheme
    public let target: Target
    /// Where the records are. Links to well-known servers leave out the port, the fingerprint and all hosts but the first:
    /// see ``restored(from:)``.
    public let server: ServerAddress
    public let key: ShortLinkKey

    public init(scheme: Scheme = .https, target: Target, server: ServerAddress, key: ShortLinkKey) {
        self.scheme = scheme
        self.target = target
        self.server = server
        self.key = key
    }

    public var kind: LinkKind {
        switch target {
        case .invitation: .invitation
        case .address(let kind): .address(kind)
        }
    }

    /// The id of the records on the relay: the entity of the command that asks for them.
    ///
    /// For an address that is LGET, without authorization. For an invitation it is LKEY, which also secures the queue: its
    /// key authorizes the command and all that is sent to the queue later, and nobody with another key gets in after it, so
    /// it has to be stored before it is used.
    public var linkID: EntityID {
        switch target {
        case .invitation(let id): id
        case .address: key.address().linkID
        }
    }

    /// Whether both lead to the same records, however they are written.
    public func isSame(as other: ShortLink) -> Bool {
        // The key is the hash of a record that names its queue, and so does not occur on two servers.
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

    /// The server to connect to. Fails for a link whose server was left out and not restored.
    public func usableServer() throws(LinkError) -> ServerAddress {
        guard server.fingerprint.count == ShortLink.fingerprintSize else { throw .unknownServer }
        return server
    }

    /// The link with all that was left out because its server is one of `known`. Other links stay as they are.
    ///
    /// SECURITY: `known` are the servers that every user of the network knows, not those of this user's configuration, or
    /// links would tell whose they are.
    public func restored(from known: [ServerAddress]) -> ShortLink {
        let isShortened = server.hosts.count == 1 && server.port == nil && server.fingerprint.isEmpty
        guard isShortened, let complete = preset(in: known) else { return self }
        return with(complete)
    }

    /// The link without what `known` tells about its server. Links to other servers stay as they are.
    public func shortened(for known: [ServerAddress]) -> ShortLink {
        guard let complete = preset(in: known), complete.fingerprint == server.fingerprint,
            server.hosts.allSatisfy(complete.hosts.contains), isPort(of: complete)
        else { return self }
        return with(ServerAddress(hosts: Array(server.hosts.prefix(1)), port: nil, fingerprint: []))
    }

    /// A server is found by its first host.
    private func preset(in known: [ServerAddress]) -> ServerAddress? {
        known.first { $0.hosts.first == server.hosts.first }
    }

    /// Relays listen on both ports where an address names none.
    private func isPort(of complete: ServerAddress) -> Bool {
        server.port == complete.port || (complete.port == nil && (server.port == 443 || server.port == SMP.defaultPort))
    }

    private func with(_ server: ServerAddress) -> ShortLink {
        ShortLink(scheme: scheme, target: target, server: server, key: key)
    }
}

// MARK: - Binary form

extension ShortLink: ByteCodable {
    /// Reads a link from inside of a record, where nothing tells the scheme.
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
    ///
    /// Ids and keys are written without padding here, other than in full links.
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

    /// From the letter of the kind up to the key.
    private var path: String {
        switch target {
        case .invitation(let id): "i#\(Base64URL.encode(id.bytes, padding: false))/"
        case .address(let kind): "\(kind.letter)#"
        }
    }

    /// Reads a text that is a short link and nothing else. Letters of addresses may be in upper case, ids and keys padded;
    /// parameters that are not known are ignored.
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
        // All of them together, as the binary form has them: it is read back from the store.
        try ServerAddress.check(hosts)
        let server = ServerAddress(
            hosts: hosts, port: try ShortLink.port(query["p"]), fingerprint: try ShortLink.fingerprint(query["c"]))
        self.init(scheme: scheme, target: target, server: server, key: ShortLinkKey(key))
    }

    /// Reads the letter of the kind and, of an invitation, its id.
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
