import Commands
import SystemIO
import TerminalKit

/// Commands from a pipe, one a line: no prompt, no memory, and no more of them after one that fails.
enum PipedLines {
    static func run(_ start: SessionStart) throws -> ExitCode {
        // Others have their commands carried out meanwhile, whether or not somebody reads on.
        let output = Output(inBackground: start.output)
        return try start.open { store in
            var input = LineInput(), first: ExitCode?
            while let line = try await input.next(on: store.loop) {
                guard let code = await carryOut(line, start, store, output) else { break }
                // A reader who has gone is no reason not to carry out the rest.
                try? await output.delivered()
                guard code != .ok else { continue }
                first = first ?? code
                if !start.keepsGoing { break }
            }
            return .ended(first ?? .ok)
        }
    }

    /// Carries out one line; nil if it is the last. Empty ones and those that begin with `#` are passed over.
    private static func carryOut(
        _ line: String, _ start: SessionStart, _ store: SessionStore, _ output: Output
    ) async -> ExitCode? {
        let text = line.trimmed
        guard !text.isEmpty, text.first != "#" else { return .ok }
        let words = CommandWords(text.first == "/" ? String(text.dropFirst()) : text)
        guard words.openQuote == nil else {
            return start.report(.openQuote(in: text))
        }
        if [["quit"], ["exit"], ["q"]].contains(words.texts) { return nil }
        return await store.run(
            start.inheritedOptions + words.texts, output: output, errors: start.errors, questions: .nobody)
    }
}

/// Standard input, line by line, read on a thread of its own.
private struct LineInput {
    private var pending: [UInt8] = []
    private var isAtEnd = false

    /// More than any command is long, in bytes.
    private static let longest = 1 << 20

    /// The next line without its end; nil behind the last.
    mutating func next(on loop: EventLoop) async throws -> String? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                defer { pending.removeSubrange(...end) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            guard !isAtEnd else {
                defer { pending = [] }
                return pending.isEmpty ? nil : String(decoding: pending, as: UTF8.self)
            }
            guard pending.count < LineInput.longest else {
                throw Failure.lineTooLong
            }
            let part = try await LineInput.read(on: loop).get()
            isAtEnd = part.isEmpty
            pending += part
        }
    }

    private static func read(on loop: EventLoop) async -> Result<[UInt8], SystemError> {
        await withCheckedContinuation { continuation in
            loop.offload({ read() }, then: { continuation.resume(returning: $0) })
        }
    }

    private static func read() -> Result<[UInt8], SystemError> {
        let input = FileDescriptor(owning: 0)
        do throws(SystemError) {
            let bytes = try input.read(65536, "read the commands")
            _ = input.release()
            return .success(bytes)
        } catch {
            _ = input.release()
            return .failure(error)
        }
    }
}
