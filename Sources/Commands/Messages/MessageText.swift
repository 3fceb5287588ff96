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
            throw Reason(
                "message.empty", .usage, text == nil ? "there is no text" : "the text is empty",
                tries: [
                    .init("tacit \(usage) 'some words'"),
                    .init("some-program | tacit \(usage) -", "from standard input"),
                ] + (text == nil ? [.init("tacit \(usage) -- --json", "a text that looks like an option")] : []))
        }
        return text
    }

    private static func standardInput(_ invocation: Invocation) throws -> String {
        if invocation.input.isTerminal { invocation.note("write the text and end it with Ctrl-D") }
        var bytes = try standardInputBytes(invocation)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Reason("message.not-utf8", .data, "the text on standard input is not UTF-8")
        }
        return text
    }

    private static func standardInputBytes(_ invocation: Invocation) throws -> [UInt8] {
        do throws(SystemError) {
            return try invocation.input.readAll(limit: limit)
        } catch {
            guard error.condition == .noSpace else { throw error }
            throw Reason(
                "message.too-large", .data, "the message is too large",
                why: ["standard input has more than \(limit) bytes"])
        }
    }
}
