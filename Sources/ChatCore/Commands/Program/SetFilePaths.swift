public import ByteCoding
public import JSONCoding
import SystemIO

/// Sets all folders of a program at once. (`/set file paths {"appFilesFolder":...}`)
public struct SetFilePaths: ChatCommand {
    public var paths: FilePaths

    public init(_ paths: FilePaths) {
        self.paths = paths
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/set file paths", .json(\.paths), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        for path in [paths.files, paths.temporary] { try Files.createFolder(path) }
        core.context.fileFolders.files = paths.files
        core.context.fileFolders.temporary = paths.temporary
        return CommandOK()
    }
}

/// The folders of a program: `AppFilePathsConfig` of the API.
public struct FilePaths: Hashable, Sendable, JSONObjectCodable {
    public let files: String
    public let temporary: String
    /// For images of the program itself, which are not used here.
    public let assets: String
    /// For files of other devices, which are not used here.
    public let remoteHosts: String?

    init(files: String, temporary: String, assets: String, remoteHosts: String? = nil) {
        self.files = files
        self.temporary = temporary
        self.assets = assets
        self.remoteHosts = remoteHosts
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            files: try fields.text("appFilesFolder"), temporary: try fields.text("appTempFolder"),
            assets: try fields.text("appAssetsFolder"), remoteHosts: try fields.optionalText("appRemoteHostsFolder"))
    }

    public var fields: JSONObject {
        var fields: JSONObject = [
            "appFilesFolder": .string(files), "appTempFolder": .string(temporary), "appAssetsFolder": .string(assets),
        ]
        fields.set("appRemoteHostsFolder", remoteHosts)
        return fields
    }
}
