package import TerminalKit

extension ExitCode {
    /// The codes of failures, the one that needs a person most first.
    private static let bySeverity: [ExitCode] = [
        .bug, .trust, .inputOutput, .protocol, .denied, .config, .system, .unavailable, .noHost, .noTarget, .data,
        .noInput, .noOutput, .usage, .partial, .later, .no, .ok,
    ]

    /// The worst of several codes; ok if there are none.
    package static func worst(of codes: some Sequence<ExitCode>) -> ExitCode {
        let codes = Set(codes)
        return bySeverity.first(where: codes.contains) ?? .ok
    }
}
