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

    /// The code of a command with several targets: partial if only some of them were reached, otherwise the worst.
    package static func together(_ codes: [ExitCode]) -> ExitCode {
        codes.contains(.ok) && codes.contains { $0 != .ok } ? .partial : .worst(of: codes)
    }
}
