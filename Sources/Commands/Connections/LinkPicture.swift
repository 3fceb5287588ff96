import CommandKit
import TerminalKit

/// A link as a QR code, for those whose phone is nearer than their keyboard.
enum LinkPicture {
    static let option = Option<Bool>(
        flag: "qr", "Show the link as a QR code too", isCommon: true)

    /// What the pages of help say about it.
    static let discussion = """
        --qr also shows the link as a QR code: on standard output if that is a terminal, else on standard error, so that a \
        script reads the link alone. The code is black on white. Without colour (--color never, NO_COLOR) it needs a terminal \
        with light text on a dark background.
        """

    /// Shows a link, if that was asked for. Where it cannot be shown a warning says why, and the link must do.
    static func show(_ link: String, _ invocation: Invocation) throws {
        guard invocation[option] else { return }
        guard let code = QRCode(link) else { return invocation.warn("the link is too long for a QR code") }
        let isResult = invocation.format == .text && invocation.output.traits.isTerminal
        let stream = isResult ? invocation.output : invocation.errors
        if let width = stream.traits.width, width < code.width {
            return invocation.warn("the QR code needs \(code.width) columns, and the terminal has \(width)")
        }
        do throws(OutputError) {
            try stream.write(code)
            try stream.flush()
        } catch {
            // As with notes nothing depends on what is written to standard error.
            if isResult { throw error }
        }
    }
}
