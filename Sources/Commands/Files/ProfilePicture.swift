import ChatCore
import ChatProtocol
import CommandKit
import Pictures
import SystemIO

/// The picture of a profile or group, which contacts or members get with it.
enum ProfilePicture {
    /// The largest file that is read, in bytes.
    private static let largestFile = 64 << 20

    /// Declares the option for a picture.
    static func option(_ help: String) -> Option<String?> {
        Option("image", help, .text("FILE", completing: .file))
    }

    /// Returns the picture in a file as profiles hold it: small, and without metadata; nil for an empty path.
    ///
    /// - Throws: ``ChatError/file(_:)`` for a file that is not there, ``Reason`` for one that is no picture.
    static func uri(of path: String) throws -> String? {
        guard !path.isEmpty else { return nil }
        let absolute = LocalPath.absolute(path)
        guard !Files.isFolder(absolute), let bytes = try? Files.read(absolute, limit: largestFile) else {
            throw ChatError.file(.missing(path))
        }
        guard let picture = try? Preview(of: bytes, limit: Profile.imageLimit) else {
            throw Reason.noPicture(path)
        }
        return picture.uri
    }
}
