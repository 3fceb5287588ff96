import AgentProtocol
import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

// The errors that the commands themselves give: one declaration each, with slug, exit code, cause and advice. Those of the core,
// of the relay and of the system have their texts in the other files of this folder. No other file of this target makes a
// `Failure` or a `Reason` out of words; `ErrorRegistryTests` walks all of them.

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

/// Errors about a command line that cannot be carried out. They are whole sentences.
extension Failure {
    /// An argument, or a variable of the environment, that is not UTF-8.
    static func notUTF8(_ name: String) -> Failure {
        Failure("usage.encoding", .usage, "cannot read the command line: \(name) is not UTF-8")
    }

    static func unsupportedFormat(version: Int) -> Failure {
        Failure(
            "format.unsupported", .usage, "this program does not print version \(version) of its formats",
            why: ["it prints version 1"], tries: [.init("--format-version 1")])
    }

    /// A name in `--fields` that the records of the command do not have.
    static func unknownField(_ name: String, of command: String, shown: [String], known: [String]) -> Failure {
        Failure(
            "usage.field", .usage, "'tacit \(command)' has no field \(UntrustedText(name).quoted)",
            why: ["the fields are \(shown.joined(separator: ", "))"],
            tries: Suggestion.closest(to: name, among: known).map { .init("--fields \($0)", "did you mean this?") })
    }

    static func unknownReport(_ type: String, known: [String]) -> Failure {
        Failure(
            "usage.report", .usage, "there is no report \(UntrustedText(type).quoted)",
            tries: Suggestion.closest(to: type, among: known).map {
                .init("tacit schema \($0)", "did you mean this?")
            } + [.init("tacit schema | jq -r .title", "all that there are")])
    }

    /// There is no folder for the store, because there is no home.
    static func noHome(isSet: Bool, command: String) -> Failure {
        Failure(
            "config.home", .config,
            "cannot find a place for the store: HOME is \(isSet ? "not an absolute path" : "not set")",
            why: isSet ? [] : ["the user database has no home for user \(ProcessEnvironment.userID)"],
            tries: [.init("TACIT_DIR=/some/folder tacit \(command)", "one folder for everything")])
    }

    // MARK: Options that do not go together

    /// Two options or arguments, each as it is written in the sentence.
    static func exclusive(_ first: String, _ second: String) -> Failure {
        Failure("usage.conflict", .usage, "\(first) and \(second) exclude each other")
    }

    static let linkForCode = Failure(
        "usage.conflict", .usage, "'--qr' shows a link that is made, and one was given")

    static let identityKeyWithoutRenewal = Failure("usage.conflict", .usage, "'--identity-key' is for '--renew'")

    static let targetWithoutFormat = Failure(
        "usage.target", .usage, "'--target' needs '--format'", why: ["an archive is of the whole store"],
        tries: [.init("--format html", "the readable history")])

    static let replyToSeveral = Failure(
        "usage.conflict", .usage, "'--reply-to' names a message of one conversation, and there are several targets")

    static let cursorOrProgramMissing = Failure(
        "usage.conflict", .usage, "'--cursor' and '--exec' need each other",
        tries: [.init("tacit fetch --cursor NAME --exec ...")])

    static let programWithoutCursor = Failure(
        "usage.conflict", .usage, "'--exec' is about a cursor, and needs '--cursor'",
        tries: [.init("tacit watch --cursor NAME --exec ...")])

    static let readingWithoutCursor = Failure(
        "usage.conflict", .usage, "'--exec', '--hold' and '--peek' are about a cursor, and need '--cursor'",
        tries: [.init("tacit read --cursor NAME ...")])

    static func failureRuleWithoutProgram(_ command: String) -> Failure {
        Failure(
            "usage.conflict", .usage, "'--retries' and '--on-failure' are about a program, and need '--exec'",
            tries: [.init("tacit \(command) --cursor NAME --exec PROG --retries 3 ...")])
    }

    static let failureRuleOfStandingCursor = Failure(
        "usage.conflict", .usage,
        "'--retries' and '--on-failure' move the cursor, and do not go with '--hold' and '--peek'")

    /// What is left out would be skipped for ever.
    static let choiceBehindCursor = Failure(
        "usage.conflict", .usage, "'--cursor' prints everything behind its place, and nothing can be left out",
        tries: [.init("tacit cursor reset NAME --to ID", "to begin elsewhere")])

    static let cursorThroughSome = Failure(
        "usage.conflict", .usage, "'--cursor' goes through one conversation or through all, not through some")

    static let intervalWithoutPeriod = Failure("usage.conflict", .usage, "'--every' is for 'periodic'")

    /// `notify-mode off --install` on the command line.
    static let installationOfOff = Failure("usage.conflict", .usage, "there is nothing to install for 'off'")

    /// The same where the mode was set before.
    static let installationOfStoredOff = Failure(
        "usage.conflict", .usage, "there is nothing to install for 'off'",
        tries: [.init("tacit notify-mode periodic --install systemd", "fetch every ten minutes")])

    static let daemonFromCron = Failure(
        "usage.conflict", .usage, "cron does not keep a daemon running",
        tries: [.init("tacit notify-mode instant --install systemd", "what does")])

    // MARK: Values and what is missing

    static let emptyCursorName = Failure("usage.value", .usage, "the name of a cursor cannot be empty")

    static let emptyOnceKey = Failure("usage.value", .usage, "the key of '--once' cannot be empty")

    static let homeIsNoContact = Failure("usage.value", .usage, "'--home' is 'chats' or the name of a contact")

    static let intervalTooShort = Failure(
        "usage.value", .usage, "the shortest time for '--every' is 1m, and it has whole seconds")

    static func intervalNotForCron(_ interval: String) -> Failure {
        Failure(
            "usage.value", .usage, "cron cannot do something every \(interval)",
            why: ["it has whole minutes that divide an hour, and whole hours that divide a day"],
            tries: [.init("tacit notify-mode periodic --every 10m --install cron")])
    }

    static func relayCopyOnStandardOutput(of folder: String) -> Failure {
        Failure(
            "usage.value", .usage, "the copy of a relay cannot be written to standard output",
            why: ["its place must be a new file"],
            tries: [.init(words: ["tacit", "relay", "backup", folder, "copy.tar"])])
    }

    static let noContactSetting = Failure(
        "usage.missing", .usage, "'tacit contact set' needs a setting",
        tries: [.init("tacit contact set @NAME --retention 30d"), .init("tacit contact set -h")])

    static let noAgeToPurge = Failure(
        "usage.missing", .usage, "'tacit message purge' needs '--older-than'",
        tries: [.init("tacit message purge --older-than 90d --dry-run")])

    /// `import -` at a terminal.
    static let archiveTyped = Failure(
        "usage.input", .usage, "an archive cannot be typed",
        tries: [.init("tacit import FILE"), .init("tacit import - < FILE")])

    /// `export -` at a terminal.
    static let archiveShown = Failure(
        "output.terminal", .usage, "a terminal cannot show an archive",
        tries: [
            .init("tacit export backup.zip", "write a file"), .init("tacit export - > backup.zip"),
            .init("tacit export --format txt -", "read the history"),
        ])

    // MARK: Settings

    static func unknownSetting(_ key: String, meant: [String]) -> Failure {
        Failure(
            "usage.setting", .usage, "there is no setting \(UntrustedText(key).quoted)",
            tries: meant.map { .init($0, "did you mean this?") }
                + [.init("tacit config list --all", "all that there are")])
    }

    static func invalidAlias(_ name: String) -> Failure {
        Failure(
            "usage.alias", .usage, "an alias cannot be called \(UntrustedText(name).quoted)",
            why: ["its name has letters from a to z, digits, - and _, and begins with a letter or a digit"])
    }

    /// An alias with the name of a command.
    static func hiddenAlias(_ name: String, setting: String) -> Failure {
        Failure(
            "config.alias", .usage, "cannot set \(setting): \(name) is a command of tacit",
            why: ["an alias cannot change what a command does, and would never be used"],
            tries: [.init("tacit config set alias.\(name.prefix(1)) ...", "use another name")])
    }

    static func settingWithControlCharacters(_ setting: String) -> Failure {
        Failure("usage.value", .usage, "the value of \(setting) holds control characters")
    }

    static func settingTooLong(_ setting: String) -> Failure {
        Failure(
            "usage.value", .usage, "the value of \(setting) is too long",
            why: ["a configuration file may have \(SettingsText.limit) bytes"])
    }
}

extension Reason {
    /// Something that cannot be undone, without a yes.
    static func unconfirmed(why: [String] = [], tries: [Failure.Attempt]) -> Reason {
        Reason("usage.unconfirmed", .usage, "nobody said yes", why: why, tries: tries)
    }

    /// A command about requests that names none.
    static func noRequest(_ verb: StaticString) -> Reason {
        Reason(
            "usage.missing", .usage, "no request is named",
            tries: [
                .init("tacit list requests", "who asks"), .init("tacit \(verb) NAME", "one of them"),
            ])
    }

    static let createPasswordAndFile = Reason(
        "usage.conflict", .usage, "--create-password and --password-file exclude each other")

    static func unreadableInput(_ error: SystemError) -> Reason {
        Reason("input.unreadable", .noInput, "standard input cannot be read", why: [error.reason])
    }
}

// MARK: - Configuration

extension Reason {
    /// What `config check` found, by the first of it.
    static func mistakes(_ count: Int, first mistake: SettingsMistake) -> Reason {
        Reason(
            Slug(mistake.slug) ?? "config.file", .config, count == 1 ? "there is a mistake" : "there are mistakes",
            why: ["the first is at \(mistake.place)"], tries: [.init("tacit config edit", "mend it")])
    }

    static let editorWithoutTerminal = Reason(
        "config.terminal", .unavailable, "an editor needs a terminal",
        tries: [.init("tacit config set KEY VALUE", "change it from a script")])

    static func editorFailed(_ ending: Subprocess.Ending) -> Reason {
        Reason(
            "config.editor", .system, "the editor failed", why: ["it ended with \(ending.words)"],
            tries: [.init("VISUAL=nano tacit config edit", "with another one")])
    }

    static let configurationBusy = Reason(
        "config.busy", .later, "another process is changing the configuration")

    static func configurationNotLocked(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "the folder of the file cannot be locked", at: path, "config.write", .noOutput)
    }

    static func configurationFolder(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "its folder cannot be made", at: path, "config.write", .noOutput)
    }

    static func configurationNotWritten(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "the file cannot be written", at: path, "config.write", .noOutput)
    }

    /// A setting or variable about the network, and what it can be.
    static func invalidNetworkSetting(_ name: String, _ facts: [String]) -> Reason {
        Reason("config.network", .config, "the value of \(name) is not understood", why: facts)
    }

    static let invalidKeyDescriptor = Reason(
        "config.key-fd", .config, "the value of TACIT_KEY_FD is not understood",
        why: ["it is the number of an open descriptor"])

    static let noHomeForUnits = Reason("config.home", .config, "there is no place for units: HOME is not set")

    static func logFile(_ error: SystemError, at path: String) -> Reason {
        Reason(
            "log.file", .inputOutput, "the log cannot be written",
            why: ["\(UntrustedText(path).quoted): \(error.reason)"])
    }
}

// MARK: - Names and targets

extension Reason {
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

    static func unknownRequest(_ word: String, known: [String]) -> Reason {
        Reason(
            "request.unknown", .noTarget, "there is no request \(UntrustedText(word).quoted)",
            tries: Suggestion.closest(to: word, among: known).map { .init(words: [$0], "did you mean this?") }
                + [.init("tacit list requests", "all that there are")])
    }

    static func unknownInvitation(_ word: String, known: [String]) -> Reason {
        Reason(
            "invitation.unknown", .noTarget, "there is no invitation \(UntrustedText(word).quoted)",
            tries: Suggestion.closest(to: word, among: known).map { .init(words: [$0], "did you mean this?") }
                + [.init("tacit invitation list", "all that there are")])
    }

    static func unknownCursor(_ name: String, known: [String]) -> Reason {
        Reason(
            "cursor.unknown", .noTarget, "there is no cursor \(UntrustedText(name).quoted)",
            tries: Suggestion.closest(to: name, among: known).map { .init(words: [$0], "did you mean this?") }
                + [.init("tacit cursor list", "all that there are")])
    }

    /// - Parameter word: The word that names it, or its place if the word holds a password.
    static func unknownServer(_ word: String, known: [String]) -> Reason {
        Reason(
            "server.unknown", .noTarget, "the profile has no relay \(UntrustedText(word).quoted)",
            tries: Suggestion.closest(to: word, among: known).map { .init(words: [$0], "did you mean this?") }
                + [.init("tacit server list", "all that there are")])
    }

    static func ambiguousServer(_ word: String, _ found: [ProfileServer]) -> Reason {
        Reason(
            "server.ambiguous", .noTarget, "\(UntrustedText(word).quoted) may mean several relays",
            tries: found.prefix(3).map { server in
                .init(words: [server.id.map { "id:\(ObjectID.text($0))" } ?? ""], server.address.place)
            })
    }

    static func unknownMessage(_ word: String) -> Reason {
        Reason("message.unknown", .noTarget, "there is no message \(UntrustedText(word).quoted)")
    }

    /// What `open` is given.
    static let unknownTarget = Reason(
        "target.unknown", .noTarget, "this is neither a link nor the name of anything")

    static let notesAreNoContact = Reason(
        "target.notes", .noTarget, "notes are for yourself, and no contact",
        tries: [.init("tacit contact list", "all contacts")])

    static func noGroups(_ name: String) -> Reason {
        Reason(
            "target.unsupported", .noTarget,
            "\(UntrustedText(name).quoted) is a group, and groups are not supported yet",
            tries: [.init(words: ["@\(name)"], "if it is a contact")])
    }

    static func unsupportedList(of subject: String) -> Reason {
        Reason(
            "list.unsupported", .unavailable, "there are no \(subject) yet",
            why: ["this version knows conversations of two, and texts"],
            tries: [.init("tacit list -h", "what can be listed")])
    }

    static let invalidServerAddress = Reason(
        "server.address", .data, "this is no address of a relay",
        why: ["an address is smp://FINGERPRINT@HOST, or smp://FINGERPRINT:PASSWORD@HOST:PORT"])
}

// MARK: - The store

extension Reason {
    /// A mistake of this program.
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

    /// `init` without `--if-missing`.
    static func storeExists(in folder: StoreFolder) -> Reason {
        Reason(
            "store.exists", .noOutput, "there is one already", why: ["it is in \(folder.path)"],
            tries: [.init("tacit status", "what is in it"), .init("tacit init --if-missing")])
    }

    /// `init --if-missing` with other options than those of the store.
    static func storeDiffers(_ difference: String, _ attempt: Failure.Attempt) -> Reason {
        Reason(
            "store.differs", .config, "there is a store that differs from the options", why: [difference],
            tries: [attempt, .init("tacit status", "what is in it")])
    }

    /// The folder of a new store.
    static func storeFolder(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "its folder cannot be made", at: path, "store.folder", .noOutput)
    }

    /// The folder into which an archive is imported.
    static func importFolder(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "the folder of the store cannot be made", at: path, "store.folder", .noOutput)
    }

    static func noLocks(_ folder: StoreFolder) -> Reason {
        Reason(
            "store.locks", .system, "the file system of the store has no locks that can be relied on",
            why: ["two commands that write at once would break conversations, so none may write there"],
            tries: [.init("TACIT_DIR=/some/folder tacit ...", "a folder on a disk of this machine")])
    }

    static let storeGone = Reason(
        "store.gone", .inputOutput, "the files of the store were removed or replaced while it was open",
        why: ["what was written since then may be lost"],
        tries: [.init("tacit status", "what is there now")])

    /// What `db check` found.
    static func damage(count: Int) -> Reason {
        Reason(
            "store.damaged", .inputOutput, "it is not as it should be",
            why: ["\(count) " + (count == 1 ? "thing was" : "things were") + " found"],
            tries: [
                .init("tacit db info", "where the files are: copy them before anything else"),
                .init("tacit db compact", "may mend what SQLite can mend, after that"),
            ])
    }

    static let alreadyEncrypted = Reason(
        "store.encrypted", .data, "it is encrypted already",
        tries: [.init("tacit db rekey", "give it another key")])

    static let notEncrypted = Reason(
        "store.plain", .data, "the store is not encrypted", tries: [.init("tacit db encrypt", "encrypt it")])

    static func backupFolder(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "the copy needs a new folder, or an empty one", at: path, "backup.folder", .noOutput)
    }

    // MARK: The process that has the store open

    /// A command that needs the store for itself, where it is open for several.
    static let sharedStore = Reason(
        "store.shared", .later, "others use the store as long as it is open here",
        tries: [.init("tacit daemon stop", "and then the command again")])

    /// The same, where the session is what uses it.
    static let usedBySession = Reason(
        "store.shared", .later, "the session uses the store",
        tries: [.init("quit", "and then the command in the shell")])

    static let stepRefused = Reason(
        "store.step", .later, "the process that has the store open did not write down how far this has come",
        why: ["what was printed comes again"])

    static let stuckHolder = Reason(
        "store.holder-silent", .later, "the process that has the store open does not answer any more",
        why: ["what was sent may be in the outbox already"],
        tries: [.init("tacit status", "see which process it is"), .init("tacit list outbox", "see what waits there")])

    static let lostHolder = Reason(
        "store.holder-ended", .later, "the process that has the store open ended meanwhile",
        why: ["what was sent may be in the outbox already"],
        tries: [.init("tacit list outbox", "see what waits there")])

    /// The same for a session, which takes its place.
    static let replacedHolder = Reason(
        "store.holder-ended", .later, "the process that had the store open ended just now",
        why: ["in a moment the session goes on without it"])

    static let otherVersion = Reason(
        "store.holder-version", .later, "the process that has the store open is of another version",
        tries: [.init("tacit daemon stop", "and start it anew")])

    /// A variable asks for another way through the network than that of the process that is connected.
    static func otherRoute(_ variable: String) -> Reason {
        Reason(
            "relay.route", .later, "the process that has the store open is connected otherwise",
            why: ["\(variable) cannot change that"],
            tries: [.init("tacit daemon stop", "and then the command again")])
    }

    /// `--offline` beside a process that is connected.
    static let holderIsOnline = Reason(
        "relay.online", .later, "the process that has the store open is connected",
        why: ["--offline cannot keep it from sending"],
        tries: [.init("tacit daemon stop", "and then the command again")])

    static let noDaemon = Reason(
        "daemon.none", .no, "no process takes commands for this store",
        tries: [.init("tacit daemon run &", "start one")])

    static func noDaemon(but command: String) -> Reason {
        Reason(
            "daemon.other", .unavailable, "the process that takes commands is no daemon",
            why: ["it is tacit \(command)"])
    }

    static let noControlSocket = Reason(
        "daemon.socket", .system, "there is no place for its socket",
        why: ["the folders for it belong to somebody else, or another program listens there"],
        tries: [.init("XDG_RUNTIME_DIR=/some/folder tacit daemon run", "a folder that is yours")])
}

// MARK: - Keys, passcodes and passwords

extension Reason {
    static let keyMissing = Reason(
        "key.missing", .denied, "the store is encrypted, and there is no key",
        why: ["none was given, and there is nobody to ask"],
        tries: [
            .init("TACIT_KEY_FILE=/path/to/key tacit ...", "with a file that holds the key"),
            .init("tacit unlock --for 1h", "at a terminal; other commands use it for that time"),
            .init("tacit help keys", "all ways to give a key"),
        ])

    /// A question for a key that was left without an answer.
    static let keyNotTyped = Reason("key.missing", .denied, "no key was typed")

    static func newKeyMissing(_ command: Command) -> Reason {
        Reason(
            "key.missing", .denied, "there is no new key", why: ["none was given, and there is nobody to ask"],
            tries: [.init(words: ["tacit"] + command.path + ["--new-key-file", "FILE"])])
    }

    static func archivePassphraseMissing(for file: String) -> Reason {
        Reason(
            "key.missing", .denied, "there is no passphrase", why: ["none was given, and there is nobody to ask"],
            tries: [.init(words: ["tacit", "export", "--passphrase-file", "FILE", file])])
    }

    /// An archive with a passphrase of its own, and none to open it.
    static func archiveNeedsPassphrase(_ file: String) -> Reason {
        Reason(
            "key.missing", .denied, "the archive has a passphrase, and none was given",
            why: ["there is nobody to ask"],
            tries: [
                .init(words: ["tacit", "import", "--passphrase-file", "FILE", file]), importWithKey(file),
            ])
    }

    /// - Parameter place: Where the own key file stands, or would.
    static func archiveNeedsKey(_ file: String, place: String) -> Reason {
        Reason(
            "key.missing", .denied, "the archive is encrypted, and there is no key",
            why: ["the key of the exported store is not in the archive"],
            tries: [importWithKey(file), .init(words: ["cp", "KEY", place], "where it is found without being named")])
    }

    private static func importWithKey(_ file: String) -> Failure.Attempt {
        .init(words: ["tacit", "import", "--key-file", "KEY", file], "with the key of the exported store")
    }

    static func wrongKey(from place: String) -> Reason {
        Reason(
            "key.wrong", .denied, "the key does not open the store", why: ["it came from \(place)"],
            tries: [.init("tacit help keys", "where keys are looked for")])
    }

    static func wrongPassphrase(from place: String) -> Reason {
        Reason("key.wrong", .denied, "the passphrase does not open the archive", why: ["it came from \(place)"])
    }

    static let noArchivePassphrase = Reason(
        "archive.no-passphrase", .data, "the archive has no passphrase of its own",
        why: ["it was made without 'tacit export --passphrase': only the key of the exported store opens it"],
        tries: [.init("tacit import --key-file KEY FILE", "with the key of the exported store")])

    static let emptyPassphrase = Reason("key.empty", .denied, "the passphrase is empty")

    static func emptyKey(from place: String) -> Reason {
        Reason("key.empty", .denied, "the key is empty", why: ["it came from \(place)"])
    }

    static let passphrasesDiffer = Reason("key.typing", .denied, "the two passphrases differ")

    static let answerTooLong = Reason("key.typing", .denied, "the answer is too long for a terminal")

    static let unanswered = Reason("prompt.timeout", .later, "nobody answered the question in time")

    static func weakKey(_ path: String) -> Reason {
        Reason(
            "key.weak", .denied, "what is in the place of its key is no random key",
            why: ["it is \(UntrustedText(path).quoted)"],
            tries: [.init(words: ["tacit", "init", "--key-file", path], "use it as a passphrase")])
    }

    static func keyExists(_ path: String) -> Reason {
        Reason("key.exists", .noOutput, "the key file exists already", why: ["it is \(path)"])
    }

    static func keyNotWritten(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "its key cannot be written", at: path, "key.create", .noOutput)
    }

    static func irregularKeyFile(_ path: String) -> Reason {
        Reason(
            "key.file", .noInput, "the key file is no regular file", why: ["it is \(UntrustedText(path).quoted)"],
            tries: [
                .init("tacit --key-fd 0 ...", "read the key from standard input"),
                .init("tacit --key-command COMMAND ...", "read it from what a program prints"),
            ])
    }

    static func unreadableKeyFile(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "the key file cannot be read", at: path, "key.file", .noInput)
    }

    static func openKeyFile(_ path: String) -> Reason {
        Reason(
            "key.open", .denied, "others can read the key file", why: ["it is \(path)"],
            tries: [.init(words: ["chmod", "600", path])])
    }

    static func unreadableKeyDescriptor(_ number: Int32, _ error: SystemError) -> Reason {
        Reason("key.descriptor", .noInput, "the key cannot be read", why: ["descriptor \(number): \(error.reason)"])
    }

    static func keyCommandLate(_ patience: Duration) -> Reason {
        Reason(
            "key.command", .denied, "the key command failed",
            why: ["it did not end within \(Int(patience / .seconds(1))) s"])
    }

    static let keyCommandTooLong = Reason(
        "key.command", .denied, "the key command printed too much to be a key",
        why: ["a key has at most \(GivenKey.limit) bytes"])

    /// - Parameter words: What it said.
    static func keyCommandFailed(_ ending: Subprocess.Ending, _ words: UntrustedText?) -> Reason {
        Reason(
            "key.command", .denied, "the key command failed",
            why: ["it ended with \(ending.words)"] + (words.map { ["it said \($0.quoted)"] } ?? []))
    }

    static func noKeyring(_ error: SystemError) -> Reason {
        Reason(
            "key.keyring", .system, "the keyring of the kernel cannot be used", why: [error.reason],
            tries: [.init("TACIT_KEY_FILE=/path/to/key tacit ...", "give each command the key")])
    }

    // MARK: The passcode of sessions

    static let passcodeNotSet = Reason(
        "passcode.none", .noTarget, "no passcode is set", tries: [.init("tacit passcode set", "set one")])

    static let passcodeExists = Reason(
        "passcode.exists", .noOutput, "there is one already",
        tries: [.init("tacit passcode change", "with the old one")])

    static let passcodeWrong = Reason("passcode.wrong", .denied, "this is not the passcode")

    /// - Parameter wait: The time until the next try, in milliseconds.
    static func passcodeWait(_ wait: Int64) -> Reason {
        Reason(
            "passcode.wait", .later, "too many passcodes were wrong",
            why: ["the next may be tried in \((wait + 999) / 1000) s"])
    }

    static let sameAsSelfDestruct = Reason(
        "passcode.same", .denied, "the passcode and the one that destroys everything are the same")

    static let passcodeNotTyped = Reason(
        "passcode.missing", .denied, "there is no passcode", why: ["none was typed"])

    static func passcodeMissing(_ command: Command) -> Reason {
        Reason(
            "passcode.missing", .denied, "there is no passcode",
            why: ["none was given, and there is nobody to ask"],
            tries: [.init(words: ["tacit"] + command.path + ["--passcode-fd", "FD"])])
    }

    static let emptyPasscode = Reason("passcode.size", .denied, "the passcode is empty")

    static func longPasscode(limit: Int) -> Reason {
        Reason("passcode.size", .denied, "the passcode is too long", why: ["it may have \(limit) bytes"])
    }

    static func shortPasscode(least: Int) -> Reason {
        Reason(
            "passcode.size", .denied, "the passcode is too short", why: ["it needs \(least) digits or letters"])
    }

    static let passcodesDiffer = Reason("passcode.typing", .denied, "the two passcodes differ")

    static let passcodeDescriptorInSession = Reason(
        "passcode.descriptor", .noInput, "the passcode cannot be read",
        why: ["a session has no descriptors of yours; it asks"])

    static func unreadablePasscode(_ descriptor: Int32, _ error: SystemError) -> Reason {
        Reason(
            "passcode.descriptor", .noInput, "the passcode cannot be read",
            why: ["descriptor \(descriptor): \(error.reason)"])
    }

    // MARK: The password of a hidden profile

    static func unreadablePassword(_ descriptor: Int, _ error: SystemError) -> Reason {
        Reason(
            "password.descriptor", .noInput, "the password of the profile cannot be read",
            why: ["descriptor \(descriptor): \(error.reason)"])
    }

    static func passwordMissing(_ command: String) -> Reason {
        Reason(
            "password.missing", .denied, "there is no password",
            why: ["none was given, and there is nobody to ask"],
            tries: [.init("tacit \(command) NAME --profile-password-fd 3 3< FILE")])
    }

    static let passwordNotTyped = Reason(
        "password.missing", .denied, "there is no password", why: ["none was typed"])

    static let passwordsDiffer = Reason("password.typing", .denied, "the two passwords differ")

    static let emptyPassword = Reason("password.empty", .denied, "the password is empty, or no text")
}

// MARK: - Connections and contacts

extension Reason {
    /// A handshake that is not as far as it should be; without an obstacle, time was short.
    static func unfinished(_ obstacle: RelayProblem?, _ stage: ConnectionStage) -> Reason {
        var reason =
            obstacle.map { Reason($0) }
            ?? Reason(
                "connection.waiting", .later,
                stage == .joined ? "the relay has not answered in time" : "the other side has not answered in time")
        reason.why.append("it is stored and goes on with the next fetch")
        reason.tries.append(.init("tacit fetch", "go on with it"))
        return reason
    }

    /// - Parameters:
    ///   - length: The digits that a code has.
    ///   - seen: Shows the code.
    static func noSecurityCode(length: Int, _ seen: Failure.Attempt) -> Reason {
        Reason("contact.code-form", .data, "this is no security code", why: ["it has \(length) digits"], tries: [seen])
    }

    static func otherSecurityCode(length: Int, given: Int, _ seen: Failure.Attempt) -> Reason {
        Reason(
            "contact.code", .trust, "the code is another one",
            why: [
                given == length
                    ? "a digit may be wrong, or somebody is between you and the contact"
                    : "it has \(length) digits, and this has \(given)"
            ],
            tries: [seen])
    }

    /// `send --require-verified` to a contact whose code was never compared.
    static func unverified(_ attempt: Failure.Attempt) -> Reason {
        Reason(
            "contact.unverified", .trust, "its security code was never compared",
            why: ["'--require-verified' asks for that"], tries: [attempt])
    }

    /// The same while the encryption is renewed.
    static let codeChanging = Reason(
        "contact.code-changing", .trust, "its security code is about to change",
        why: ["the encryption is being renewed, and the message would be sent with the new one"],
        tries: [.init("tacit fetch", "then compare the code")])

    static func codeChanged(at time: String?, _ attempt: Failure.Attempt) -> Reason {
        Reason(
            "contact.code-changed", .trust, "its security code has changed",
            why: ["somebody may be between you and the contact" + (time.map { "; it changed at \($0)" } ?? "")],
            tries: [attempt])
    }

    static let invalidStreams = Reason(
        "call.session", .data, "this is no description of streams",
        why: ["it is a JSON object with the texts rtcSession and rtcIceCandidates"])
}

// MARK: - Sending

extension Reason {
    /// - Parameter usage: The command and its arguments before the text.
    static func noText(_ usage: String) -> Reason {
        Reason(
            "message.empty", .usage, "there is no text",
            tries: textAttempts(usage) + [.init("tacit \(usage) -- --json", "a text that looks like an option")])
    }

    static func emptyText(_ usage: String) -> Reason {
        Reason("message.empty", .usage, "the text is empty", tries: textAttempts(usage))
    }

    private static func textAttempts(_ usage: String) -> [Failure.Attempt] {
        [.init("tacit \(usage) 'some words'"), .init("some-program | tacit \(usage) -", "from standard input")]
    }

    static let textNotUTF8 = Reason("message.not-utf8", .data, "the text on standard input is not UTF-8")

    static func inputTooLarge(limit: Int) -> Reason {
        Reason(
            "message.too-large", .data, "the message is too large",
            why: ["standard input has more than \(limit) bytes"])
    }

    /// A message or an answer that is still in the outbox; without an obstacle, time was short.
    ///
    /// - Parameter consequence: What becomes of it.
    static func queued(_ obstacle: RelayProblem?, _ consequence: String) -> Reason {
        var reason =
            obstacle.map { Reason($0) } ?? Reason("message.queued", .later, "the relay has not accepted it in time")
        reason.why.append(consequence)
        reason.tries.append(.init("tacit fetch", "try again"))
        reason.details.set("state", "queued")
        return reason
    }

    /// A message that is with the relay, without a receipt.
    static let unconfirmed = Reason(
        "message.unconfirmed", .later, "the contact has not confirmed it in time",
        why: ["the relay has the message; the contact was not there, or sends no receipts"],
        details: ["state": "sent"])

    /// A message that will not be sent, by the status that says so.
    static func undeliverable(_ status: ChatItem.Status) -> Reason {
        switch status {
        case .sendReceived(isIntact: false):
            Reason("message.altered", .data, "the contact received something else than was sent")
        case .sendError(.quota):
            Reason("message.failed", .unavailable, "the contact has not received for too long")
        case .sendError(.expired): Reason("message.failed", .unavailable, "the relay could not be reached for too long")
        case .sendError(.blocked):
            Reason("message.failed", .unavailable, "the operator of the relay blocked the queue")
        case .sendErrorAuthorization: Reason("message.failed", .unavailable, "the queue of the contact is gone")
        default: Reason("message.failed", .unavailable, "the connection is lost")
        }
    }

    /// `message wait` for a message of somebody else.
    static let received = Reason(
        "message.received", .usage, "it was received, and there is nothing to wait for",
        tries: [.init("tacit list outbox", "own messages that wait")])

    /// `outbox flush` that left something.
    static func stillQueued(_ count: Int) -> Reason {
        Reason(
            "outbox.waiting", .later, "something still waits",
            why: ["\(count) in the outbox; a contact may have to answer first, or time was short"],
            tries: [.init("tacit fetch", "receive too")])
    }

    /// `fetch --require-sent` that left something.
    static func unsent(_ report: FetchReport) -> Reason {
        Reason(
            "outbox.waiting", .later,
            report.waiting > 0 ? "\(report.waiting) in the outbox" : "an operation waits for a relay",
            why: report.stuck.prefix(2).map { "\($0.server.place): \(Reason($0.problem).text)" },
            tries: [.init("tacit list outbox", "see what waits there")],
            details: ["waiting": .integer(Int64(report.waiting))])
    }
}

// MARK: - Receiving

extension Reason {
    static let fetchTimeout = Reason(
        "fetch.timeout", .later, "there was not enough time", why: ["what came is stored"],
        tries: [.init("tacit fetch --timeout 5m", "take more time")])

    /// - Parameter process: The number of the other process, if it is known.
    static func cursorBusy(_ name: String, _ process: String) -> Reason {
        Reason(
            "cursor.busy", .later, "another command runs programs for the cursor \(UntrustedText(name).quoted)",
            why: process.isEmpty ? [] : ["it is process \(process)"])
    }

    /// The program of `--exec` failed for a message, and is run again next time.
    static func programFailed(
        _ id: String, why: [String], commit: Failure.Attempt, details: JSONObject
    ) -> Reason {
        Reason(
            "exec.failed", .later, "the program failed for the message \(id)", why: why, tries: [commit],
            details: details)
    }

    /// The same without retries left.
    static func programGaveUp(
        _ id: String, why: [String], commit: Failure.Attempt, details: JSONObject
    ) -> Reason {
        Reason(
            "exec.gave-up", .unavailable, "the program failed for the message \(id)", why: why, tries: [commit],
            details: details)
    }
}

extension Failure {
    /// A message that the program of `--exec` failed for, and that was skipped.
    static func messageSkipped(
        _ id: String, failures: String, _ ending: Subprocess.Ending, show: Attempt, details: JSONObject
    ) -> Failure {
        Failure(
            "exec.skipped", .partial, "skipped the message \(id): the program failed \(failures) for it",
            why: ["it ended with \(ending.words); the cursor is behind the message"], tries: [show],
            details: details)
    }
}

// MARK: - Hooks and services

extension Reason {
    static func noHook(at path: String) -> Reason {
        Reason(
            "hook.missing", .noTarget, "there is no such hook", why: ["nothing is at \(path)"],
            tries: [.init("tacit help hooks", "how to write one")])
    }

    static func ignoredHook(_ fault: HookFolder.Fault, at path: String) -> Reason {
        Reason(
            "hook.ignored", .denied, "it is ignored: \(fault.words)", why: ["it is \(path)"], tries: fault.remedies)
    }

    static let unknownProgramPath = Reason(
        "notify-mode.program", .system, "the path of this program is not known")

    static let unusableServicePath = Reason(
        "notify-mode.path", .config, "a path or variable has a character that no service can be told",
        why: ["a line break, for instance"])

    static func foreignUnit(_ name: String, at path: String) -> Reason {
        Reason(
            "notify-mode.foreign", .noOutput, "there is another \(name) already",
            why: ["\(path) was not written by notify-mode"],
            tries: [.init(words: ["mv", path, "\(path).mine"])])
    }

    static let noCrontab = Reason(
        "notify-mode.cron", .system, "there is no crontab on the path",
        tries: [.init("tacit notify-mode periodic --install systemd", "a timer of systemd")])

    /// `systemctl` or `crontab` did not end with 0.
    static func toolFailed(_ name: String, _ ending: Subprocess.Ending, _ why: [String]) -> Reason {
        Reason("notify-mode.tool", .system, "\(name) ended with \(ending.words)", why: why)
    }
}

// MARK: - Archives and exports

extension Reason {
    static let archiveIsFolder = Reason(
        "archive.folder", .noInput, "this is a folder", why: ["an archive is one file"])

    static func unreadableArchive(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "it cannot be read", at: path, "archive.unreadable", .noInput)
    }

    static func exportToSpecialFile(_ path: String) -> Reason {
        Reason(
            "file.special", .noOutput, "this is no regular file", why: ["it is \(UntrustedText(path).quoted)"],
            tries: [.init("tacit export - > FILE", "write to whatever the shell opens")])
    }

    static let exportIntoStore = Reason("file.store", .noOutput, "this is a part of the store itself")

    static func exportExists(_ path: String) -> Reason {
        Reason(
            "file.exists", .noOutput, "the file exists already", why: ["it is \(UntrustedText(path).quoted)"],
            tries: [.init(words: ["tacit", "export", "--force", path], "replace it")])
    }

    static func exportNotMade(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "the file cannot be made", at: path, "file.create", .noOutput)
    }
}

// MARK: - The relay

extension Reason {
    static func relayNeedsHost(_ folder: String) -> Reason {
        Reason(
            "relay.host", .usage, "it needs a name or an address",
            tries: [.init(words: ["tacit", "relay", "init", folder, "--host", "HOST"])])
    }

    static func unreadableRelayPassword(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "the password cannot be read", at: path, "relay.password-file", .noInput)
    }

    static func invalidRelayPassword(_ path: String) -> Reason {
        Reason(
            "relay.password-invalid", .data, "the file \(UntrustedText(path).quoted) does not begin with a password")
    }

    /// A relay without a port of its own has no address while it is stopped.
    static func relayStopped(_ folder: String) -> Reason {
        Reason(
            "relay.stopped", .unavailable, "its port is chosen when it starts", why: ["relay.conf has port 0"],
            tries: [.init(words: ["tacit", "relay", "start", folder])])
    }

    static func relayMetrics(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "the metrics cannot be written", at: path, "relay.metrics", .noOutput)
    }

    static func relayBackup(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "the file cannot be made", at: path, "relay.backup", .noOutput)
    }
}

// MARK: - The demonstration

extension Reason {
    static func demoFolder(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "its folder cannot be made", at: path, "demo.folder", .noOutput)
    }

    static func demoCommandFailed(_ command: String) -> Reason {
        Reason("demo.failed", .unavailable, "'tacit \(command)' did not do what it should")
    }

    static let demoRelayFailed = Reason("demo.failed", .unavailable, "the relay did not start")

    static let demoMessageLost = Reason("demo.lost", .bug, "the message did not arrive")
}
