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
