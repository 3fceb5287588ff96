public import ByteCoding
public import Ratchet
import SMPProtocol

/// What a link asks the other side to do: join a connection that waits for one other side, or send a request to an address
/// that many may use.
public enum ConnectionRequest: Hashable, Sendable {
    /// A one-time invitation, with the initiator's keys for the ratchet.
    case invitation(ConnectionQueues, RatchetOffer)
    /// A contact address.
    case contact(ConnectionQueues)

    public var queues: ConnectionQueues {
        switch self {
        case .invitation(let queues, _), .contact(let queues): queues
        }
    }
}

/// The queues behind a link.
public struct ConnectionQueues: Hashable, Sendable {
    /// Versions of the agent that made the link.
    public let versions: VersionRange
    /// At least one; only the first is used at present.
    public let queues: [QueueAddress]
    /// Text for the application, not for the agent.
    public let clientText: String?

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
    public init(from reader: inout ByteReader) throws(DecodeError) {
        versions = try reader.value()
        // A queue of a link has a mode: where none is written it is that of addresses.
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

    public func encode(into writer: inout ByteWriter) {
        writer.value(versions)
        writer.list(queues)
        writer.optional(clientText) { $0.largeBytes(Bytes($1.utf8)) }
    }
}

extension ConnectionRequest: ByteCodable {
    public init(from reader: inout ByteReader) throws(DecodeError) {
        switch try reader.uint8() {
        case UInt8(ascii: "I"): self = .invitation(try reader.value(), try reader.value())
        case UInt8(ascii: "C"): self = .contact(try reader.value())
        default: throw .invalid("connection request")
        }
    }

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
            // The offer is a query of its own; it is escaped once, as the value in this one.
            items.append(
                QueryString.Item("e2e", offer.queryItems.map { "\($0.name)=\($0.value)" }.joined(separator: "&")))
        case .contact: kind = "contact"
        }
        if let text = queues.clientText { items.append(QueryString.Item("data", text)) }
        return "simplex:/\(kind)#/?\(QueryString(items).text)"
    }

    /// Reads a full link with the scheme `simplex:`, or `https:` with any host.
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
            // The minimum version is that of this program: older agents made links that still work.
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
        // The binary form has no room for more.
        guard queues.count <= UInt8.max else { throw .invalid("queues") }
        guard (query["data"]?.utf8.count ?? 0) <= UInt16.max else { throw .invalid("client text") }
        return ConnectionQueues(
            versions: VersionRange(max(versions.min, minimum), max(versions.max, minimum)), queues: queues,
            clientText: query["data"])
    }
}
