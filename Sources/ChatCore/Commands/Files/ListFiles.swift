public import AgentProtocol
public import ByteCoding
public import JSONCoding
import XFTPProtocol

/// Lists the files of a profile, oldest first. (`/_files 1`, `/files`)
public struct ListFiles: ChatCommand {
    /// Nil for the active profile.
    public var profile: ProfileID?

    public init(_ profile: ProfileID? = nil) {
        self.profile = profile
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form.numbered("/_files", named: "/files", \.profile, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> FileList {
        let profile = try core.lookup.profile(profile)
        return FileList(
            profile: profile, files: try core.store.files(of: profile.id).map { try core.files.listed($0) })
    }
}

/// Shows a file. (`/_file 7`)
public struct ShowFile: ChatCommand {
    public var file: ChatFileID

    public init(_ file: ChatFileID) {
        self.file = file
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_file", .file(\.file), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> FileInfo {
        let record = try core.files.file(file)
        return FileInfo(profile: try core.lookup.profile(record.profileID), file: try core.files.listed(record))
    }
}

/// Transfers a file until it is complete, has failed or was cancelled. (`/_wait file 7 timeout=30`)
public struct WaitForFile: ChatCommand {
    public var file: ChatFileID
    public var timeout: Duration

    public init(_ file: ChatFileID, timeout: Duration) {
        self.file = file
        self.timeout = timeout
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_wait file", .file(\.file), .duration("timeout", \.timeout, byDefault: .seconds(30)), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> FileInfo {
        _ = try await core.exchange.wait(for: file, timeout: timeout)
        return try await ShowFile(file).perform(on: core)
    }
}

/// Removes the copies of received files that belong to the store. (`/_purge files 1 before=2026-11-22T16:31:39Z`)
public struct PurgeFiles: ChatCommand {
    /// Nil for the active profile.
    public var profile: ProfileID?
    /// Files that are older than this.
    public var time: Timestamp
    /// True to tell only what would be removed.
    public var isDry: Bool

    public init(_ profile: ProfileID? = nil, before time: Timestamp, isDry: Bool = false) {
        self.profile = profile
        self.time = time
        self.isDry = isDry
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.numbered(
            "/_purge files", named: "/purge files", \.profile, .flag("dry", \.isDry), .before(\.time),
            make: { Self($0, before: $2, isDry: $1) }))

    public func perform(on core: isolated LocalCore) async throws -> FileList {
        let profile = try core.lookup.profile(profile)
        return FileList(
            profile: profile, files: try core.files.purge(profile, before: time, isDry: isDry))
    }
}

extension Argument where Command == PurgeFiles, Value == Timestamp {
    fileprivate static func before(_ value: @escaping @Sendable (Command) -> Timestamp) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.skipExactly("before", "=") else { throw .truncated }
                return try Timestamp(text: reader.word())
            }, write: { "before=\(value($0))" })
    }
}

/// A file with its place and its entry.
public struct ListedFile: Hashable, Sendable, JSONObjectCodable {
    public let file: ChatFile
    /// True for an own file.
    public let isSent: Bool
    /// The absolute path of the file; nil for one that has none.
    public let path: String?
    /// The entry; nil for a file of a link.
    public let item: LocatedItem?
    /// The links to an own file without an entry.
    public let links: [String]
    /// When it was sent or offered.
    public let createdAt: Timestamp

    init(
        file: ChatFile, isSent: Bool, path: String?, item: LocatedItem?, links: [String], createdAt: Timestamp
    ) {
        self.file = file
        self.isSent = isSent
        self.path = path
        self.item = item
        self.links = links
        self.createdAt = createdAt
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            file: try fields.required("file"), isSent: try fields.bool("sent"), path: try fields.optionalText("path"),
            item: try fields.optional("chatItem"), links: try fields.elements("rcvURIs").compactMap(\.string),
            createdAt: try fields.timestamp("createdAt"))
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["file": file.json, "sent": .bool(isSent)]
        fields.set("path", path)
        fields.set("chatItem", item)
        fields["rcvURIs"] = .array(links.map { .string($0) })
        fields["createdAt"] = .string(createdAt.apiText)
        return fields
    }
}

/// Files of a profile.
public struct FileList: SimpleResponse {
    public let profile: OwnProfile
    public let files: [ListedFile]

    public static let type = "files"

    init(profile: OwnProfile, files: [ListedFile]) {
        self.profile = profile
        self.files = files
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), files: try fields.list("files"))
    }

    public var fields: JSONObject { ["user": profile.json, "files": .array(files.map(\.json))] }
}

/// A file of a profile.
public struct FileInfo: SimpleResponse {
    public let profile: OwnProfile
    public let file: ListedFile

    public static let type = "fileInfo"

    init(profile: OwnProfile, file: ListedFile) {
        self.profile = profile
        self.file = file
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), file: try fields.required("file"))
    }

    public var fields: JSONObject { ["user": profile.json, "file": file.json] }
}
