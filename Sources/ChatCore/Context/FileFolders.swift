/// The folders for files that a program has chosen.
struct FileFolders: Hashable, Sendable {
    /// Where received files are kept; nil if paths are absolute.
    var files: String?
    /// Where files are while they are encrypted and decrypted; nil for the folder of the system.
    var temporary: String?
    /// Whether received files are encrypted on disk.
    var isEncrypted = false
}
