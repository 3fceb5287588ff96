import ByteCoding
import ChatCore
import CommandKit
import Host
package import JSONCoding
import Relay
import SystemIO
package import TerminalKit

/// Why something cannot be done: the second half of the first line of an error, and what stands below it.
package struct Reason: Error {
    package let code: Slug
    package let exit: ExitCode
    /// The end of the sentence "cannot ...: ".
    package let text: String
    package var why: [String] = []
    package var tries: [Failure.Attempt] = []
    package var details = JSONObject()

    init(
        _ code: Slug, _ exit: ExitCode, _ text: String, why: [String] = [], tries: [Failure.Attempt] = [],
        details: JSONObject = [:]
    ) {
        self.code = code
        self.exit = exit
        self.text = text
        self.why = why
        self.tries = tries
        self.details = details
    }

    /// The whole error; `purpose` is what was to be done.
    func failure(during purpose: String) -> Failure {
        Failure(code, exit, "cannot \(purpose): \(text)", why: why, tries: tries, details: details)
    }
}

/// An error on its way to the user: whole already, or without what was to be done.
package enum Explained {
    case failure(Failure)
    case reason(Reason)

    /// Explains any error that a command throws.
    package init(_ error: any Error) {
        switch error {
        case let error as Failure: self = .failure(error)
        case let error as UsageError: self = .failure(Failure(error))
        case let error as SettingsMistake: self = .failure(Failure(error))
        case let error as Reason: self = .reason(error)
        case let error as ChatError: self = .reason(Reason(error))
        case let error as TransferError: self = .reason(Reason(error))
        case MigrationError.unreadable(let path): self = .reason(.unreadableMigration(path))
        case let error as StoreInUse: self = .reason(Reason(error))
        case let error as StoreExposure: self = .reason(Reason(error))
        case is StoreIsGone: self = .reason(.storeGone)
        case let error as RelayError: self = .reason(Reason(error))
        case let error as SystemError: self = .reason(Reason(error))
        case let error as PromptError: self = .reason(Reason(error))
        case let error as OutputError:
            // What was to be done may have been done.
            self = .failure(Reason(error).failure(during: "print the result"))
        default: self = .reason(Reason.bug)
        }
    }

    package func failure(during purpose: String) -> Failure {
        switch self {
        case .failure(let failure): failure
        case .reason(let reason): reason.failure(during: purpose)
        }
    }
}
