public import AgentProtocol
public import ByteCoding
public import JSONCoding
import XFTPProtocol

/// Uploads a file that is then received by links. (`/_upload 1 [recipients=8] PATH`)
public struct UploadFile: ChatCommand {
    public var profile: ProfileID
    public var path: String
    /// The number of links, each for one recipient; nil for four, which is also the least.
    public var recipients: Int64?

    public init(_ profile: ProfileID, _ path: String, recipients: Int64? = nil) {
        self.profile = profile
        self.path = path
        self.recipients = recipients
    }

    /// The most links to one file.
    public static let mostRecipients: Int64 = 128

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_upload", .profile(\.profile), .recipients(\.recipients), .words("path", \.path),
            make: { Self($0, $2, recipients: $1) }))

    public func perform(on core: isolated LocalCore) async throws -> LinkedFileCreated {
        let profile = try core.lookup.profile(profile)
        let record = try core.files.upload(CryptoFile(path: path), of: profile, recipients: recipients ?? 0)
        return LinkedFileCreated(profile: profile, file: SentFileTransfer(record))
    }
}

/// A file that is going to be uploaded for links.
public struct LinkedFileCreated: SimpleResponse {
    public let profile: OwnProfile
    public let file: SentFileTransfer

    public static let type = "sndStandaloneFileCreated"

    init(profile: OwnProfile, file: SentFileTransfer) {
        self.profile = profile
        self.file = file
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), file: try fields.required("fileTransferMeta"))
    }

    public var fields: JSONObject { ["user": profile.json, "fileTransferMeta": file.json] }
}

/// Downloads the file of a link. (`/_download 1 simplex:/file#/?desc=... PATH`)
public struct DownloadFile: ChatCommand {
    public var profile: ProfileID
    public var link: String
    public var path: String

    public init(_ profile: ProfileID, _ link: String, to path: String) {
        self.profile = profile
        self.link = link
        self.path = path
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_download", .profile(\.profile), .link(\.link), .words("path", \.path), make: { Self($0, $1, to: $2) }))

    public func perform(on core: isolated LocalCore) async throws -> LinkedFileAccepted {
        let profile = try core.lookup.profile(profile)
        guard let link = try? FileLink(text: link) else { throw ChatError.file(.invalidLink) }
        let record = try core.files.download(link, to: CryptoFile(path: path), of: profile)
        return LinkedFileAccepted(profile: profile, file: ReceivedFileTransfer(record, of: nil))
    }
}

/// The file of a link that is going to be received.
public struct LinkedFileAccepted: SimpleResponse {
    public let profile: OwnProfile
    public let file: ReceivedFileTransfer

    public static let type = "rcvStandaloneFileCreated"

    init(profile: OwnProfile, file: ReceivedFileTransfer) {
        self.profile = profile
        self.file = file
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), file: try fields.required("rcvFileTransfer"))
    }

    public var fields: JSONObject { ["user": profile.json, "rcvFileTransfer": file.json] }
}

/// Reads what the program that made a link to a file has added. (`/_download info simplex:/file#/?desc=...`)
public struct ShowFileLink: ChatCommand {
    public var link: String

    public init(_ link: String) {
        self.link = link
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_download info", .link(\.link), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> FileLinkInfo {
        guard let link = try? FileLink(text: link) else { throw ChatError.file(.invalidLink) }
        let text = link.clientData.map { Bytes($0.utf8) }
        return FileLinkInfo(content: text.flatMap { try? JSONValue(decoding: $0) }?.object)
    }
}

/// What a link to a file says besides the file.
public struct FileLinkInfo: SimpleResponse {
    /// Nil if it says nothing.
    public let content: JSONObject?

    public static let type = "standaloneFileInfo"

    init(content: JSONObject?) {
        self.content = content
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        content = try fields.optionalObject("fileMeta")?.rest
    }

    public var fields: JSONObject {
        var fields = JSONObject()
        fields["fileMeta"] = content.map { .object($0) }
        return fields
    }
}

extension Argument where Command == UploadFile, Value == Int64? {
    /// `recipients=8`, or nothing.
    fileprivate static func recipients(_ value: @escaping @Sendable (Command) -> Int64?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.skipExactly("recipients", "=") else { return nil }
                let count = try reader.integer(Int64.self)
                guard (1...UploadFile.mostRecipients).contains(count) else { throw .invalid("recipients") }
                return count
            }, write: { command in value(command).map { "recipients=\($0)" } ?? "" })
    }
}

extension Argument where Value == String {
    /// A link, which has no spaces.
    fileprivate static func link(_ value: @escaping @Sendable (Command) -> String) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                let word = reader.word()
                guard !word.isEmpty else { throw .truncated }
                return word
            }, write: { value($0) })
    }
}
