import ChatCore
import CommandKit
import TerminalKit

/// What `tacit server enable` and `tacit server disable` have in common.
enum ServerSwitch {
    static let name = Positional<String>(
        "ADDRESS|HOST|all", "Address, host or id of the relay; or all, also those for files and channels",
        .text("ADDRESS|HOST|all", completing: .server))

    private static let all = "all"

    static func subject(_ parsed: Parsed) -> String {
        parsed[name] == all ? "all relays" : "the relay \(ServerCommand.quoted(parsed[name]))"
    }

    static func turn(_ session: CommandSession, isEnabled: Bool, _ action: String) async throws -> ExitCode {
        let word = session.invocation[name]
        let servers =
            word == all
            ? ServerReport.list(try await session.servers()).map(\.server) : [try await session.server(word).server]
        try await session.change(servers.map { $0.enabled(isEnabled) }, action)
        return .ok
    }
}
