public import ByteCoding
import Glibc
public import JSONCoding
import SystemIO

/// Puts the store of an archive in place of this one, which is kept as a backup. (`/_db import {"archivePath":"a.zip"}`)
///
/// The chat must be stopped, and this core runs no further command: the program has to open the new store. The archive must be
/// plain or have the key of this store. An archive of an official app becomes a store with that key; an encrypted one has the
/// passphrase of the app.
public struct ImportStore: ChatCommand {
    public var archive: LockedArchive

    /// - Parameter passphrase: That of an encrypted archive of an official app.
    public init(_ archive: ArchivePlace, passphrase: PlainPassword? = nil) {
        self.init(LockedArchive(archive, passphrase: passphrase))
    }

    init(_ archive: LockedArchive) {
        self.archive = archive
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_db import", .json(\.archive), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ArchiveReport {
        let path = archive.place.path, passphrase = archive.passphrase?.given
        try await core.replaceStore { folder, key in
            let source = try FileDescriptor(opening: path, O_RDONLY | O_CLOEXEC, "open the archive")
            let staged = StoreImport(
                folder, .replacing,
                unlock: { staged in try StoreProtection(of: staged)?.open(withKeyOf: key) },
                official: StoreImport.Official(key: .existing(key)) { attempts in
                    guard attempts == 0 || passphrase == nil else { throw ChatError.database(.wrongKey) }
                    return passphrase
                }, progress: { _, _ in })
            _ = try staged.run(source, workshop: folder.path)
        }
        return .imported
    }
}

/// An archive with what opens it: `ArchiveConfig` of the API, which has no passphrase there.
public struct LockedArchive: Hashable, Sendable, JSONObjectCodable {
    public let place: ArchivePlace
    public let passphrase: PlainPassword?

    init(_ place: ArchivePlace, passphrase: PlainPassword?) {
        self.place = place
        self.passphrase = passphrase
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        let place = try ArchivePlace(from: &fields)
        self.init(place, passphrase: try fields.optionalText("passphrase").map { PlainPassword($0) })
    }

    public var fields: JSONObject {
        var fields = place.fields
        fields.set("passphrase", passphrase?.text)
        return fields
    }
}
