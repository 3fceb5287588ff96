import ByteCoding
import ChatProtocol

/// The place of a file as the database has it: a name in the folder for files, or an absolute path that the user chose on this
/// machine.
///
/// SECURITY: the maker of an archive chooses every value of its databases. All paths of databases are read through this type, and
/// one that leads out of the folder for files is no path. An import keeps names only, see ``ChatStore/forgetForeignPaths()``.
struct StoredPath {
    let text: String

    /// Creates a path; nil for a relative one that is not a single name.
    init?(_ text: String) {
        // Bytes, since a slash and a combining mark are one character.
        let bytes = text.utf8
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        if bytes.first != StoredPath.slash {
            guard text != ".", text != "..", !bytes.contains(StoredPath.slash) else { return nil }
        }
        self.text = text
    }

    private static let slash = UInt8(ascii: "/")

    /// True for a path that names a file wherever the folder for files is.
    static func isAbsolute(_ text: String) -> Bool { text.utf8.first == slash }

    /// True for a name in the folder for files.
    var isName: Bool { !StoredPath.isAbsolute(text) }
}

extension CryptoFile {
    /// True for a file that belongs to the store: only those are deleted.
    var isOwn: Bool { StoredPath(path)?.isName == true }
}
