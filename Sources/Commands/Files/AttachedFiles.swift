import ByteCoding
package import ChatCore
import ChatProtocol
import Pictures
import SystemIO
import TerminalKit

/// Files that are sent with a message, and the copies of pictures that were made for that.
package struct AttachedFiles: Sendable {
    private var files: [(kind: MessageContent.Kind, file: CryptoFile)] = []
    /// The paths of the copies: pictures without metadata, in the folder for files of the store.
    private var copies: [String] = []

    var isEmpty: Bool { files.isEmpty }

    /// The largest picture that is read, in bytes.
    private static let largestPicture = 64 << 20
    /// The characters of a message beside its text and its preview.
    private static let overhead = 1000

    /// Looks at the files, makes previews of pictures, and removes their metadata.
    ///
    /// - Parameters:
    ///   - voice: A recording, the first of the files; nil for none.
    ///   - paths: Absolute paths.
    ///   - piped: The one among them that was written for these messages, and may be changed.
    ///   - text: The caption of the first, which leaves less room for a preview.
    ///   - keepsMetadata: Whether pictures are sent with what they say about time, place and device.
    ///   - folder: The folder for files of the store.
    /// - Throws: ``Failure`` for a picture whose metadata cannot be removed, and what the disk refuses.
    init(
        _ voice: VoiceMessage? = nil, _ paths: [String], piped: String? = nil, caption text: String,
        keepsMetadata: Bool, folder: String
    ) throws {
        if let voice { files.append((.voice(seconds: voice.seconds), CryptoFile(path: voice.path))) }
        do {
            for path in paths {
                try attach(
                    path, isOwn: path == piped, textSize: files.isEmpty ? text.utf8.count : 0, keepsMetadata, folder)
            }
        } catch {
            discardCopies()
            throw error
        }
    }

    /// The messages that carry the files, one for each; the message itself if there are none.
    ///
    /// - Parameter message: The first: its text is the caption.
    package func messages(with message: ComposedMessage) -> [ComposedMessage] {
        guard !files.isEmpty else { return [message] }
        return files.enumerated().map { index, attached in
            var carrier = index == 0 ? message : ComposedMessage(MessageContent(""))
            carrier.content = MessageContent(carrier.content.text, kind: attached.kind)
            carrier.file = attached.file
            return carrier
        }
    }

    /// Removes the copies, if the messages are not sent. A copy that stays takes room and does no other harm.
    package func discardCopies() {
        for path in copies { try? Files.remove(path) }
    }

    private mutating func attach(
        _ path: String, isOwn: Bool, textSize: Int, _ keepsMetadata: Bool, _ folder: String
    ) throws {
        guard let bytes = try Self.picture(path) else { return files.append((.file, CryptoFile(path: path))) }
        let clean = try? PictureFile(bytes).withoutMetadata
        guard clean != nil || keepsMetadata else { throw Failure.unreadablePicture(path) }
        let room = min(Preview.mostCharacters, ChatLimit.message - Self.overhead - 2 * textSize)
        let preview = try? Preview(of: clean ?? bytes, limit: room)
        var file = CryptoFile(path: path)
        if let clean, clean != bytes, !keepsMetadata, isOwn {
            try Files.replace(path, clean)
        } else if let clean, clean != bytes, !keepsMetadata {
            file.path = try Self.copy(
                clean, named: path.split(separator: "/").last.map(String.init) ?? path, in: folder)
            copies.append(file.path)
        }
        files.append((preview.map { .image(preview: $0.uri) } ?? .file, file))
    }

    /// The content of a picture; nil for another file, or one that is not there, which the core tells.
    private static func picture(_ path: String) throws -> Bytes? {
        guard !Files.isFolder(path), let file = try? FileDescriptor(reading: path),
            let beginning = try? file.read(PictureFormat.signatureSize), PictureFormat(beginning: beginning) != nil
        else { return nil }
        do {
            return try Files.read(path, limit: largestPicture)
        } catch {
            throw error.number == SystemError.tooLong ? Failure.unreadablePicture(path) : error
        }
    }

    private static func copy(_ bytes: Bytes, named name: String, in folder: String) throws -> String {
        try Files.createFolder(folder)
        let paths = FileName.candidates(name).map { "\(folder)/\($0)" }
        let path = paths.first { !Files.exists($0) } ?? paths[0]
        try Files.create(path, bytes)
        return path
    }
}
