public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// An event of the file of an entry.
public protocol ItemFileEvent: ProfileEvent {
    var item: LocatedItem { get }
}

extension ItemFileEvent {
    public var chat: Chat? { item.chat }
    public var effect: SessionEffect? { .itemChanged(item) }
}

/// An event of a file that may have no entry.
public protocol TransferEvent: ProfileEvent {
    var item: LocatedItem? { get }
}

extension TransferEvent {
    public var chat: Chat? { item?.chat }
    public var effect: SessionEffect? { item.map { .itemChanged($0) } }
}

// MARK: - Receiving

/// The whole description of a file that was offered.
public struct FileDescriptionEvent: ItemFileEvent {
    public static let type = "rcvFileDescrReady"

    public let profile: OwnProfile
    public let item: LocatedItem
    public let file: ReceivedFileTransfer
    public let description: DescriptionPart

    public var fields: JSONObject {
        [
            "user": profile.json, "chatItem": item.json, "rcvFileTransfer": file.json,
            "rcvFileDescr": description.json(of: file.id),
        ]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        var description = try fields.object("rcvFileDescr")
        return Self(
            profile: try fields.required("user"), item: try fields.required("chatItem"),
            file: try fields.required("rcvFileTransfer"),
            description: DescriptionPart(
                try description.text("fileDescrText"), part: try description.integer("fileDescrPartNo"),
                isComplete: try description.bool("fileDescrComplete")))
    }

    public var trace: EventText { "file can be received: \([item])" }
}

/// A file that begins to be received.
public struct FileStartedEvent: ItemFileEvent {
    public static let type = "rcvFileStart"

    public let profile: OwnProfile
    public let item: LocatedItem

    public var fields: JSONObject { ["user": profile.json, "chatItem": item.json] }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), item: try fields.required("chatItem"))
    }

    public var trace: EventText { "receiving a file: \([item])" }
}

/// More of a file was received.
public struct FileReceivingEvent: TransferEvent {
    public static let type = "rcvFileProgressXFTP"

    public let profile: OwnProfile
    public let item: LocatedItem?
    public let file: ReceivedFileTransfer
    /// The bytes of the encrypted file that are here, and all of them.
    public let receivedSize: Int64
    public let totalSize: Int64

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("chatItem_", item)
        fields.set("receivedSize", receivedSize)
        fields.set("totalSize", totalSize)
        fields["rcvFileTransfer"] = file.json
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), item: try fields.optional("chatItem_"),
            file: try fields.required("rcvFileTransfer"), receivedSize: try fields.integer("receivedSize"),
            totalSize: try fields.integer("totalSize"))
    }

    public var trace: EventText {
        "received \(Int(clamping: receivedSize)) of \(Int(clamping: totalSize)) bytes of a file"
    }
}

/// A file that was received.
public struct FileReceivedEvent: ItemFileEvent {
    public static let type = "rcvFileComplete"
    public static let slugs = ["file.received"]

    public let profile: OwnProfile
    public let item: LocatedItem

    public var fields: JSONObject { ["user": profile.json, "chatItem": item.json] }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), item: try fields.required("chatItem"))
    }

    public var hooks: [HookTrigger] { [HookTrigger(.onFile)] }
    public var notice: EventNotice? {
        EventNotice("file.received", item, "sent a file, which was received: \(item.item.id)")
    }
    public var trace: EventText { "received a file: \([item])" }
    public var effect: SessionEffect? { .itemChanged(item) }
}

/// A file that its sender cancelled.
public struct FileWithdrawnEvent: ItemFileEvent {
    public static let type = "rcvFileSndCancelled"
    public static let slugs = ["file.cancelled"]

    public let profile: OwnProfile
    public let item: LocatedItem
    public let file: ReceivedFileTransfer

    public var fields: JSONObject {
        ["user": profile.json, "chatItem": item.json, "rcvFileTransfer": file.json]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), item: try fields.required("chatItem"),
            file: try fields.required("rcvFileTransfer"))
    }

    public var notice: EventNotice? {
        EventNotice("file.cancelled", item, "cancelled the file of \(item.item.id)")
    }
    public var trace: EventText { "a file was cancelled: \([item])" }
    public var effect: SessionEffect? { .itemChanged(item) }
}

/// A file that was not received.
public struct FileReceivingFailedEvent: TransferEvent {
    public static let type = "rcvFileError"
    public static let slugs = ["file.not-received"]

    public let profile: OwnProfile
    public let item: LocatedItem?
    public let file: ReceivedFileTransfer
    public let problem: FileProblem

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("chatItem_", item)
        fields["agentError"] = problem.agentError
        fields["rcvFileTransfer"] = file.json
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        var problem = try fields.object("agentError")
        return Self(
            profile: try fields.required("user"), item: try fields.optional("chatItem_"),
            file: try fields.required("rcvFileTransfer"), problem: try FileProblem(agentError: &problem))
    }

    public var notice: EventNotice? {
        item.map { EventNotice("file.not-received", $0, "sent a file that could not be received: \($0.item.id)") }
    }
    public var trace: EventText { "a file was not received" }
    public var effect: SessionEffect? { item.map { .itemChanged($0) } }
}

/// A download that failed and is repeated later.
public struct FileReceivingDelayedEvent: TransferEvent {
    public static let type = "rcvFileWarning"
    public static let slugs = ["file.download-waits"]

    public let profile: OwnProfile
    public let item: LocatedItem?
    public let file: ReceivedFileTransfer
    public let problem: FileProblem

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("chatItem_", item)
        fields["agentError"] = problem.agentError
        fields["rcvFileTransfer"] = file.json
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        var problem = try fields.object("agentError")
        return Self(
            profile: try fields.required("user"), item: try fields.optional("chatItem_"),
            file: try fields.required("rcvFileTransfer"), problem: try FileProblem(agentError: &problem))
    }

    public var notice: EventNotice? { FileDelay.notice(Self.slugs[0], problem, item) }
    public var trace: EventText { "receiving a file is delayed" }
}

/// A file that is not received because the user has not approved its relays.
public struct FileNotApprovedEvent: TransferEvent {
    public static let type = "chatError"
    public static let slugs = ["file.not-approved"]

    public let profile: OwnProfile
    public let item: LocatedItem?
    public let file: ChatFileID
    /// The addresses of the relays.
    public let servers: [String]

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields["chatError"] = .object(FileObstacle.notApproved(file, servers).errorFields)
        fields.set("chatItem_", item)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        let profile: OwnProfile = try fields.required("user")
        let error: ChatError = try fields.required("chatError")
        guard case .file(.notApproved(let file, let servers)) = error else { throw .invalid("chatError") }
        return Self(profile: profile, item: try fields.optional("chatItem_"), file: file, servers: servers)
    }

    public var notice: EventNotice? {
        item.map {
            EventNotice(
                "file.not-approved", $0, "sent a file on file relays that are not in your list: \($0.item.id)")
        }
    }
    public var trace: EventText { "a file is on unknown relays" }
    public var effect: SessionEffect? { item.map { .itemChanged($0) } }
}

/// The file of a link, which was received.
public struct LinkedFileReceivedEvent: ProfileEvent {
    public static let type = "rcvStandaloneFileComplete"

    public let profile: OwnProfile
    public let path: String
    public let file: ReceivedFileTransfer

    public var fields: JSONObject {
        ["user": profile.json, "targetPath": .string(path), "rcvFileTransfer": file.json]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), path: try fields.text("targetPath"),
            file: try fields.required("rcvFileTransfer"))
    }

    public var trace: EventText { "received the file of a link" }
}

/// The delays of transfers that people are told of: those that they can end.
enum FileDelay {
    static func notice(_ slug: String, _ problem: FileProblem, _ item: LocatedItem?) -> EventNotice? {
        guard let item, problem.needsRoom else { return nil }
        let sentence: EventText =
            problem == .fullDisk
            ? "the file of \(item.item.id) waits: the disk is full"
            : "the file of \(item.item.id) waits: the file relays are full"
        return EventNotice(slug, item, sentence)
    }
}

// MARK: - Sending

/// File relays have more of a file.
public struct FileSendingEvent: TransferEvent {
    public static let type = "sndFileProgressXFTP"

    public let profile: OwnProfile
    public let item: LocatedItem?
    public let file: SentFileTransfer
    /// The bytes of the encrypted file that relays have, and all of them.
    public let sentSize: Int64
    public let totalSize: Int64

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("chatItem_", item)
        fields["fileTransferMeta"] = file.json
        fields.set("sentSize", sentSize)
        fields.set("totalSize", totalSize)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), item: try fields.optional("chatItem_"),
            file: try fields.required("fileTransferMeta"), sentSize: try fields.integer("sentSize"),
            totalSize: try fields.integer("totalSize"))
    }

    public var trace: EventText { "sent \(Int(clamping: sentSize)) of \(Int(clamping: totalSize)) bytes of a file" }
}

/// A file that the other side can receive now.
public struct FileSentEvent: ItemFileEvent {
    public static let type = "sndFileCompleteXFTP"

    public let profile: OwnProfile
    public let item: LocatedItem
    public let file: SentFileTransfer

    public var fields: JSONObject {
        ["user": profile.json, "chatItem": item.json, "fileTransferMeta": file.json]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), item: try fields.required("chatItem"),
            file: try fields.required("fileTransferMeta"))
    }

    public var trace: EventText { "sent a file: \([item])" }
}

/// A file that was not sent.
public struct FileSendingFailedEvent: TransferEvent {
    public static let type = "sndFileError"
    public static let slugs = ["file.not-sent"]

    public let profile: OwnProfile
    public let item: LocatedItem?
    public let file: SentFileTransfer
    public let problem: FileProblem

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("chatItem_", item)
        fields["fileTransferMeta"] = file.json
        fields["errorMessage"] = .string(problem.json.line)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), item: try fields.optional("chatItem_"),
            file: try fields.required("fileTransferMeta"),
            problem: try FileProblem(decoding: Bytes(try fields.text("errorMessage").utf8)))
    }

    public var notice: EventNotice? {
        item.map { EventNotice("file.not-sent", $0, "does not get a file, which could not be sent: \($0.item.id)") }
    }
    public var trace: EventText { "a file was not sent" }
    public var effect: SessionEffect? { item.map { .itemChanged($0) } }
}

/// An upload that failed and is repeated later.
public struct FileSendingDelayedEvent: TransferEvent {
    public static let type = "sndFileWarning"
    public static let slugs = ["file.upload-waits"]

    public let profile: OwnProfile
    public let item: LocatedItem?
    public let file: SentFileTransfer
    public let problem: FileProblem

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("chatItem_", item)
        fields["fileTransferMeta"] = file.json
        fields["errorMessage"] = .string(problem.json.line)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), item: try fields.optional("chatItem_"),
            file: try fields.required("fileTransferMeta"),
            problem: try FileProblem(decoding: Bytes(try fields.text("errorMessage").utf8)))
    }

    public var notice: EventNotice? { FileDelay.notice(Self.slugs[0], problem, item) }
    public var trace: EventText { "sending a file is delayed" }
}

/// Relays have the file of a link, and get its description too, to make the link short.
public struct FileRedirectStartedEvent: ProfileEvent {
    public static let type = "sndFileRedirectStartXFTP"

    public let profile: OwnProfile
    public let file: SentFileTransfer
    /// The size of the description in bytes.
    public let size: Int64

    /// The official core has a file of its own for the description.
    private static let name = "redirect.yaml"

    public var fields: JSONObject {
        let redirect = SentFileTransfer(
            id: file.id, name: Self.name, path: Self.name, size: size, isCancelled: false)
        var meta = redirect.fields
        meta["xftpRedirectFor"] = .integer(file.id.number)
        return ["user": profile.json, "fileTransferMeta": file.json, "redirectMeta": .object(meta)]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        let profile: OwnProfile = try fields.required("user")
        let file: SentFileTransfer = try fields.required("fileTransferMeta")
        var meta = try fields.object("redirectMeta")
        return Self(profile: profile, file: file, size: try meta.integer("fileSize"))
    }

    public var trace: EventText { "sending the description of a file for a link" }
}

/// A file that can be received by links now.
public struct LinkedFileSentEvent: ProfileEvent {
    public static let type = "sndStandaloneFileComplete"

    public let profile: OwnProfile
    public let file: SentFileTransfer
    /// A link for each recipient.
    public let links: [String]

    public var fields: JSONObject {
        [
            "user": profile.json, "fileTransferMeta": file.json,
            "rcvURIs": .array(links.map { .string($0) }),
        ]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), file: try fields.required("fileTransferMeta"),
            links: try fields.elements("rcvURIs").compactMap(\.string))
    }

    public var trace: EventText { "sent a file for a link" }
}
