public import ChatCore
import CommandKit
public import TerminalKit

/// A start at which a migration of the store is unfinished.
extension SessionStart {
    /// The stage of the migration; nil if there is none.
    public var migration: MigrationStage? {
        get throws { try MigrationFolder(of: try invocation.storeFolder()).record()?.stage }
    }

    /// Runs a command without an open store, as a shell does. Keys come from where the session was told to look for them.
    @discardableResult
    public func run(_ words: [String]) -> ExitCode {
        let keyFile = invocation[KeyOptions.file].map { ["--key-file", $0] } ?? []
        let configuration = Configuration(environment)
        do {
            guard case .run(let parsed) = try configuration.request(words + keyFile, environment: environment),
                let leaf = Leaf.named(parsed.command.path)
            else { return .usage }
            let command = Invocation(
                parsed, environment: environment, environmentKey: invocation.environmentKey,
                settings: configuration.settings, output: output, errors: errors, log: invocation.log)
            switch CommandRun(leaf: leaf, invocation: command).carryOut() {
            case .code(let code): return code
            case .closed: return .ok
            }
        } catch {
            return report(Explained(error).failure(during: "read the command line"))
        }
    }
}
