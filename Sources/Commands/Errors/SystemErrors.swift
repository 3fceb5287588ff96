import SystemIO
import TerminalKit

// What the errors of the system and of the terminal say.

extension Reason {
    init(_ error: SystemError) {
        let (code, exit): (Slug, ExitCode) =
            switch error.condition {
            case .missing: ("system.missing", .noInput)
            case .exists: ("system.exists", .noOutput)
            case .denied: ("system.denied", .denied)
            case .noSpace: ("system.full", .inputOutput)
            case .noLocks: ("system.locks", .system)
            case .other: ("system.failed", .system)
            }
        self.init(code, exit, error.reason, why: [error.description])
    }

    /// A file or a folder of the user that cannot be used as it should be.
    init(_ error: SystemError, _ text: String, at path: String, _ code: Slug, _ exit: ExitCode) {
        let why = "\(UntrustedText(path).quoted): \(error.reason)"
        switch error.condition {
        case .missing, .exists, .noLocks, .other: self.init(code, exit, text, why: [why])
        case .denied: self.init(code, .denied, text, why: [why])
        case .noSpace: self.init(code, .inputOutput, text, why: [why])
        }
    }

    init(_ error: OutputError) {
        self =
            switch error {
            case .closed: Reason("output.closed", .inputOutput, "the reader of the output has exited")
            case .full: Reason("output.full", .inputOutput, "the disk of the output is full")
            case .stalled: Reason("output.stalled", .inputOutput, "the reader of the output is too slow")
            case .failed(let error): Reason("output.failed", .inputOutput, error.reason)
            }
    }
}

extension Reason {
    /// A question that got no answer.
    init(_ error: PromptError) {
        self =
            switch error {
            case .noTerminal: .keyMissing
            case .ended, .interrupted: .keyNotTyped
            case .timedOut: .unanswered
            case .unusable: .answerTooLong
            case .system(let error): Reason(error)
            }
    }
}
