public import ByteCoding
import SMPProtocol

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
