public import ByteCoding
public import JSONCoding

/// The files that are accepted without asking: for each kind up to a size in bytes. Kinds that are not named are not accepted.
public struct FileAcceptance: Hashable, Sendable, JSONObjectCodable {
    public var sizes: [FileKind: Int64]

    public init(_ sizes: [FileKind: Int64] = [:]) {
        self.sizes = sizes
    }

    /// Small pictures, voice messages and videos, as the official applications accept them (chat.md 5.3).
    public static let small = FileAcceptance([.image: 522_240, .voice: 522_240, .video: 1_047_552])

    public init(from fields: inout JSONFields) throws(DecodeError) {
        sizes = [:]
        let object = fields.rest
        for name in object.names {
            guard let kind = FileKind(rawValue: name), let size = object[name]?.integer, size >= 0 else {
                throw .invalid("size")
            }
            sizes[kind] = size
        }
    }

    /// Every file.
    public static let all = FileAcceptance(Dictionary(uniqueKeysWithValues: FileKind.allCases.map { ($0, Int64.max) }))

    public var fields: JSONObject {
        var fields = JSONObject()
        for kind in FileKind.allCases { if let size = sizes[kind] { fields[kind.rawValue] = .integer(size) } }
        return fields
    }
}

/// Sets which files are accepted without asking. (`/_auto_accept_files {"image":522240}`)
public struct SetFileAcceptance: ChatCommand {
    public var acceptance: FileAcceptance

    public init(_ acceptance: FileAcceptance) {
        self.acceptance = acceptance
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_auto_accept_files", .json(\.acceptance), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        try core.store.transaction { try core.store.setFileAcceptance(acceptance.sizes) }
        return CommandOK()
    }
}

/// Shows which files are accepted without asking. (`/_auto_accept_files`)
public struct ShowFileAcceptance: ChatCommand {
    public init() {}

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_auto_accept_files", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> FileAcceptanceInfo {
        FileAcceptanceInfo(acceptance: FileAcceptance(try core.files.acceptedSizes()))
    }
}

/// The files that are accepted without asking.
public struct FileAcceptanceInfo: SimpleResponse {
    public let acceptance: FileAcceptance

    public static let type = "fileAcceptance"

    init(acceptance: FileAcceptance) {
        self.acceptance = acceptance
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        acceptance = try fields.required("sizes")
    }

    public var fields: JSONObject { ["sizes": acceptance.json] }
}
