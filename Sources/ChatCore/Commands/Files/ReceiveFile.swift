import ByteCoding

/// Accepts a file, and receives it as soon as it can be.
/// (`/freceive 7 [approved_relays=on] [encrypt=on|off] [inline=on|off] [PATH]`, `/fr 7`)
public struct ReceiveFile: ChatCommand {
    public var file: ChatFileID
    /// True if file relays may be used that are not among those of the profile: they learn the address of this machine.
    public var isApproved: Bool
    /// True if the file is encrypted on the disk; nil for the setting.
    public var isEncrypted: Bool?
    /// True if a file of an old version may come in more messages than without being asked.
    public var isInline: Bool?
    /// A folder, or the path of the file; nil for the folder for files.
    public var path: String?

    public init(
        _ file: ChatFileID, isApproved: Bool = false, isEncrypted: Bool? = nil, isInline: Bool? = nil,
        to path: String? = nil
    ) {
        self.file = file
        self.isApproved = isApproved
        self.isEncrypted = isEncrypted
        self.isInline = isInline
        self.path = path
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        ["/freceive", "/fr"].map { words in
            Form(
                words, .file(\.file), .flag("approved_relays", \.isApproved), .switch("encrypt", \.isEncrypted),
                .switch("inline", \.isInline), .optionalWords("path", \.path),
                make: { Self($0, isApproved: $1, isEncrypted: $2, isInline: $3, to: $4) })
        })

    public func perform(on core: isolated LocalCore) async throws -> FileAccepted {
        let record = try core.files.accept(
            file,
            ChatFiles.Acceptance(
                isApproved: isApproved, isEncrypted: isEncrypted, path: path, isInline: isInline == true))
        guard let item = try core.files.located(record) else { throw ChatError.file(.unknown(file)) }
        return FileAccepted(profile: try core.lookup.profile(item.chat.profileID), item: item)
    }

    public func effect(of response: FileAccepted) -> SessionEffect? {
        .visible(response.profile, .itemChanged(response.item))
    }
}

/// Accepts a file without an answer about it. (`/_set_file_to_receive 7 [approved_relays=on] [encrypt=on|off]`)
public struct SetFileToReceive: ChatCommand {
    public var file: ChatFileID
    /// True if file relays may be used that are not among those of the profile.
    public var isApproved: Bool
    /// True if the file is encrypted on the disk; nil for the setting.
    public var isEncrypted: Bool?

    public init(_ file: ChatFileID, isApproved: Bool = false, isEncrypted: Bool? = nil) {
        self.file = file
        self.isApproved = isApproved
        self.isEncrypted = isEncrypted
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_set_file_to_receive", .file(\.file), .flag("approved_relays", \.isApproved),
            .switch("encrypt", \.isEncrypted), make: { Self($0, isApproved: $1, isEncrypted: $2) }))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        _ = try core.files.accept(file, ChatFiles.Acceptance(isApproved: isApproved, isEncrypted: isEncrypted))
        return CommandOK()
    }
}

extension Argument where Value == ChatFileID {
    /// `7`: a file.
    static func file(_ value: @escaping @Sendable (Command) -> ChatFileID) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in ChatFileID(try reader.integer()) }, write: { "\(value($0).number)" })
    }
}

extension Argument where Value == Bool? {
    /// `name=on`, `name=off`, or nothing.
    static func `switch`(_ name: String, _ value: @escaping @Sendable (Command) -> Bool?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                reader.skipExactly(name, "=") ? try reader.isOn() : nil
            }, write: { command in value(command).map { "\(name)=\($0 ? "on" : "off")" } ?? "" })
    }
}
