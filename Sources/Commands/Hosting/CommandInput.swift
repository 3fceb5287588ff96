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

    /// Everything up to the end, if that is at most `limit` bytes.
    func readAll(limit: Int) throws(SystemError) -> [UInt8] {
        switch self {
        case .standard: try FileDescriptor(owning: 0).readAll(limit: limit, "read standard input")
        case .nothing: []
        }
    }
}
