import ChatCore
import ChatProtocol
import Commands
import SystemIO
import TerminalKit

/// Pictures of messages, drawn with characters.
extension Session {
    /// The columns that a picture leaves free.
    private static let margin = 1

    /// Draws the picture of a message, or its preview as long as the file is not here.
    func showPicture(of located: LocatedItem) async {
        guard let editor else { return }
        guard case .message(let content) = located.item.content, located.item.deletedAt == nil else {
            return display.say("the message has no picture", .error)
        }
        let preview: String? =
            switch content.kind {
            case .image(let uri), .video(let uri, _): uri
            default: nil
            }
        guard preview != nil || located.item.file != nil else {
            return display.say("the message has no picture", .error)
        }
        guard await editor.showsPictures() else {
            display.say("this terminal does not report that it can show pictures (kitty or sixel graphics)", .error)
            return display.say("/save \(located.item.id.number) PATH copies the file for another program", .muted)
        }
        var listed: ListedFile?
        do {
            if let file = located.item.file { listed = try await reader.execute(ShowFile(file.id)).file }
        } catch {
            return display.report(error)
        }
        let isHere = listed.map { $0.file.state == .received || $0.isSent } ?? false
        let file = isHere ? listed : nil
        let columns = max(editor.width - Session.margin, 1), rows = max(editor.height - 3, 1)
        let drawn: Result<PictureBlocks?, FailureText> = await withCheckedContinuation { continuation in
            store.loop.offload(
                {
                    do {
                        if let file { return .success(try PictureBlocks(file, columns: columns, rows: rows)) }
                        return .success(preview.flatMap { PictureBlocks(preview: $0, columns: columns, rows: rows) })
                    } catch {
                        return .failure(FailureText(error: error))
                    }
                }, then: { continuation.resume(returning: $0) })
        }
        switch drawn {
        case .failure(let failure): display.report(failure.error)
        case .success(nil): display.say("the file is not a picture that can be shown", .error)
        case .success(let blocks?):
            guard !display.isHidden else { return }
            editor.print(verbatim: blocks.rows.map { $0 + "\r\n" }.joined())
            if file == nil, located.item.file != nil {
                display.say("a preview; /receive \(located.item.id.number) receives the picture", .muted)
            }
        }
    }

    /// An error of the disk, on its way from another thread.
    private struct FailureText: Error {
        let error: any Error
    }
}
