public import ByteCoding
import JSONCoding

/// What tells the full link of a group from a contact's address: the text for the application that is in it.
public struct GroupLinkMark: Hashable, Sendable {
    /// Names the link among those of the group; 16 random bytes in the official clients.
    public let linkID: Bytes

    public init(linkID: Bytes) {
        self.linkID = linkID
    }

    /// Reads the text in a link; nil if it marks no group.
    public init?(clientText: String) {
        guard var fields = try? JSONFields(decoding: Bytes(clientText.utf8)),
            (try? fields.text("type")) == GroupLinkMark.type, let linkID = try? fields.optionalBytes("groupLinkId")
        else { return nil }
        self.linkID = linkID
    }

    /// The text for a link.
    public var clientText: String {
        let fields: JSONObject = [
            "type": .string(GroupLinkMark.type), "groupLinkId": .string(Base64URL.encode(linkID)),
        ]
        return fields.line
    }

    private static let type = "group"
}
