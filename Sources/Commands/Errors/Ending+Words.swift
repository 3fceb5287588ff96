import SystemIO

extension Subprocess.Ending {
    /// As a shell would say it.
    var words: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .signalled(let number): "signal \(number)"
        }
    }
}
