import SystemIO
import TerminalKit

/// The text of a message, from the command line or from standard input.
enum MessageText {
    /// More than any message holds, in bytes: what is longer is not worth reading to its end.
    private static let limit = 1 << 20

    /// The text, without the line break that ends the output of most programs.
    static func read(
        _ word: String?, _ invocation: Invocation, usage: String = "send TARGET"
    ) throws -> String {
        let text = try word.map { $0 == "-" ? try standardInput(invocation) : $0 }
        guard let text, !text.isEmpty else {
            throw text == nil ? Reason.noText(usage) : Reason.emptyText(usage)
        }
        return text
    }

    private static func standardInput(_ invocation: Invocation) throws -> String {
        if invocation.input.isTerminal { invocation.note("type the text and end it with Ctrl-D") }
        var bytes = try standardInputBytes(invocation)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Reason.textNotUTF8
        }
        return text
    }

    private static func standardInputBytes(_ invocation: Invocation) throws -> [UInt8] {
        do throws(SystemError) {
            return try invocation.input.readAll(limit: limit)
        } catch {
            guard error.condition == .noSpace else { throw error }
            throw Reason.inputTooLarge(limit: limit)
        }
    }
}
