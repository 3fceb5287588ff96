import SystemIO

/// What `-` on a command line stands for: a stream that is read to its end, once.
enum CommandInput: Sendable {
    /// Standard input of this process.
    case standard
    /// None, which reads like an empty one.
    case nothing

    /// Whether a person types it.
    var isTerminal: Bool {
        switch self {
        case .standard: Terminal(descriptor: 0).isTerminal
        case .nothing: false
        }
    }

    /// Calls `take` with the bytes up to the end, at most `size` at once.
    func read(inPartsOf size: Int, _ take: ([UInt8]) throws -> Void) throws {
        guard case .standard = self else { return }
        let file = FileDescriptor(owning: 0)
        while true {
            let part = try file.read(size, "read standard input")
            if part.isEmpty { return }
            try take(part)
        }
    }

    /// Everything up to the end, if that is at most `limit` bytes.
    func readAll(limit: Int) throws(SystemError) -> [UInt8] {
        switch self {
        case .standard: try FileDescriptor(owning: 0).readAll(limit: limit, "read standard input")
        case .nothing: []
        }
    }
}
