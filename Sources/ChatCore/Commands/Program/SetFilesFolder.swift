import SystemIO

/// Sets the folder in which received files are kept, and to which relative paths in messages belong. (`/_files_folder PATH`)
///
/// The setting lasts as long as the core is open.
public struct SetFilesFolder: ChatCommand {
    public var path: String

    public init(_ path: String) {
        self.path = path
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_files_folder", .words("path", \.path), make: Self.init),
        Form("/files_folder", .words("path", \.path), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        try Files.createFolder(path)
        core.context.fileFolders.files = path
        return CommandOK()
    }
}

/// Sets the folder for files while they are encrypted and decrypted. (`/_temp_folder PATH`)
///
/// The setting lasts as long as the core is open.
public struct SetTemporaryFolder: ChatCommand {
    public var path: String

    public init(_ path: String) {
        self.path = path
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_temp_folder", .words("path", \.path), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        try Files.createFolder(path)
        core.context.fileFolders.temporary = path
        return CommandOK()
    }
}
