import Archive
public import ByteCoding
public import JSONCoding
import SystemIO

/// Writes an archive of the store, while the chat is stopped. (`/_db export {"archivePath":"a.zip"}`)
///
/// The archive is one of this program, as `tacit export` makes it.
public struct ExportStore: ChatCommand {
    public var archive: ArchivePlace

    public init(_ archive: ArchivePlace) {
        self.archive = archive
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_db export", .json(\.archive), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ArchiveReport {
        guard !core.exchange.isRunning else { throw ChatError.notStopped }
        try await core.exportArchive(to: archive.path)
        return .exported
    }
}

/// Where an archive is: `ArchiveConfig` of the API.
public struct ArchivePlace: Hashable, Sendable, JSONObjectCodable {
    public let path: String
    /// Whether to save time instead of space. Archives of this program are never compressed.
    public let isUncompressed: Bool?

    init(path: String, isUncompressed: Bool? = nil) {
        self.path = path
        self.isUncompressed = isUncompressed
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            path: try fields.text("archivePath"), isUncompressed: try fields.optionalBool("disableCompression"))
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["archivePath": .string(path)]
        fields.set("disableCompression", isUncompressed)
        return fields
    }
}
