public import ByteCoding
public import JSONCoding

/// Shows the entry of a file with its state. (`/fstatus 7`, `/fs 7`)
public struct ShowFileStatus: ChatCommand {
    public var file: ChatFileID

    public init(_ file: ChatFileID) {
        self.file = file
    }

    public static let access = Access.read
    public static let syntax = Syntax(["/fstatus", "/fs"].map { Form($0, .file(\.file), make: Self.init) })

    public func perform(on core: isolated LocalCore) async throws -> FileStatusReport {
        let record = try core.files.file(file)
        guard let item = try core.files.located(record) else { throw ChatError.file(.unknown(file)) }
        return FileStatusReport(profile: try core.lookup.profile(record.profileID), item: item)
    }
}

/// The entry of a file. As the official core writes it, it is a list without names.
public struct FileStatusReport: SimpleResponse {
    public let profile: OwnProfile
    public let item: LocatedItem

    public static let type = "fileTransferStatusXFTP"

    init(profile: OwnProfile, item: LocatedItem) {
        self.profile = profile
        self.item = item
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        let values = try fields.elements("data")
        guard values.count == 2, let profile = values[0].object, let item = values[1].object else {
            throw .invalid("data")
        }
        var profileFields = JSONFields(profile), itemFields = JSONFields(item)
        self.init(profile: try OwnProfile(from: &profileFields), item: try LocatedItem(from: &itemFields))
    }

    public var fields: JSONObject { ["data": .array([profile.json, item.json])] }
}
