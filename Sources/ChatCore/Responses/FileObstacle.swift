import ByteCoding
import JSONCoding

/// Why something is not done with a file.
public enum FileObstacle: Hashable, Sendable {
    /// There is no file of this number.
    case unknown(ChatFileID)
    /// There is no readable file at this path.
    case missing(String)
    /// The path leads to a folder.
    case folder(String)
    /// The file is larger than files may be.
    case tooLarge(String)
    /// The file is no picture of a known kind.
    case notAnImage(String)
    /// The picture is larger than pictures may be.
    case imageTooLarge(String)
    /// There is a file at this path already.
    case exists(String)
    /// No file can be created at this path, with the reason.
    case notWritable(String, String)
    /// The file is being received, or was.
    case receiving(String)
    /// The sender or the user cancelled the file.
    case cancelled(String)
    /// The file cannot be cancelled any more.
    case notCancellable(ChatFileID, String)
    /// The file relays with these addresses are not among those of the profile, and would learn the address of this machine.
    case notApproved(ChatFileID, [String])
    /// The file comes in messages, as old versions send it.
    case inline(ChatFileID)
    /// The file was not received.
    case notReceived(ChatFileID)
    /// The text is no link to a file.
    case invalidLink
    /// The profile has no file relay.
    case noServer
}

extension FileObstacle {
    private static let folderText = "a folder cannot be sent", noServerText = "no file server"

    /// `ChatError` of the API.
    var errorFields: JSONObject {
        switch self {
        case .unknown(let id):
            ChatError.store("fileNotFound", ["fileId": .integer(id.number)])
        case .missing(let path): ChatError.command("fileNotFound", ["message": .string(path)])
        case .folder(let path):
            ChatError.command(
                "fileRead", ["filePath": .string(path), "message": .string(FileObstacle.folderText)])
        case .tooLarge(let path): ChatError.command("fileSize", ["filePath": .string(path)])
        case .notAnImage(let path): ChatError.command("fileImageType", ["filePath": .string(path)])
        case .imageTooLarge(let path): ChatError.command("fileImageSize", ["filePath": .string(path)])
        case .exists(let path): ChatError.command("fileAlreadyExists", ["filePath": .string(path)])
        case .notWritable(let path, let reason):
            ChatError.command("fileWrite", ["filePath": .string(path), "message": .string(reason)])
        case .receiving(let name): ChatError.command("fileAlreadyReceiving", ["message": .string(name)])
        case .cancelled(let name): ChatError.command("fileCancelled", ["message": .string(name)])
        case .notCancellable(let id, let reason):
            ChatError.command("fileCancel", ["fileId": .integer(id.number), "message": .string(reason)])
        case .notApproved(let id, let servers):
            ChatError.command(
                "fileNotApproved",
                ["fileId": .integer(id.number), "unknownServers": .array(servers.map { .string($0) })])
        case .inline(let id): ChatError.command("inlineFileProhibited", ["fileId": .integer(id.number)])
        case .notReceived(let id): ChatError.command("fileNotReceived", ["fileId": .integer(id.number)])
        case .invalidLink: ChatError.command("invalidFileDescription", ["message": ""])
        case .noServer: ChatError.command("commandError", ["message": .string(FileObstacle.noServerText)])
        }
    }

    /// Reads a `ChatErrorType`; nil for one that is about something else.
    init?(command type: String, _ fields: JSONObject) throws(DecodeError) {
        var error = JSONFields(fields)
        switch type {
        case "fileNotFound": self = .missing(try error.text("message"))
        case "fileRead": self = .folder(try error.text("filePath"))
        case "fileSize": self = .tooLarge(try error.text("filePath"))
        case "fileImageType": self = .notAnImage(try error.text("filePath"))
        case "fileImageSize": self = .imageTooLarge(try error.text("filePath"))
        case "fileAlreadyExists": self = .exists(try error.text("filePath"))
        case "fileWrite": self = .notWritable(try error.text("filePath"), try error.text("message"))
        case "fileAlreadyReceiving": self = .receiving(try error.text("message"))
        case "fileCancelled": self = .cancelled(try error.text("message"))
        case "fileCancel":
            self = .notCancellable(ChatFileID(try error.integer("fileId")), try error.text("message"))
        case "fileNotApproved":
            self = .notApproved(
                ChatFileID(try error.integer("fileId")),
                try error.elements("unknownServers").compactMap(\.string))
        case "inlineFileProhibited": self = .inline(ChatFileID(try error.integer("fileId")))
        case "fileNotReceived": self = .notReceived(ChatFileID(try error.integer("fileId")))
        case "invalidFileDescription": self = .invalidLink
        case "commandError":
            guard try error.text("message") == FileObstacle.noServerText else { return nil }
            self = .noServer
        default: return nil
        }
    }

    /// Reads a `StoreError`; nil for one that is about something else.
    init?(store type: String, _ fields: JSONObject) throws(DecodeError) {
        var error = JSONFields(fields)
        guard type == "fileNotFound" else { return nil }
        self = .unknown(ChatFileID(try error.integer("fileId")))
    }
}
