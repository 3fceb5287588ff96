import CommandKit
import JSONCoding
import TerminalKit

/// What one check has found.
struct Diagnosis: Report {
    /// What was looked at, in one word.
    let check: String
    let state: State
    let message: String
    /// What may help, each something to paste.
    let tries: [Failure.Attempt]

    enum State: String, CaseIterable, Sendable {
        case ok
        /// Advice.
        case warning
        case failure
    }

    init(_ check: String, _ state: State, _ message: String, tries: [Failure.Attempt] = []) {
        self.check = check
        self.state = state
        self.message = message
        self.tries = tries
    }

    /// A check that an error has ended.
    init(_ check: String, failed error: any Error) {
        switch Explained(error) {
        case .reason(let reason):
            self.init(
                check, .failure, ([reason.text] + reason.why.prefix(1)).joined(separator: "; "), tries: reason.tries)
        case .failure(let failure):
            self.init(check, .failure, failure.what, tries: failure.tries)
        }
    }

    static let forms = [
        ReportForm(
            "doctor", "Result of one check", plain: ["check", "state", "message"],
            [
                .always("check", .text, "Subject of the check"),
                .always("state", .word(State.allCases.map(\.rawValue)), "Result"),
                .always("message", .text, "Result in words, which may change"),
                .always("try", .texts, "Commands that may help"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "doctor")
        json.set("check", check)
        json.set("state", state.rawValue)
        json.set("message", message)
        json.set("try", tries.map(\.command))
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let word = StyledText(state.rawValue, state == .ok ? .success : state == .warning ? .warning : .error)
        let first = word.padded(toWidth: 9) + StyledText(check, .muted).padded(toWidth: 12) + StyledText(message)
        return [first]
            + tries.map { attempt in
                let line = StyledText("  try: ", .hint) + StyledText(attempt.command)
                return attempt.note.map { line + StyledText("    \($0)", .muted) } ?? line
            }
    }
}
