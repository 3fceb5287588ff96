import SystemIO
import TerminalKit

/// A program of the system that is found on the path: `systemctl`, `crontab`.
struct SystemTool {
    let name: String
    private let path: String
    private let environment: [String: String]

    /// How long it may take.
    private static let patience = Duration.seconds(60)

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

    /// What it prints, if it ends with 0.
    func output(_ arguments: [String]) throws -> [UInt8]? {
        let result = try Subprocess(path, [name] + arguments, environment: environment, leadsGroup: true).finish(
            within: SystemTool.patience)
        return result.ending == .exited(0) ? result.output : nil
    }

    /// Runs it, and throws what it says if it does not end with 0.
    func run(_ arguments: [String]) throws {
        let result = try Subprocess(path, [name] + arguments, environment: environment, leadsGroup: true).finish(
            within: SystemTool.patience)
        guard result.ending != .exited(0) else { return }
        let words = result.errors.split(separator: UInt8(ascii: "\n")).first.map { UntrustedText(bytes: Array($0)) }
        throw failure(result.ending, words.map { ["it said \($0.quoted)"] } ?? [])
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
