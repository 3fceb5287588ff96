public import ByteCoding
public import JSONCoding

/// Cancels a file: an own one is deleted at its relays, and its recipients are told; a received one can be accepted again.
/// (`/fcancel 7`, `/fc 7 decline=on`)
public struct CancelFile: ChatCommand {
    public var file: ChatFileID
    /// True if a received file is listed as aborted then; otherwise it is an offer again, as in the official applications.
    public var declines: Bool

    public init(_ file: ChatFileID, declines: Bool = false) {
        self.file = file
        self.declines = declines
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        ["/fcancel", "/fc"].map { name in
            Form(name, .file(\.file), .flag("decline", \.declines)) { Self($0, declines: $1) }
        })

    public func perform(on core: isolated LocalCore) async throws -> FileCancelled {
        let record = try core.files.cancel(file, declines: declines), item = try core.files.located(record)
        let profile = try core.lookup.profile(record.profileID)
        return record.isSent
            ? .sent(profile, item, SentFileTransfer(record))
            : .received(profile, item, ReceivedFileTransfer(record, of: item))
    }

    public func effect(of response: FileCancelled) -> SessionEffect? {
        switch response {
        case .sent(let profile, let item?, _), .received(let profile, let item?, _):
            .visible(profile, .itemChanged(item))
        case .sent(_, nil, _), .received(_, nil, _): nil
        }
    }
}

/// A file that was cancelled.
public enum FileCancelled: ChatResponse {
    case sent(OwnProfile, LocatedItem?, SentFileTransfer)
    case received(OwnProfile, LocatedItem?, ReceivedFileTransfer)

    public var type: String {
        switch self {
        case .sent: "sndFileCancelled"
        case .received: "rcvFileCancelled"
        }
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        let profile: OwnProfile = try fields.required("user"), item: LocatedItem? = try fields.optional("chatItem_")
        switch type {
        case "sndFileCancelled": self = .sent(profile, item, try fields.required("fileTransferMeta"))
        case "rcvFileCancelled": self = .received(profile, item, try fields.required("rcvFileTransfer"))
        default: throw .invalid("type")
        }
    }

    public var fields: JSONObject {
        var fields = JSONObject()
        switch self {
        case .sent(let profile, let item, let file):
            fields["user"] = profile.json
            fields.set("chatItem_", item)
            fields["fileTransferMeta"] = file.json
            fields["sndFileTransfers"] = []
        case .received(let profile, let item, let file):
            fields["user"] = profile.json
            fields.set("chatItem_", item)
            fields["rcvFileTransfer"] = file.json
        }
        return fields
    }
}
