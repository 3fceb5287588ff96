import ChatCore
import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

/// The rule for a message whose program keeps failing: `--retries` and `--on-failure`.
struct FailureRule: Sendable {
    /// What to do when no retries are left.
    enum Action: String, CaseIterable, Sendable {
        case stop, skip
    }

    static let retries = Option<Int?>(
        "retries", "Retry a failed message up to N times", .count(in: 0...1_000_000),
        defaultText: "no limit; 3 with --on-failure skip")
    static let onFailure = Option<Action>(
        "on-failure", "Stop at a message without retries left, or skip it", .choice(), default: .stop)

    /// How often a program is run again for a message; nil for no limit.
    let limit: Int?
    let skips: Bool
    /// True if somebody named one of the options.
    let isGiven: Bool

    /// How many retries a message gets if it may be skipped and nobody says more.
    private static let usualLimit = 3

    init(_ invocation: Invocation) {
        skips = invocation[FailureRule.onFailure] == .skip
        limit = invocation[FailureRule.retries] ?? (skips ? FailureRule.usualLimit : nil)
        isGiven = limit != nil
    }

    private init(limit: Int?, skips: Bool) {
        (self.limit, self.skips, isGiven) = (limit, skips, false)
    }

    /// Every failure stops the command.
    static let none = FailureRule(limit: nil, skips: false)

    /// Refuses the options where no program moves a cursor.
    static func check(_ invocation: Invocation) throws(Failure) {
        guard FailureRule(invocation).isGiven else { return }
        guard invocation[ReadCommand.exec] != nil else {
            throw Failure.failureRuleWithoutProgram(invocation.commandName)
        }
    }

    /// True if a message is given up that failed this often.
    func isExhausted(after failures: Int) -> Bool { limit.map { failures > $0 } ?? false }

    /// How long `watch` pauses before it runs a program again: 1 s, and twice as long each time, up to a minute.
    static func pause(after failures: Int) -> Duration { .seconds(1 << min(max(failures - 1, 0), 6)).capped }
}

extension Duration {
    fileprivate var capped: Duration { min(self, .seconds(60)) }
}

/// A program of `--exec` that did not end with 0 for a message.
struct ProgramFailure: Error {
    let item: ChatItemID
    let ending: Subprocess.Ending

    /// True if the program itself could not be run, which says nothing about the message: the codes of the shell for a
    /// command that it does not find, or may not run.
    var isUnusable: Bool { ending == .exited(126) || ending == .exited(127) }

    private var id: String { ObjectID.text(item) }

    /// The error that ends the command.
    ///
    /// - Parameters:
    ///   - count: How often the program failed for the message, if that is counted.
    ///   - commit: What moves the cursor past the message.
    func reason(_ count: Int?, _ rule: FailureRule, commit: Failure.Attempt) -> Reason {
        var why = ["the program ended with \(ending.words); the cursor stays before the message"]
        let isGivenUp = count.map { rule.isExhausted(after: $0) } ?? false
        if let count, let limit = rule.limit {
            why.append(
                isGivenUp
                    ? "it failed \(times(count)); no retries are left"
                    : "it failed \(times(count)); \(limit - count + 1) of \(limit) retries are left")
        } else if count == nil, rule.isGiven {
            why.append("the program could not be run, which does not count as a failure of the message")
        }
        let details = self.details(count, rule)
        return isGivenUp
            ? .programGaveUp(id, why: why, commit: commit, details: details)
            : .programFailed(id, why: why, commit: commit, details: details)
    }

    /// The report of a message that was skipped.
    func skip(_ count: Int, _ rule: FailureRule, show: Failure.Attempt) -> Failure {
        .messageSkipped(id, failures: times(count), ending, show: show, details: details(count, rule))
    }

    private func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

    private func details(_ count: Int?, _ rule: FailureRule) -> JSONObject {
        var details = JSONObject()
        details.set("id", id)
        switch ending {
        case .exited(let code): details.set("status", code)
        case .signalled(let number): details.set("signal", number)
        }
        details.set("failures", count)
        details.set("retries", rule.limit)
        return details
    }
}
