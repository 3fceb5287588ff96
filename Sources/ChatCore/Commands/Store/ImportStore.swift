import Glibc
import SystemIO

/// Puts the store of an archive in place of this one, which is kept as a backup. (`/_db import {"archivePath":"a.zip"}`)
///
/// The chat must be stopped, and this core runs no further command: the program has to open the new store. The archive must be
/// plain or have the key of this store. A plain archive of an official app becomes a store with that key.
public struct ImportStore: ChatCommand {
    public var archive: ArchivePlace

    public init(_ archive: ArchivePlace) {
        self.archive = archive
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_db import", .json(\.archive), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ArchiveReport {
        let path = archive.path
        try await core.replaceStore { folder, key in
            let source = try FileDescriptor(opening: path, O_RDONLY | O_CLOEXEC, "open the archive")
            let staged = StoreImport(
                folder, .replacing,
                unlock: { staged in try StoreProtection(of: staged)?.open(withKeyOf: key) },
                official: StoreImport.Official(key: .existing(key), passphrase: { _ in nil }), progress: { _, _ in })
            _ = try staged.run(source, workshop: folder.path)
        }
        return .imported
    }
}
