public import ByteCoding

/// The members of a channel with roles that an owner gave them, and their keys (network-7.md 9.8). Owners are not in it.
public struct Roster: Hashable, Sendable {
    /// A member of the roster.
    public struct Entry: Hashable, Sendable {
        /// The id of the member.
        public let id: MemberID
        /// The DER form of the member's Ed25519 key.
        public let key: Bytes
        /// The role of the member.
        public let role: GroupRole

        /// Creates an entry from its parts.
        public init(_ id: MemberID, key: Bytes, role: GroupRole) {
            self.id = id
            self.key = key
            self.role = role
        }
    }

    /// The members, in any order.
    public let entries: [Entry]

    /// The largest number of entries.
    public static let mostEntries = 256
    /// The largest size in bytes.
    public static let mostBytes = 256 * 128
    /// The largest number of bytes of a roster in one chunk.
    public static let chunk = 15780
    /// The roles of a roster.
    public static let roles: Set<GroupRole> = [.member, .moderator, .admin]

    /// Returns the chunks in which the binary form of a roster follows the message with an id.
    public static func chunks(of file: Bytes, under id: SharedMessageID) -> [FileChunk] {
        stride(from: 0, to: file.count, by: chunk).enumerated().map { index, start in
            FileChunk(
                messageID: id,
                .data(number: UInt8(clamping: index + 1), Bytes(file[start...].prefix(chunk))))
        }
    }

    /// Creates a roster from its entries.
    public init(_ entries: [Entry]) {
        self.entries = entries
    }
}

extension Roster: ByteCodable {
    /// Reads the binary form. The first entry of an id counts, and entries with other roles are left out.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let count = Int(try reader.uint16())
        guard count <= Roster.mostEntries else { throw .invalid("roster") }
        var entries: [Entry] = [], ids: Set<MemberID> = []
        for _ in 0..<count {
            guard let id = MemberID(try reader.shortBytes()) else { throw .invalid("memberId") }
            let key = try reader.shortBytes(), role = GroupRole(rawValue: try reader.shortText())
            // Privileges, which later versions may have.
            _ = try reader.uint16()
            guard ids.insert(id).inserted, Roster.roles.contains(role) else { continue }
            entries.append(Entry(id, key: key, role: role))
        }
        self.entries = entries
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.uint16(UInt16(clamping: entries.count))
        for entry in entries {
            writer.shortBytes(entry.id.bytes)
            writer.shortBytes(entry.key)
            writer.shortText(entry.role.rawValue)
            writer.uint16(0)
        }
    }
}
