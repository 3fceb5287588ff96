import ByteCoding
import ChatCore
import CommandKit
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
        case let error as StoreInUse: self = .reason(Reason(error))
        case let error as StoreExposure: self = .reason(Reason(error))
        case is StoreIsGone: self = .reason(.storeGone)
        case let error as HolderEnded: self = .reason(Reason(error))
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

// MARK: - The command line

extension Failure {
    /// A mistake in the command line, or in the environment.
    init(_ error: UsageError) {
        let tree = CommandTree.tacit
        self.init(
            Slug(error.slug) ?? "usage.error", error.isInConfiguration ? .config : .usage, error.sentence(in: tree),
            why: error.explanations,
            tries: error.remedies(in: tree).map { Failure.Attempt($0.line, $0.note) })
    }
}

extension Failure {
    /// A mistake in a configuration file.
    init(_ mistake: SettingsMistake) {
        var details: JSONObject = [:]
        details.set("file", mistake.file)
        if mistake.line > 0 { details.set("line", mistake.line) }
        let meant = mistake.suggestions.map { Attempt($0, "did you mean this?") }
        let mending: Attempt =
            mistake.kind == .openToOthers
            ? Attempt(words: ["chmod", "go-w", mistake.file]) : Attempt("tacit config check", "all mistakes")
        self.init(
            Slug(mistake.slug) ?? "config.file", .config, "cannot use the configuration: \(mistake.sentence)",
            why: ["it is \(mistake.place)"], tries: meant + [mending], details: details)
    }
}

// MARK: - The store and what is in it

extension Reason {
    static let bug = Reason(
        "program.bug", .bug, "this should not happen",
        tries: [.init("tacit version --json", "add this to a report of the mistake")])

    static func noStore(_ folder: StoreFolder) -> Reason {
        Reason(
            "store.missing", .config, "there is no store yet", why: ["nothing is in \(folder.path)"],
            tries: [
                .init("tacit init --name NAME --server smp://...", "make one"),
                .init("TACIT_DIR=/some/folder tacit ...", "use one that is elsewhere"),
            ])
    }

    static func noLocks(_ folder: StoreFolder) -> Reason {
        Reason(
            "store.locks", .system, "the file system of the store has no locks that can be relied on",
            why: ["two commands that write at once would break conversations, so none may write there"],
            tries: [.init("TACIT_DIR=/some/folder tacit ...", "a folder on a disk of this machine")])
    }

    init(_ error: StoreExposure) {
        self =
            switch error {
            case .foreign(let path):
                Reason(
                    "store.owner", .denied, "the store belongs to another user",
                    why: ["the owner of \(UntrustedText(path).quoted) is neither this user nor root"],
                    tries: [
                        .init(words: ["ls", "-ld", path], "see who owns it"),
                        .init("TACIT_DIR=/some/folder tacit ...", "use a store of your own"),
                    ])
            case .writable(let path):
                Reason(
                    "store.writable", .denied, "other users can change the store",
                    why: ["they may write to \(UntrustedText(path).quoted)"],
                    tries: [.init(words: ["chmod", "go-w", path])])
            case .notALock(let path):
                Reason(
                    "store.lock", .denied, "the lock of the store is not a regular file",
                    why: ["\(UntrustedText(path).quoted) is a link, a folder or a device"],
                    tries: [
                        .init(words: ["ls", "-l", path], "see where it leads"),
                        .init(words: ["rm", path], "remove it; tacit makes a new one"),
                    ])
            }
    }

    static func unknownContact(_ name: String, known: [String]) -> Reason {
        let closest = Suggestion.closest(to: name, among: known)
        return Reason(
            "contact.unknown", .noTarget, "there is no contact \(UntrustedText(name).quoted)",
            tries: closest.map { .init(words: ["@\($0)"], "did you mean this?") }
                + [.init("tacit list contacts", "all that there are")])
    }

    static func unknownProfile(_ name: String, known: [String], _ command: Command) -> Reason {
        let closest = Suggestion.closest(to: name, among: known)
        let words = command.path.first == "profile" ? ["tacit"] + command.path : ["--profile"]
        return Reason(
            "profile.unknown", .noTarget, "there is no profile \(UntrustedText(name).quoted)",
            tries: closest.map { .init(words: words + [$0], "did you mean this?") }
                + [.init("tacit profile list", "all that there are")])
    }

    static let notesAreNoContact = Reason(
        "target.notes", .noTarget, "notes are for yourself, and no contact",
        tries: [.init("tacit contact list", "all contacts")])

    static func noGroups(_ name: String) -> Reason {
        Reason(
            "target.unsupported", .noTarget,
            "\(UntrustedText(name).quoted) is a group, and groups are not supported yet",
            tries: [.init(words: ["@\(name)"], "if it is a contact")])
    }

    init(_ error: StoreInUse) {
        var fact = "another process"
        var details: JSONObject = [:]
        if let pid = error.holder.pid {
            fact = "pid \(pid)" + (error.holder.command.map { " (tacit \($0))" } ?? "")
            details.set("pid", pid)
            details.set("command", error.holder.command)
            details.set("started_at", error.holder.since?.description)
            details.set("since", error.holder.since?.description)
        }
        let since = error.holder.since.flatMap { LocalTime.text(milliseconds: $0.milliseconds) }
        let seconds = error.waited / .seconds(1)
        let waited = seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
        let verb = error.obstacle == .isSilent ? "answer" : "end"
        var tries = [Failure.Attempt("tacit status", "see who holds it")]
        switch error.obstacle {
        case .writes: tries.append(.init("tacit --lock-timeout 60s \(error.command) ...", "wait longer"))
        case .needsItsEnd:
            tries.append(.init("tacit daemon stop", "it would go on, and this needs the store for itself"))
        case .isSilent, .stays:
            // What it was doing is rolled back by whoever opens the store next.
            if let pid = error.holder.pid { tries.append(.init("kill -9 \(pid)", "end it; what it has stored stays")) }
        }
        self.init(
            "store.busy", .later,
            error.obstacle == .isSilent ? "the process that has the store open does not answer" : "the store is in use",
            why: [
                "\(fact) has held it\(since.map { " since \($0)" } ?? "")"
                    + (seconds > 0 ? " and did not \(verb) within \(waited)" : "")
            ],
            tries: tries,
            details: details)
    }

    init(_ error: DatabaseProblem) {
        let check = Failure.Attempt("df -h", "see how much room there is")
        self =
            switch error {
            case .busy: Reason("store.busy", .later, "the store is in use")
            case .diskFull: Reason("store.full", .inputOutput, "the disk is full", tries: [check])
            case .disk: Reason("store.disk", .inputOutput, "the disk does not work as it should")
            case .damaged:
                Reason(
                    "store.damaged", .inputOutput, "the store is damaged",
                    why: ["a file of it is not what was written"],
                    tries: [
                        .init("tacit db check", "what exactly; copy the files before anything else"),
                        .init("tacit db info", "where they are"),
                    ])
            case .cannotOpen:
                Reason(
                    "store.unreadable", .inputOutput, "the store cannot be opened",
                    why: ["a file of it is missing, or belongs to somebody else"])
            case .wrongKey:
                Reason(
                    "key.wrong", .denied, "the key does not open the store",
                    tries: [.init("tacit help keys", "where keys are looked for")])
            case .keyMissing: .keyMissing
            case .memory: Reason("system.memory", .system, "there is not enough memory")
            case .newer:
                Reason(
                    "store.newer", .unavailable, "the store is from a newer version of tacit",
                    tries: [.init("tacit db upgrade --confirm error", "what this version can do about it")])
            case .older:
                Reason(
                    "store.older", .unavailable, "the store is from an older version, or was not made completely",
                    tries: [.init("tacit db upgrade", "bring it up to date")])
            case .foreign:
                Reason(
                    "store.foreign", .data, "the file is no store of tacit",
                    why: ["another program made it, or a version that never was"])
            }
    }
}

// MARK: - The system

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
            case .closed: Reason("output.closed", .inputOutput, "nobody reads the output")
            case .full: Reason("output.full", .inputOutput, "the disk of the output is full")
            case .stalled: Reason("output.stalled", .inputOutput, "the reader of the output does not keep up")
            case .failed(let error): Reason("output.failed", .inputOutput, error.reason)
            }
    }
}
