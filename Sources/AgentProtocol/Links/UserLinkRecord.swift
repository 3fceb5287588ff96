public import ByteCoding

/// What the owner of a short link shows to whoever opens it, and may change.
public enum UserLinkRecord: Hashable, Sendable {
    /// The record of an invitation. Letter `I`.
    case invitation(versions: VersionRange, content: Bytes)
    /// The record of an address. Letter `C`.
    case address(versions: VersionRange, AddressRecord)

    /// Bytes of the application: a profile for instance.
    public var content: Bytes {
        switch self {
        case .invitation(_, let content): content
        case .address(_, let record): record.content
        }
    }

    /// The record of an invitation of this program.
    public static func invitation(_ content: Bytes) -> UserLinkRecord {
        .invitation(versions: AgentVersion.supported, content: content)
    }

    /// The record of an address of this program.
    public static func address(_ record: AddressRecord) -> UserLinkRecord {
        .address(versions: AgentVersion.supported, record)
    }

    var isInvitation: Bool {
        if case .invitation = self { true } else { false }
    }

    /// The most bytes of content that fit with all else that is in the record; below 0 if that is too much already.
    public var contentLimit: Int {
        let empty: UserLinkRecord =
            switch self {
            case .invitation(let versions, _): .invitation(versions: versions, content: [])
            case .address(let versions, let record): .address(versions: versions, record.with(content: []))
            }
        let room = LinkBox.userSize - LinkBox.overhead - empty.encoded.count
        // The length of the content is one byte, which was counted already, or three.
        return room < UInt8.max ? room : max(room - 2, 254)
    }
}

/// What there is behind an address besides its queue.
public struct AddressRecord: Hashable, Sendable {
    /// Whether requests go to the queue of the address; otherwise they go to the relays.
    public let isDirect: Bool
    /// Who may sign the record besides the root key of the link. At most 255.
    public let owners: [LinkOwner]
    /// Addresses of relays that stand for this one. At most 255.
    public let relays: [ShortLink]
    public let content: Bytes

    public init(isDirect: Bool = true, owners: [LinkOwner] = [], relays: [ShortLink] = [], content: Bytes) {
        precondition(owners.count <= UInt8.max && relays.count <= UInt8.max, "a list has at most 255 items")
        precondition(relays.allSatisfy { $0.kind != .invitation }, "a relay has an address")
        self.isDirect = isDirect
        self.owners = owners
        self.relays = relays
        self.content = content
    }

    /// The same with other content.
    public func with(content: Bytes) -> AddressRecord {
        AddressRecord(isDirect: isDirect, owners: owners, relays: relays, content: content)
    }
}

extension UserLinkRecord: ByteEncodable {
    /// Reads a record that fills `bytes`. Later versions may add fields, which are skipped.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        switch try reader.uint8() {
        case UInt8(ascii: "I"):
            self = .invitation(versions: try reader.value(), content: try reader.linkContent())
        case UInt8(ascii: "C"): self = .address(versions: try reader.value(), try reader.value())
        default: throw .invalid("link record")
        }
    }

    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .invitation(let versions, let content):
            writer.character("I")
            writer.value(versions)
            writer.linkContent(content)
        case .address(let versions, let record):
            writer.character("C")
            writer.value(versions)
            writer.value(record)
        }
    }
}

extension AddressRecord: ByteCodable {
    public init(from reader: inout ByteReader) throws(DecodeError) {
        isDirect = try reader.bool()
        owners = try reader.list()
        relays = try reader.list()
        guard relays.allSatisfy({ $0.kind != .invitation }) else { throw .invalid("relay") }
        content = try reader.linkContent()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.bool(isDirect)
        writer.list(owners)
        writer.list(relays)
        writer.linkContent(content)
    }
}

// MARK: - Content

extension ByteWriter {
    /// The bytes of the application: behind one byte of length up to 254 bytes, behind 255 and two bytes of length above.
    mutating func linkContent(_ content: Bytes) {
        if content.count < UInt8.max {
            shortBytes(content)
        } else {
            uint8(.max)
            largeBytes(content)
        }
    }
}

extension ByteReader {
    /// Reads what ``ByteWriter/linkContent(_:)`` writes.
    mutating func linkContent() throws(DecodeError) -> Bytes {
        guard next == .max else { return try shortBytes() }
        _ = try uint8()
        return try largeBytes()
    }
}
