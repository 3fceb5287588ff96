import ChatCore
import CommandKit
import TerminalKit

extension CommandSession {
    /// Tells once that the conditions of public relays changed since the user accepted them. The relays stay in use.
    func tellConditions() async throws {
        guard !invocation.isQuiet else { return }
        let operators = try await execute(ListOperators()).operators
        let isFormer = operators.contains { $0.isEnabled && $0.acceptance?.isCurrent == false }
        let current = UsageConditions.current
        guard isFormer, try await execute(ShowSessionValue(.toldConditions)).value != current.version else { return }
        _ = try await execute(SetSessionValue(.toldConditions, current.version))
        invocation.note(
            StyledText("the conditions of use of the public relays have changed: ") + StyledText(current.url, .link))
        invocation.note("to accept them: tacit init --if-missing --accept-conditions")
    }
}
