public import ByteCoding
public import JSONCoding

/// The state of an unfinished migration, as it is kept beside the store.
///
/// SECURITY: it holds the link, which gives the archive to everybody who has it. That is no more than what lies beside it: the archive
/// itself, whose databases are encrypted as those of the store.
public struct MigrationRecord: Hashable, Sendable {
    public private(set) var stage: MigrationStage
    /// When the migration began on this machine.
    public let startedAt: Timestamp
    /// The size of the archive in bytes; nil before it is known.
    public var archiveSize: Int64?
    /// The link: of the source once there is one, of the destination from the beginning.
    public var link: String?
    /// When the source had a link first. The other machine may have the store since then.
    public private(set) var offeredAt: Timestamp?
    /// When the source had its last link.
    public private(set) var linkedAt: Timestamp?
    /// The connection by which the other machine reports; nil if the profile has no relay for it.
    public var report: Int64?
    /// The version of the official apps that the archive of the source is for; nil for an archive of this program.
    public private(set) var appVersion: OfficialVersion?
    /// True if the archive replaces a store at the destination.
    public let replaces: Bool
    /// The inode of the database that the archive replaces at the destination; nil if there is none.
    public var replaced: UInt64?

    /// How long file relays keep an archive, in milliseconds.
    public static let lifetime: Int64 = 48 * 3600 * 1000

    /// True if the archive of the source is one for the official apps.
    public var isForApp: Bool { appVersion != nil }

    /// Begins a migration from this machine.
    public init(sourceAt time: Timestamp, forApp appVersion: OfficialVersion? = nil) {
        self.init(.archiving, time)
        self.appVersion = appVersion
    }

    /// Begins a migration to this machine.
    public init(from link: String, replaces: Bool, at time: Timestamp) {
        self.init(.downloading, time, replaces: replaces)
        self.link = link
    }

    private init(_ stage: MigrationStage, _ time: Timestamp, replaces: Bool = false) {
        self.stage = stage
        startedAt = time
        self.replaces = replaces
    }

    /// Moves to the next stage.
    ///
    /// - Returns: False at the end of the migration.
    /// - Throws: ``MigrationError/refused`` if the event is not possible now; nothing is changed then.
    public mutating func take(_ event: MigrationEvent, at time: Timestamp) throws(MigrationError) -> Bool {
        switch stage.successor(event) {
        case nil: throw .refused(stage)
        case .end?: return false
        case .stage(let next)?:
            stage = next
            if event == .uploaded {
                offeredAt = offeredAt ?? time
                linkedAt = time
            }
            if event == .expired { (link, report) = (nil, nil) }
            return true
        }
    }

    /// True if another machine may use a copy of the store.
    public var mayBeElsewhere: Bool { offeredAt != nil }

    /// When file relays delete the archive of the last link; nil without one.
    public var expiresAt: Timestamp? {
        guard stage == .offered || stage == .moved else { return nil }
        return linkedAt.map { Timestamp(milliseconds: $0.milliseconds + MigrationRecord.lifetime) }
    }
}

extension MigrationRecord: JSONObjectCodable {
    private static let version: Int64 = 1

    public init(from fields: inout JSONFields) throws(DecodeError) {
        guard try fields.integer("version") == MigrationRecord.version else { throw .invalid("version") }
        stage = try fields.word("stage", MigrationStage.init(rawValue:))
        startedAt = try fields.timestamp("startedAt")
        archiveSize = try fields.optionalInteger("archiveSize")
        link = try fields.optionalText("link")
        offeredAt = try fields.optionalTimestamp("offeredAt")
        linkedAt = try fields.optionalTimestamp("linkedAt")
        report = try fields.optionalInteger("report")
        appVersion = try fields.optionalText("appVersion").flatMap(OfficialVersion.init(rawValue:))
        // Earlier versions wrote one form only.
        if try fields.optionalBool("forApp") == true { appVersion = appVersion ?? .version6 }
        replaces = try fields.optionalBool("replaces") ?? false
        replaced = try fields.optionalInteger("replaced").map { UInt64(bitPattern: $0) }
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["version": .integer(MigrationRecord.version), "stage": .string(stage.rawValue)]
        fields.set("startedAt", startedAt.description)
        fields.set("archiveSize", archiveSize)
        fields.set("link", link)
        fields.set("offeredAt", offeredAt?.description)
        fields.set("linkedAt", linkedAt?.description)
        fields.set("report", report)
        fields.set("appVersion", appVersion?.rawValue)
        fields.set("replaces", replaces)
        fields.set("replaced", replaced.map { Int64(bitPattern: $0) })
        return fields
    }
}

/// Why a migration does not go on.
public enum MigrationError: Error, Hashable, Sendable {
    /// The request is not possible at this stage.
    case refused(MigrationStage)
    /// The state beside the store cannot be read: it is damaged, or of a newer version.
    case unreadable(path: String)
}
