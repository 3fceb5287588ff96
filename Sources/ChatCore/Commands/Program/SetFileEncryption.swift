/// Sets whether received files are encrypted on disk, as long as the core is open. (`/_files_encrypt on`)
public struct SetFileEncryption: ChatCommand {
    public var isOn: Bool

    public init(_ isOn: Bool) {
        self.isOn = isOn
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_files_encrypt", .isOn(\.isOn), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        core.context.fileFolders.isEncrypted = isOn
        return CommandOK()
    }
}

/// Sets whether contacts are merged that turn out to be one person. They never are here, so nothing follows from it.
/// (`/contact_merge on`)
public struct SetContactMerging: ChatCommand {
    public var isOn: Bool

    public init(_ isOn: Bool) {
        self.isOn = isOn
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/contact_merge", .isOn(\.isOn), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        CommandOK()
    }
}
