public import ByteCoding
public import Ratchet
import SMPProtocol

/// A full link (smp-agent.md 6.4): an invitation to a connection that waits for one joiner, or an address for the
/// requests of many.
public enum ConnectionRequest: Hashable, Sendable {
    /// A one-time invitation with the initiator's ratchet keys.
    case invitation(ConnectionQueues, RatchetOffer)
    /// A contact address.
    case contact(ConnectionQueues)

    /// The queues of the link.
    public var queues: ConnectionQueues {
        switch self {
        case .invitation(let queues, _), .contact(let queues): queues
        }
    }
}

/// The queues of a full link.
public struct ConnectionQueues: Hashable, Sendable {
    /// The agent versions of the maker of the link.
    public let versions: VersionRange
    /// The queues, at least one. Only the first is used.
    public let queues: [QueueAddress]
    /// Text for the application, ignored by the agent.
    public let clientText: String?

    /// Creates a connection queues from its parts.
    public init(versions: VersionRange, queues: [QueueAddress], clientText: String? = nil) {
        precondition(!queues.isEmpty, "a link has a queue")
        self.versions = versions
        self.queues = queues
        self.clientText = clientText
    }

    /// The queue that is used.
    public var first: QueueAddress { queues[0] }
}

// MARK: - Binary form

extension ConnectionQueues: ByteCodable {
    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        versions = try reader.value()
        // A queue of a link has a mode: without one it is that of addresses.
        queues = try reader.nonEmptyList(of: QueueAddress.self).map { queue in
            guard queue.location.mode == nil else { return queue }
            let location = QueueLocation(
                server: queue.location.server, senderID: queue.location.senderID, dhKey: queue.location.dhKey,
                mode: .contact)
            return QueueAddress(versions: queue.versions, location: location)
        }
        clientText = try reader.optional { reader throws(DecodeError) in
            guard let text = String(validating: try reader.largeBytes(), as: UTF8.self) else {
                throw .invalid("client text")
            }
            return text
        }
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.value(versions)
        writer.list(queues)
        writer.optional(clientText) { $0.largeBytes(Bytes($1.utf8)) }
    }
}

extension ConnectionRequest: ByteCodable {
    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        switch try reader.uint8() {
        case UInt8(ascii: "I"): self = .invitation(try reader.value(), try reader.value())
        case UInt8(ascii: "C"): self = .contact(try reader.value())
        default: throw .invalid("connection request")
        }
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .invitation(let queues, let offer):
            writer.character("I")
            writer.value(queues)
            writer.value(offer)
        case .contact(let queues):
            writer.character("C")
            writer.value(queues)
        }
    }
}

// MARK: - Text form

extension ConnectionRequest: CustomStringConvertible {
    /// The canonical full link: `simplex:/invitation#/?v=...&smp=...&e2e=...` or `simplex:/contact#/?v=...&smp=...`.
    public var description: String {
        var items = [
            QueryString.Item("v", queues.versions.description),
            QueryString.Item("smp", queues.queues.map(\.description).joined(separator: ";")),
        ]
        let kind: String
        switch self {
        case .invitation(_, let offer):
            kind = "invitation"
            // The offer is a query string in a query string, escaped once as a value.
            items.append(
                QueryString.Item("e2e", offer.queryItems.map { "\($0.name)=\($0.value)" }.joined(separator: "&")))
        case .contact: kind = "contact"
        }
        if let text = queues.clientText { items.append(QueryString.Item("data", text)) }
        return "simplex:/\(kind)#/?\(QueryString(items).text)"
    }

    /// Reads a full link with the scheme `simplex:`, or `https:` with any host.
    ///
    /// - Throws: ``DecodeError``.
    public init(text: String) throws(DecodeError) {
        var reader = TextReader(text)
        if reader.skip("https://") {
            guard !reader.take(until: "/").isEmpty else { throw .invalid("link host") }
        } else {
            try reader.expect("simplex:")
        }
        try reader.expect("/")
        let isInvitation = reader.skip("invitation")
        if !isInvitation { try reader.expect("contact") }
        _ = reader.skip("/")
        try reader.expect("#/?")
        let query = try QueryString(text: reader.take(while: QueryString.goesOn))
        try reader.finish()
        guard isInvitation else {
            // The minimum version is that of this program: links of older agents still work.
            self = .contact(try ConnectionRequest.queues(query, raisedTo: AgentVersion.supported.min))
            return
        }
        guard let offer = query["e2e"] else { throw .invalid("e2e parameters") }
        let items = try QueryString(text: offer).items.map { (name: $0.name, value: $0.value) }
        self = .invitation(try ConnectionRequest.queues(query, raisedTo: 0), try RatchetOffer(queryItems: items))
    }

    private static func queues(_ query: QueryString, raisedTo minimum: UInt16) throws(DecodeError) -> ConnectionQueues {
        guard let versionText = query["v"] else { throw .invalid("agent version") }
        guard let queueText = query["smp"] else { throw .invalid("queues") }
        let versions = try VersionRange(text: versionText)
        var queues: [QueueAddress] = []
        for text in queueText.split(separator: ";", omittingEmptySubsequences: false) {
            queues.append(try QueueAddress(text: String(text)))
        }
        // The binary form cannot hold more.
        guard queues.count <= UInt8.max else { throw .invalid("queues") }
        guard (query["data"]?.utf8.count ?? 0) <= UInt16.max else { throw .invalid("client text") }
        return ConnectionQueues(
            versions: VersionRange(max(versions.min, minimum), max(versions.max, minimum)), queues: queues,
            clientText: query["data"])
    }
}
