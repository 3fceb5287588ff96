import ByteCoding
import SystemIO
import TerminalKit

/// A program of the system that is found on the path: `systemctl`, `crontab`.
struct SystemTool {
    let name: String
    private let path: String
    private let environment: [String: String]

    /// How long it may take.
    private static let timeout = Duration.seconds(60)

    /// Nil if it is not there.
    init?(_ name: String, _ invocation: Invocation) {
        let folders = (invocation.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").filter {
            $0.hasPrefix("/")
        }
        let paths = folders.map { "\($0)/\(name)" }
        guard let path = paths.first(where: { (try? Files.status($0))?.isExecutable == true }) else { return nil }
        self.name = name
        self.path = path
        environment = invocation.environment
    }

    /// Runs it, and throws what it says if it does not end with 0.
    func run(_ arguments: [String]) throws {
        let result = try finish(arguments)
        guard result.ending != .exited(0) else { return }
        throw failure(result)
    }

    /// Returns what `crontab -l` prints: nothing for a user without a crontab.
    ///
    /// - Throws: ``Reason/toolFailed(_:_:_:)`` if it fails for another reason. A table that was taken for empty would be overwritten.
    func crontab() throws -> [UInt8] {
        let result = try finish(["-l"])
        if result.ending == .exited(0) { return result.output }
        // cron and cronie say the first, busybox the second.
        let isAbsent = ["no crontab", "can't open"].contains { result.errors.contains(part: $0.utf8) }
        guard case .exited = result.ending, isAbsent else { throw failure(result) }
        return []
    }

    private func finish(_ arguments: [String]) throws(SystemError) -> Subprocess.Result {
        try Subprocess(path, [name] + arguments, environment: environment, leadsGroup: true).finish(
            within: SystemTool.timeout)
    }

    private func failure(_ result: Subprocess.Result) -> Reason {
        let words = result.errors.split(separator: UInt8(ascii: "\n")).first.map { UntrustedText(bytes: Array($0)) }
        return failure(result.ending, words.map { ["message: \($0.quoted)"] } ?? [])
    }

    /// Runs it with something on its standard input.
    func run(_ arguments: [String], input: [UInt8]) throws {
        let ending = try Subprocess.run(path, [name] + arguments, environment: environment, input: input)
        guard ending != .exited(0) else { return }
        throw failure(ending, [])
    }

    private func failure(_ ending: Subprocess.Ending, _ why: [String]) -> Reason {
        .toolFailed(name, ending, why)
    }
}
