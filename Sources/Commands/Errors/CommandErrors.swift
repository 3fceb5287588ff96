import AgentProtocol
import ByteCoding
import ChatCore
import CommandKit
import Host
import JSONCoding
import SystemIO
import TerminalKit

// The errors that the commands themselves give: one declaration each, with slug, exit code, cause and advice. Those of the core,
// of the relay and of the system have their texts in the other files of this folder. No other file of this target makes a
// `Failure` or a `Reason` out of words; `ErrorRegistryTests` walks all of them.

// MARK: - The command line

extension Failure {
    /// A mistake in the command line, or in the environment.
    init(_ error: UsageError, in tree: CommandTree = .tacit) {
        self.init(
            Slug(error.slug) ?? "usage.error", error.isInConfiguration ? .config : .usage, error.sentence(in: tree),
            why: error.explanations,
            tries: Failure.attempts(after: error, in: tree))
    }

    private static func attempts(after error: UsageError, in tree: CommandTree) -> [Attempt] {
        let remedies = error.remedies(in: tree).map { Attempt($0.line, $0.note) }
        switch error {
        case .unknownCommand(let word, let path, _):
            let known = CommonWords.attempts(for: word, below: path)
            // A word that is spelled alike means something else then.
            return known.isEmpty ? settingAttempts(word, path) + remedies : known.prefix(2) + remedies.suffix(1)
        case .missingArgument("TARGET", _), .missingArgument("GROUP", _):
            return [Attempt("+NAME", "a group; a shell takes #NAME as a comment")] + remedies
        default: return remedies
        }
    }

    /// `tacit config KEY VALUE`
    private static func settingAttempts(_ word: String, _ path: [String]) -> [Attempt] {
        guard path == ["config"], CommandTree.tacit.setting(named: word) != nil else { return [] }
        return [Attempt("tacit config set \(word) VALUE", "change the setting")]
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
            ? Attempt(words: ["chmod", "go-w", mistake.file]) : Attempt("tacit config check", "list all errors")
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
            "format.unsupported", .usage, "unsupported format version \(version)",
            why: ["the supported version is 1"], tries: [.init("--format-version 1")])
    }

    /// A name in `--fields` that the records of the command do not have.
    static func unknownField(_ name: String, of command: String, shown: [String], known: [String]) -> Failure {
        Failure(
            "usage.field", .usage, "'tacit \(command)' has no field \(UntrustedText(name).quoted)",
            why: ["fields: \(shown.joined(separator: ", "))"],
            tries: Suggestion.closest(to: name, among: known).map { .init("--fields \($0)", "did you mean this?") })
    }

    static func unknownReport(_ type: String, known: [String]) -> Failure {
        Failure(
            "usage.report", .usage, "unknown report \(UntrustedText(type).quoted)",
            tries: Suggestion.closest(to: type, among: known).map {
                .init("tacit schema \($0)", "did you mean this?")
            } + [.init("tacit schema | jq -r .title", "show the list")])
    }

    /// There is no folder for the store, because there is no home.
    static func noHome(isSet: Bool, command: String) -> Failure {
        Failure(
            "config.home", .config,
            "cannot locate the store: HOME is \(isSet ? "not an absolute path" : "not set")",
            why: isSet ? [] : ["the user database has no home for user \(ProcessEnvironment.userID)"],
            tries: [.init("TACIT_DIR=/some/folder tacit \(command)", "use one folder for all files")])
    }

    // MARK: Options that do not go together

    /// Two options or arguments, each as it is written in the sentence.
    static func exclusive(_ first: String, _ second: String) -> Failure {
        Failure("usage.conflict", .usage, "\(first) and \(second) cannot be combined")
    }

    static let linkForCode = Failure(
        "usage.conflict", .usage, "'--qr' needs a new invitation and cannot be combined with a link")

    static let identityKeyWithoutRenewal = Failure("usage.conflict", .usage, "'--identity-key' needs '--renew'")

    static let durationWithoutVoice = Failure("usage.conflict", .usage, "'--duration' needs '--voice'")

    static func noVoiceDuration(_ path: String) -> Failure {
        Failure(
            "file.voice", .data, "cannot read the length of \(UntrustedText(path).quoted)",
            why: ["the file is neither Ogg with Opus nor M4A"],
            tries: [.init("--duration 12s", "give the length of the voice message")])
    }

    static let noWaitWithoutStore = Failure(
        "usage.conflict", .usage, "'--no-wait' needs a store", tries: [.init("tacit init", "create a store")])

    static let noFileChosen = Failure(
        "usage.missing", .usage, "no file given",
        tries: [
            .init("tacit file list", "list offered files"), .init("tacit file receive f7", "receive a file"),
            .init("tacit file receive --all", "receive all offered files"),
        ])

    static let severalFilesWithoutFolder = Failure(
        "usage.conflict", .usage, "several files need an existing folder after '--to'")

    static let targetWithoutFormat = Failure(
        "usage.target", .usage, "'--target' needs '--format'", why: ["an archive always contains the whole store"],
        tries: [.init("--format html", "export the readable history")])

    static let versionWithoutFormat = Failure(
        "usage.official-version", .usage, "'--official-version' needs '--format official'",
        why: ["other archives are for tacit"],
        tries: [.init("--format official", "export an archive for a SimpleX Chat app")])

    static let dryRunWithoutFormat = Failure(
        "usage.dry-run", .usage, "'--dry-run' needs '--format official'",
        why: ["other archives always contain the whole store"],
        tries: [.init("tacit export --format official --dry-run app.zip")])

    static let replyToSeveral = Failure(
        "usage.conflict", .usage, "'--reply-to' cannot be combined with several targets")

    static let cursorOrProgramMissing = Failure(
        "usage.conflict", .usage, "'--cursor' and '--exec' must be used together",
        tries: [.init("tacit fetch --cursor NAME --exec ...")])

    static let programWithoutCursor = Failure(
        "usage.conflict", .usage, "'--exec' needs '--cursor'",
        tries: [.init("tacit watch --cursor NAME --exec ...")])

    static let readingWithoutCursor = Failure(
        "usage.conflict", .usage, "'--exec', '--hold' and '--peek' need '--cursor'",
        tries: [.init("tacit read --cursor NAME ...")])

    static func failureRuleWithoutProgram(_ command: String) -> Failure {
        Failure(
            "usage.conflict", .usage, "'--retries' and '--on-failure' need '--exec'",
            tries: [.init("tacit \(command) --cursor NAME --exec PROG --retries 3 ...")])
    }

    static let failureRuleOfStandingCursor = Failure(
        "usage.conflict", .usage,
        "'--retries' and '--on-failure' cannot be combined with '--hold' or '--peek'")

    /// What is left out would be skipped for ever.
    static let choiceBehindCursor = Failure(
        "usage.conflict", .usage, "'--cursor' prints all messages after the cursor and cannot be combined with filters",
        tries: [.init("tacit cursor reset NAME --to ID", "start at another message")])

    static let cursorThroughSome = Failure(
        "usage.conflict", .usage, "'--cursor' covers one conversation or all, not several")

    static let intervalWithoutPeriod = Failure("usage.conflict", .usage, "'--every' needs the mode 'periodic'")

    static let serverWithoutInstant = Failure(
        "usage.conflict", .usage, "'--websocket' needs the mode 'instant'")
    static let serverForOthers = Failure(
        "usage.conflict", .usage, "notify-mode serves bots on this machine only",
        tries: [.init("tacit api -h", "run the server with --allow-remote and --token-file")])

    /// `notify-mode off --install` on the command line.
    static let installationOfOff = Failure("usage.conflict", .usage, "the mode 'off' has nothing to install")

    /// The same where the mode was set before.
    static let installationOfStoredOff = Failure(
        "usage.conflict", .usage, "the mode 'off' has nothing to install",
        tries: [.init("tacit notify-mode periodic --install systemd", "fetch every ten minutes")])

    static let daemonFromCron = Failure(
        "usage.conflict", .usage, "cron cannot keep a daemon running",
        tries: [.init("tacit notify-mode instant --install systemd", "use a systemd service")])

    // MARK: Values and what is missing

    static let emptyCursorName = Failure("usage.value", .usage, "a cursor name cannot be empty")

    static let emptyOnceKey = Failure("usage.value", .usage, "the key of '--once' cannot be empty")

    static let homeIsNoContact = Failure("usage.value", .usage, "'--home' must be 'chats' or the name of a contact")

    static let intervalTooShort = Failure(
        "usage.value", .usage, "'--every' must be whole seconds and at least 1m")

    static func intervalNotForCron(_ interval: String) -> Failure {
        Failure(
            "usage.value", .usage, "cron does not support an interval of \(interval)",
            why: ["cron supports whole minutes that divide an hour and whole hours that divide a day"],
            tries: [.init("tacit notify-mode periodic --every 10m --install cron")])
    }

    static func relayCopyOnStandardOutput(of folder: String) -> Failure {
        Failure(
            "usage.value", .usage, "a relay backup cannot be written to standard output",
            why: ["the backup must be a new file"],
            tries: [.init(words: ["tacit", "relay", "backup", folder, "copy.tar"])])
    }

    static let noContactSetting = Failure(
        "usage.missing", .usage, "'tacit contact set' needs an option",
        tries: [.init("tacit contact set @NAME --retention 30d"), .init("tacit contact set -h")])

    static func unreadablePicture(_ path: String) -> Failure {
        Failure(
            "file.picture", .data, "cannot remove the metadata of \(UntrustedText(path).quoted)",
            why: ["the picture is damaged or too large"],
            tries: [.init("tacit send --keep-metadata", "send it unchanged, with the place and time that it names")])
    }

    static func supportTwice(_ command: String) -> Failure {
        Failure(
            "usage.conflict", .usage, "'--support' excludes '--support-of'", tries: [.init("tacit \(command) -h")])
    }

    static let standardInputTwice = Failure(
        "usage.conflict", .usage, "standard input is read only once",
        why: ["'-' as the text, and each '--attach -', read it to its end"], tries: [.init("tacit send -h")])

    static let nameOfNoInput = Failure(
        "usage.conflict", .usage, "'--name' needs '--attach -'", why: ["other files keep their names"],
        tries: [.init("some-program | tacit send @alice --attach - --name log.txt")])

    static let supportOfSeveral = Failure(
        "usage.conflict", .usage, "'--support' needs a single group", tries: [.init("tacit send -h")])

    static let chatWithoutLast = Failure(
        "usage.conflict", .usage, "'--in' needs the message 'last'",
        tries: [.init("tacit message react last thumbs-up --in @alice")])

    static let noGroupSetting = Failure(
        "usage.missing", .usage, "'tacit group set' needs an option",
        tries: [.init("tacit group set +NAME --feature files=off"), .init("tacit group set -h")])

    static let noChannelSetting = Failure(
        "usage.missing", .usage, "'tacit channel set' needs an option",
        tries: [.init("tacit channel set +NAME --domain NAME"), .init("tacit channel set -h")])

    static func signatureOutsideChannels(_ target: String) -> Failure {
        Failure(
            "usage.conflict", .usage, "'--sign' needs a channel, and \(UntrustedText(target).quoted) is none")
    }

    static let linkCreatedAndDeleted = Failure(
        "usage.conflict", .usage, "'--delete' excludes '--create' and '--role'",
        tries: [.init("tacit group link +NAME --delete"), .init("tacit group link -h")])

    static let noAgeToPurge = Failure(
        "usage.missing", .usage, "'tacit message purge' needs '--older-than'",
        tries: [.init("tacit message purge --older-than 90d --dry-run")])

    /// `import -` at a terminal.
    static let archiveTyped = Failure(
        "usage.input", .usage, "cannot read an archive from a terminal",
        tries: [.init("tacit import FILE"), .init("tacit import - < FILE")])

    /// `export -` at a terminal.
    static let archiveShown = Failure(
        "output.terminal", .usage, "cannot write an archive to a terminal",
        tries: [
            .init("tacit export backup.zip", "write to a file"), .init("tacit export - > backup.zip"),
            .init("tacit export --format txt -", "print the history instead"),
        ])

    // MARK: Settings

    static func unknownSetting(_ key: String, meant: [String]) -> Failure {
        Failure(
            "usage.setting", .usage, "unknown setting \(UntrustedText(key).quoted)",
            tries: meant.map { .init($0, "did you mean this?") }
                + [.init("tacit config list --all", "show the list")])
    }

    static func invalidAlias(_ name: String) -> Failure {
        Failure(
            "usage.alias", .usage, "invalid alias name \(UntrustedText(name).quoted)",
            why: ["an alias has letters a to z, digits, - and _, and begins with a letter or digit"])
    }

    /// An alias with the name of a command.
    static func hiddenAlias(_ name: String, setting: String) -> Failure {
        Failure(
            "config.alias", .usage, "cannot set \(setting): \(name) is a command of tacit",
            why: ["commands take precedence, so the alias would never be used"],
            tries: [.init("tacit config set alias.\(name.prefix(1)) ...", "use another name")])
    }

    static func settingWithControlCharacters(_ setting: String) -> Failure {
        Failure("usage.value", .usage, "the value of \(setting) contains control characters")
    }

    static func settingTooLong(_ setting: String) -> Failure {
        Failure(
            "usage.value", .usage, "the value of \(setting) is too long",
            why: ["a configuration file can have \(SettingsText.limit) bytes"])
    }
}

extension Reason {
    /// Something that cannot be undone, without a yes.
    static func unconfirmed(why: [String] = [], tries: [Failure.Attempt]) -> Reason {
        Reason("usage.unconfirmed", .usage, "not confirmed", why: why, tries: tries)
    }

    /// A command about requests that names none.
    static func noRequest(_ verb: StaticString) -> Reason {
        Reason(
            "usage.missing", .usage, "no request given",
            tries: [
                .init("tacit list requests", "list pending requests"), .init("tacit \(verb) NAME", "choose a request"),
            ])
    }

    static let createPasswordAndFile = Reason(
        "usage.conflict", .usage, "--create-password and --password-file cannot be combined")

    static func unreadableInput(_ error: SystemError) -> Reason {
        Reason("input.unreadable", .noInput, "cannot read standard input", why: [error.reason])
    }
}

// MARK: - Configuration

extension Reason {
    /// What `config check` found, by the first of it.
    static func mistakes(_ count: Int, first mistake: SettingsMistake) -> Reason {
        Reason(
            Slug(mistake.slug) ?? "config.file", .config,
            count == 1 ? "the configuration has an error" : "the configuration has errors",
            why: ["first error: \(mistake.place)"], tries: [.init("tacit config edit", "correct the file")])
    }

    static let editorWithoutTerminal = Reason(
        "config.terminal", .unavailable, "the editor needs a terminal",
        tries: [.init("tacit config set KEY VALUE", "change a setting from a script")])

    static func editorFailed(_ ending: Subprocess.Ending) -> Reason {
        Reason(
            "config.editor", .system, "the editor failed", why: ["it ended with \(ending.words)"],
            tries: [.init("VISUAL=nano tacit config edit", "use another editor")])
    }

    static let configurationBusy = Reason(
        "config.busy", .later, "another process is changing the configuration")

    static func configurationNotLocked(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot lock the folder of the file", at: path, "config.write", .noOutput)
    }

    static func configurationFolder(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot create its folder", at: path, "config.write", .noOutput)
    }

    static func configurationNotWritten(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot write the file", at: path, "config.write", .noOutput)
    }

    /// A setting or variable about the network, and what it can be.
    static func invalidNetworkSetting(_ name: String, _ facts: [String]) -> Reason {
        Reason("config.network", .config, "invalid value of \(name)", why: facts)
    }

    static let invalidKeyDescriptor = Reason(
        "config.key-fd", .config, "invalid value of TACIT_KEY_FD",
        why: ["expected the number of an open file descriptor"])

    static let noHomeForUnits = Reason(
        "config.home", .config, "cannot locate the folder of user units: HOME is not set")

    static func logFile(_ error: SystemError, at path: String) -> Reason {
        Reason(
            "log.file", .inputOutput, "cannot write the log",
            why: ["\(UntrustedText(path).quoted): \(error.reason)"])
    }
}

// MARK: - Names and targets

extension Reason {
    /// Moderators delete messages of others.
    static func moderatesOwn(_ id: ChatItemID) -> Reason {
        let id = ObjectID.text(id)
        return Reason(
            "message.own", .unavailable, "\(id) was sent by you",
            tries: [.init("tacit message delete \(id) --everywhere", "delete the message for all members")])
    }

    /// There is nothing that `last` could mean.
    static func noLastMessage(_ direction: ChatItem.Direction?) -> Reason {
        let kind =
            switch direction {
            case .sent: "sent message"
            case .received: "received message"
            case nil: "message"
            }
        return Reason(
            "message.no-last", .noTarget, "no \(kind) was found",
            tries: [.init("tacit list messages", "show the newest messages and their ids")])
    }

    /// A name that several have.
    ///
    /// - Parameter ids: Their ids, of which one has to be typed.
    static func ambiguousName(_ word: String, ids: [String]) -> Reason {
        Reason(
            "target.ambiguous", .noTarget, "\(ids.count) have the name \(UntrustedText(word).quoted)",
            tries: ids.prefix(3).map { .init(words: ["id:\($0)"], "use an id") },
            details: ["ids": .array(ids.map { .string($0) })])
    }

    /// - Parameters:
    ///   - again: A member with the same profile name that is there, as it is typed.
    ///   - group: Its group, as it is typed.
    static func memberIsGone(_ status: GroupMember.Status, again: String?, group: String) -> Reason {
        let text =
            switch status {
            case .left: "the member left the group"
            case .removed: "the member was removed from the group"
            case .rejected: "the member was rejected"
            default: "the member is not in the group"
            }
        return Reason(
            "member.gone", .unavailable, text,
            tries: again.map { [.init(words: [$0], "a member with the same profile name")] }
                ?? [.init(words: ["tacit", "group", "members", group], "show the list")])
    }

    static func unknownContact(_ name: String, known: [String]) -> Reason {
        let closest = Suggestion.closest(to: name, among: known)
        return Reason(
            "contact.unknown", .noTarget, "unknown contact \(UntrustedText(name).quoted)",
            tries: closest.map { .init(words: ["@\($0)"], "did you mean this?") }
                + [.init("tacit list contacts", "show the list")])
    }

    static func unknownProfile(_ name: String, known: [String], _ command: Command) -> Reason {
        let closest = Suggestion.closest(to: name, among: known)
        let words = command.path.first == "profile" ? ["tacit"] + command.path : ["--profile"]
        return Reason(
            "profile.unknown", .noTarget, "unknown profile \(UntrustedText(name).quoted)",
            tries: closest.map { .init(words: words + [$0], "did you mean this?") }
                + [.init("tacit profile list", "show the list")])
    }

    static func unknownRequest(_ word: String, known: [String]) -> Reason {
        Reason(
            "request.unknown", .noTarget, "unknown request \(UntrustedText(word).quoted)",
            tries: Suggestion.closest(to: word, among: known).map { .init(words: [$0], "did you mean this?") }
                + [.init("tacit list requests", "show the list")])
    }

    /// A member invites again to a chat that works.
    static func connectedMember(_ contact: String) -> Reason {
        Reason(
            "request.connected", .unavailable, "\(UntrustedText(contact).quoted) is connected already",
            why: ["the invitation of a connected contact can be accepted or left alone"],
            tries: [.init(words: ["tacit", "contact", "delete", contact], "delete the contact and its invitation")])
    }

    /// A member invites to a direct chat, which the user has not accepted.
    static func unacceptedMember(_ contact: String) -> Reason {
        Reason(
            "contact.unaccepted", .unavailable, "you have not accepted the invitation to this chat",
            tries: [.init(words: ["tacit", "accept", contact], "accept it")])
    }

    static func unknownInvitation(_ word: String, known: [String]) -> Reason {
        Reason(
            "invitation.unknown", .noTarget, "unknown invitation \(UntrustedText(word).quoted)",
            tries: Suggestion.closest(to: word, among: known).map { .init(words: [$0], "did you mean this?") }
                + [.init("tacit invitation list", "show the list")])
    }

    static func unknownCursor(_ name: String, known: [String]) -> Reason {
        Reason(
            "cursor.unknown", .noTarget, "unknown cursor \(UntrustedText(name).quoted)",
            tries: Suggestion.closest(to: name, among: known).map { .init(words: [$0], "did you mean this?") }
                + [.init("tacit cursor list", "show the list")])
    }

    /// - Parameter word: The word that names it, or its place if the word holds a password.
    static func unknownServer(_ word: String, known: [String]) -> Reason {
        Reason(
            "server.unknown", .noTarget, "the profile has no relay \(UntrustedText(word).quoted)",
            tries: Suggestion.closest(to: word, among: known).map { .init(words: [$0], "did you mean this?") }
                + [.init("tacit server list", "show the list")])
    }

    static func ambiguousServer(_ word: String, _ found: [ListedServer]) -> Reason {
        Reason(
            "server.ambiguous", .noTarget, "several relays match \(UntrustedText(word).quoted)",
            tries: found.prefix(3).map { server in
                .init(words: [server.word ?? server.address], server.place)
            })
    }

    static func unknownMessage(_ word: String) -> Reason {
        Reason("message.unknown", .noTarget, "unknown message \(UntrustedText(word).quoted)")
    }

    /// What `open` is given.
    static let unknownTarget = Reason(
        "target.unknown", .noTarget, "not a link and not a known name or id")

    static let notesAreNoContact = Reason(
        "target.notes", .noTarget, "notes are not a contact",
        tries: [.init("tacit contact list", "list contacts")])

    /// A group where only a contact can be meant.
    static func isGroup(_ target: String) -> Reason {
        Reason(
            "target.group", .noTarget, "\(UntrustedText(target).quoted) is a group",
            tries: [.init(words: [target], "the group"), .init("tacit list contacts", "list contacts")])
    }

    /// A contact or the notes where only a group can be meant.
    static func isNoGroup(_ target: String) -> Reason {
        Reason(
            "target.contact", .noTarget, "\(UntrustedText(target).quoted) is not a group",
            tries: [.init("tacit group list", "list groups")])
    }

    /// A member where only a chat can be meant.
    static func memberIsNoContact(_ member: String) -> Reason {
        Reason(
            "target.member", .noTarget, "\(UntrustedText(member).quoted) is a member of a group and not a contact",
            tries: [.init(words: ["tacit", "group", "contact", member], "start a chat with the member")])
    }

    static func unknownGroup(_ name: String, known: [String]) -> Reason {
        Reason(
            "group.unknown", .noTarget, "unknown group \(UntrustedText(name).quoted)",
            tries: Suggestion.closest(to: name, among: known).map { .init(words: ["+\($0)"], "did you mean this?") }
                + [.init("tacit group list", "show the list")])
    }

    static func unknownMember(_ name: String, of group: String, known: [String]) -> Reason {
        Reason(
            "member.unknown", .noTarget,
            "\(UntrustedText(group).quoted) has no member \(UntrustedText(name).quoted)",
            tries: Suggestion.closest(to: name, among: known).map {
                .init(words: ["\(group)/@\($0)"], "did you mean this?")
            } + [.init(words: ["tacit", "group", "members", group], "show the list")])
    }

    static func unknownMemberID(_ id: GroupMemberID) -> Reason {
        Reason(
            "member.unknown", .noTarget, "unknown member \(ObjectID.text(id))",
            tries: [.init("tacit group list", "list groups")])
    }

    static func notInvited(_ group: String, state: GroupState) -> Reason {
        Reason(
            "group.not-invited", .unavailable, "there is no invitation to \(UntrustedText(group).quoted)",
            why: ["the state of the group is \(state.rawValue)"],
            tries: [.init(words: ["tacit", "group", "show", group], "show the group")])
    }

    static func notWaiting(_ member: String) -> Reason {
        Reason(
            "member.not-waiting", .unavailable, "\(UntrustedText(member).quoted) does not wait for a moderator",
            tries: [.init(words: ["tacit", "group", "remove", member], "remove the member")])
    }

    static let joinUnanswered = Reason(
        "group.joining", .later, "the inviting member has not answered yet",
        tries: [.init("tacit fetch", "continue")])

    static func noGroupLink(_ group: String) -> Reason {
        Reason(
            "group.no-link", .noTarget, "\(UntrustedText(group).quoted) has no link",
            tries: [.init(words: ["tacit", "group", "link", group, "--create"], "create one")])
    }

    static let channelWithoutRelays = Reason(
        "channel.no-relays", .later, "the channel has no chat relay yet",
        why: ["its owner has not finished it, or all its chat relays have left"])

    static let invalidChatRelayAddress = Reason(
        "channel.relay-address", .data, "this is not the address of a chat relay", why: ["expected https://HOST/r#KEY"])

    static func testOfChatRelay(_ address: String) -> Reason {
        Reason(
            "channel.relay-test", .usage, "this is a chat relay",
            tries: [.init(words: ["tacit", "channel", "test", address], "test it")])
    }

    static let noChatRelay = Reason(
        "channel.no-relay", .config, "the profile has no chat relay",
        why: ["a channel needs a chat relay, which passes messages on"],
        tries: [
            .init("tacit channel create NAME --relay 'https://HOST/r#KEY'", "create it on a chat relay that you trust")
        ])

    static func relayUnanswered(_ channel: String) -> Reason {
        Reason(
            "channel.relay-unanswered", .later, "no chat relay has answered yet",
            why: ["only a chat relay lets subscribers in"],
            tries: [
                .init("tacit fetch", "continue"),
                .init(words: ["tacit", "channel", "relays", channel], "show the chat relays"),
            ])
    }

    static func relayRejected(_ channel: String) -> Reason {
        Reason(
            "channel.relay-rejected", .unavailable, "the chat relay does not serve the channel",
            tries: [
                .init(words: ["tacit", "channel", "relays", channel, "--add", "ADDRESS"], "add another chat relay")
            ])
    }

    static let linkOfGroup = Reason(
        "group.link", .usage, "this is a link", tries: [.init("tacit connect 'LINK'", "join with a link")])

    static let groupHasNoCode = Reason(
        "group.no-code", .trust, "a group has no security code to verify",
        why: ["each pair of members has a separate connection"])

    static let membersOfSeveralGroups = Reason(
        "member.groups", .usage, "the members belong to different groups",
        tries: [.init("tacit group -h", "show the usage")])

    static let fileLink = Reason(
        "link.invalid", .data, "the link leads to a file",
        tries: [.init("tacit file get 'LINK'", "download the file")])

    static let channelRelayLink = Reason(
        "link.relay", .unavailable, "the link leads to a relay of channels",
        tries: [.init("tacit channel create NAME --relay 'LINK'", "create a channel on the relay")])

    static func invalidDomain(_ text: String) -> Reason {
        Reason(
            "domain.invalid", .usage, "invalid registered name \(UntrustedText(text).quoted)",
            why: ["a name has labels of letters, digits and single hyphens, such as alice.simplex"])
    }

    static let invalidServerAddress = Reason(
        "server.address", .data, "invalid relay address",
        why: ["expected smp://FINGERPRINT@HOST or smp://FINGERPRINT:PASSWORD@HOST:PORT"])
}

// MARK: - The store

extension Reason {
    /// A mistake of this program.
    static let bug = Reason(
        "program.bug", .bug, "internal error",
        tries: [.init("tacit version --json", "include this in a bug report")])

    static func noStore(_ folder: StoreFolder) -> Reason {
        Reason(
            "store.missing", .config, "the store does not exist", why: ["there are no store files in \(folder.path)"],
            tries: [
                .init("tacit init --name NAME --server smp://...", "create a store"),
                .init("TACIT_DIR=/some/folder tacit ...", "use a store in another folder"),
            ])
    }

    /// `init` without `--if-missing`.
    static func storeExists(in folder: StoreFolder) -> Reason {
        Reason(
            "store.exists", .noOutput, "it exists already", why: ["it is in \(folder.path)"],
            tries: [.init("tacit status", "show the existing store"), .init("tacit init --if-missing")])
    }

    /// `init --if-missing` with other options than those of the store.
    static func storeDiffers(_ difference: String, _ attempt: Failure.Attempt) -> Reason {
        Reason(
            "store.differs", .config, "the existing store differs from the options", why: [difference],
            tries: [attempt, .init("tacit status", "show the existing store")])
    }

    /// The folder of a new store.
    static func storeFolder(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot create its folder", at: path, "store.folder", .noOutput)
    }

    /// The folder into which an archive is imported.
    static func importFolder(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot create the store folder", at: path, "store.folder", .noOutput)
    }

    static func noLocks(_ folder: StoreFolder) -> Reason {
        Reason(
            "store.locks", .system, "the file system of the store has no reliable locks",
            why: ["without locks, concurrent writes would corrupt conversations"],
            tries: [.init("TACIT_DIR=/some/folder tacit ...", "use a folder on a local disk")])
    }

    static let storeGone = Reason(
        "store.gone", .inputOutput, "the files of the store were removed or replaced while open",
        why: ["changes since then may be lost"],
        tries: [.init("tacit status", "show the current store")])

    /// What `db check` found.
    static func damage(count: Int) -> Reason {
        Reason(
            "store.damaged", .inputOutput, "the store is damaged",
            why: ["\(count) " + (count == 1 ? "problem was" : "problems were") + " found"],
            tries: [
                .init("tacit db info", "show the files; copy them before any repair"),
                .init("tacit db compact", "repair the SQLite structure, after copying the files"),
            ])
    }

    static let alreadyEncrypted = Reason(
        "store.encrypted", .data, "the store is encrypted already",
        tries: [.init("tacit db rekey", "change the key")])

    static let notEncrypted = Reason(
        "store.plain", .data, "the store is not encrypted", tries: [.init("tacit db encrypt", "encrypt the store")])

    static func backupFolder(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "the backup needs a new or empty folder", at: path, "backup.folder", .noOutput)
    }

    // MARK: The process that has the store open

    /// A command that needs the store for itself, where it is open for several.
    static let sharedStore = Reason(
        "store.shared", .later, "other processes use the store while it is open here",
        tries: [.init("tacit daemon stop", "then repeat the command")])

    /// The same, where the session is what uses it.
    static let usedBySession = Reason(
        "store.shared", .later, "the session uses the store",
        tries: [.init("quit", "then run the command in the shell")])

    static let stepRefused = Reason(
        "store.step", .later, "the process that has the store open did not save the position",
        why: ["the same messages will be printed again"])

    static let stuckHolder = Reason(
        "store.holder-silent", .later, "the process that has the store open does not respond",
        why: ["sent messages may already be in the outbox"],
        tries: [.init("tacit status", "show the process"), .init("tacit list outbox", "list queued messages")])

    static let lostHolder = Reason(
        "store.holder-ended", .later, "the process that had the store open has ended",
        why: ["sent messages may already be in the outbox"],
        tries: [.init("tacit list outbox", "list queued messages")])

    /// The same for a session, which takes its place.
    static let replacedHolder = Reason(
        "store.holder-ended", .later, "the process that had the store open has ended",
        why: ["the session is taking over"])

    static let otherVersion = Reason(
        "store.holder-version", .later, "the process that has the store open has another version",
        tries: [.init("tacit daemon stop", "then start it again")])

    /// A variable asks for another way through the network than that of the process that is connected.
    static func otherRoute(_ variable: String) -> Reason {
        Reason(
            "relay.route", .later, "the process that has the store open uses other network settings",
            why: ["\(variable) cannot change them"],
            tries: [.init("tacit daemon stop", "then repeat the command")])
    }

    /// `--offline` beside a process that is connected.
    static let holderIsOnline = Reason(
        "relay.online", .later, "the process that has the store open is online",
        why: ["--offline cannot stop that process from sending"],
        tries: [.init("tacit daemon stop", "then repeat the command")])

    static let noDaemon = Reason(
        "daemon.none", .no, "no daemon is running for this store",
        tries: [.init("tacit daemon run &", "start a daemon")])

    static func noDaemon(but command: String) -> Reason {
        Reason(
            "daemon.other", .unavailable, "the process that has the store open is not a daemon",
            why: ["it is tacit \(command)"])
    }

    static let noControlSocket = Reason(
        "daemon.socket", .system, "cannot create the control socket",
        why: ["its folders belong to another user, or another program listens there"],
        tries: [.init("XDG_RUNTIME_DIR=/some/folder tacit daemon run", "use your own folder")])
}

// MARK: - The official API over WebSocket

extension Failure {
    static let apiWithoutText = Failure(
        "usage.argument", .usage, "'tacit api' needs a command text or '--websocket'",
        tries: [.init("tacit api /users", "run one command"), .init("tacit api --websocket 5225", "serve clients")])

    static let apiOptionWithoutWebSocket = Failure(
        "usage.conflict", .usage,
        "'--allow-remote', '--token-file', '--new-token' and '--allow-origin' need '--websocket'")

    static let apiRemote = Failure(
        "usage.conflict", .usage, "'--websocket' with an address that is not of this machine needs '--allow-remote'",
        why: ["clients control the whole store"])

    /// An option of the official program that is refused.
    static func officialOption(_ option: String, _ reason: String) -> Failure {
        Failure(
            "usage.option", .usage, "'\(OfficialStart.programName)' does not support '\(option)'", why: [reason],
            tries: [.init("tacit help bots", "list the supported options")])
    }

    static let officialBotWithoutName = Failure(
        "usage.conflict", .usage, "'--create-bot-allow-files' needs '--create-bot-display-name'")

    static let officialWithoutTerminal = Failure(
        "usage.argument", .usage, "'\(OfficialStart.programName)' needs '-p' or '-e' if there is no terminal",
        tries: [
            .init("\(OfficialStart.programName) -p 5225", "serve bots"),
            .init("\(OfficialStart.programName) -e '/users'", "run one command"),
        ])

    static let apiRemoteWithoutToken = Failure(
        "usage.conflict", .usage, "'--allow-remote' needs '--token-file' or '--new-token'",
        why: ["clients control the whole store"])
}

extension Reason {
    /// A port that cannot be listened at.
    static func apiListener(_ error: ListenFailure, at address: ListenAddress) -> Reason {
        let why = error.error?.reason ?? "the host has no address"
        return Reason(
            "api.listen", .unavailable, "cannot listen for clients",
            why: ["\(UntrustedText(address.description).quoted): \(why)"])
    }

    /// A database of the official program where a new store would be created.
    static func officialDatabase(_ path: String) -> Reason {
        Reason(
            "store.official", .config, "there is a database of SimpleX Chat, which tacit cannot open",
            why: ["it is \(UntrustedText(path).quoted); a new store would be another person"],
            tries: [.init("tacit help import", "move the profiles with an archive of the official program")])
    }

    /// A new store without a name for its profile.
    static let officialNameMissing = Reason(
        "profile.missing", .config, "there is no profile, and no display name on standard input",
        tries: [.init("\(OfficialStart.programName) --create-bot-display-name NAME ...", "create the profile of a bot")]
    )

    static let officialMaintenanceWithoutProfile = Reason(
        "profile.missing", .config, "there is no profile, and '--maintenance' creates none")

    static func apiTokenFile(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot read the token", at: path, "api.token-file", .noInput)
    }

    static func apiNewToken(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot write the token", at: path, "api.new-token", .noOutput)
    }

    static let apiToken = Reason(
        "api.token", .config, "the token is too short",
        why: ["the first line of the file needs at least 16 characters without spaces"],
        tries: [.init("openssl rand -hex 32 > FILE", "make a token")])
}

// MARK: - Keys, passcodes and passwords

extension Reason {
    static let keyMissing = Reason(
        "key.missing", .denied, "the store is encrypted and no key was given",
        why: ["there is no terminal to prompt at"],
        tries: [
            .init("TACIT_KEY_FILE=/path/to/key tacit ...", "use a key file"),
            .init("tacit unlock --for 1h", "cache the key for other commands, from a terminal"),
            .init("tacit help keys", "show all key sources"),
        ])

    /// A question for a key that was left without an answer.
    static let keyNotTyped = Reason("key.missing", .denied, "no key was typed")

    static func newKeyMissing(_ command: Command) -> Reason {
        Reason(
            "key.missing", .denied, "no new key was given", why: ["there is no terminal to prompt at"],
            tries: [.init(words: ["tacit"] + command.path + ["--new-key-file", "FILE"])])
    }

    /// - Parameter line: The command that reads it from a file.
    static func archivePassphraseMissing(_ line: [String]) -> Reason {
        Reason(
            "key.missing", .denied, "no passphrase was given", why: ["there is no terminal to prompt at"],
            tries: [.init(words: line)])
    }

    /// A passphrase that people cannot type in the official apps.
    static let passphraseNotForApps = Reason(
        "key.characters", .usage, "the SimpleX Chat apps do not accept this passphrase",
        why: ["it must contain only printable ASCII characters, without spaces"])

    /// An archive with a passphrase of its own, and none to open it.
    ///
    /// - Parameter line: The command that opens it, with the options that follow its words and with its arguments.
    static func archiveNeedsPassphrase(_ line: ArchiveKey.Line) -> Reason {
        Reason(
            "key.missing", .denied, "the archive has a passphrase and none was given",
            why: ["there is no terminal to prompt at"],
            tries: [.init(words: line.words("--passphrase-file", "FILE")), importWithKey(line)])
    }

    static func officialArchiveNeedsPassphrase(_ line: ArchiveKey.Line) -> Reason {
        Reason(
            "key.missing", .denied, "the archive is encrypted and no passphrase was given",
            why: [
                "it is an archive of an official app, or its databases are damaged",
                "there is no terminal to prompt at",
            ],
            tries: [.init(words: line.words("--passphrase-file", "FILE"), "use the passphrase of the app")])
    }

    /// - Parameter place: Where the own key file stands, or would.
    static func archiveNeedsKey(_ line: ArchiveKey.Line, place: String) -> Reason {
        Reason(
            "key.missing", .denied, "the archive is encrypted and no key was given",
            why: ["the key of the exported store is not in the archive"],
            tries: [importWithKey(line), .init(words: ["cp", "KEY", place], "put the key where tacit finds it")])
    }

    private static func importWithKey(_ line: ArchiveKey.Line) -> Failure.Attempt {
        .init(words: line.words("--key-file", "KEY"), "use the key of the exported store")
    }

    static func wrongKey(from place: String, besides other: String? = nil) -> Reason {
        let another = other.map { "another key file is \(UntrustedText($0).quoted)" }
        return Reason(
            "key.wrong", .denied, "the key does not open the store",
            why: ["it came from \(place)"] + [another].compactMap(\.self),
            tries: [other.map { .init(words: ["tacit", "status", "--key-file", $0], "try the other key file") }]
                .compactMap(\.self)
                + [.init("tacit help keys", "show all key sources")])
    }

    static func wrongPassphrase(from place: String) -> Reason {
        Reason("key.wrong", .denied, "the passphrase does not open the archive", why: ["it came from \(place)"])
    }

    static let noArchivePassphrase = Reason(
        "archive.no-passphrase", .data, "the archive has no separate passphrase",
        why: ["it was made without 'tacit export --passphrase': only the key of the exported store opens it"],
        tries: [.init("tacit import --key-file KEY FILE", "use the key of the exported store")])

    static let emptyPassphrase = Reason("key.empty", .denied, "the passphrase is empty")

    static func emptyKey(from place: String) -> Reason {
        Reason("key.empty", .denied, "the key is empty", why: ["it came from \(place)"])
    }

    static let passphrasesDiffer = Reason("key.typing", .denied, "the two passphrases differ")

    static let answerTooLong = Reason("key.typing", .denied, "the answer is too long for a terminal")

    static let unanswered = Reason("prompt.timeout", .later, "the prompt was not answered in time")

    static func weakKey(_ path: String) -> Reason {
        Reason(
            "key.weak", .denied, "the file at the default key path is not a random key",
            why: ["path: \(UntrustedText(path).quoted)"],
            tries: [.init(words: ["tacit", "init", "--key-file", path], "use its contents as a passphrase")])
    }

    static func keyExists(_ path: String) -> Reason {
        Reason("key.exists", .noOutput, "the key file exists already", why: ["path: \(path)"])
    }

    static func keyNotWritten(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot write the key", at: path, "key.create", .noOutput)
    }

    static func irregularKeyFile(_ path: String) -> Reason {
        Reason(
            "key.file", .noInput, "the key file is not a regular file", why: ["path: \(UntrustedText(path).quoted)"],
            tries: [
                .init("tacit --key-fd 0 ...", "read the key from standard input"),
                .init("tacit --key-command COMMAND ...", "read the key from a program"),
            ])
    }

    static func unreadableKeyFile(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot read the key file", at: path, "key.file", .noInput)
    }

    static func openKeyFile(_ path: String) -> Reason {
        Reason(
            "key.open", .denied, "other users can read the key file", why: ["path: \(path)"],
            tries: [.init(words: ["chmod", "600", path])])
    }

    static func unreadableKeyDescriptor(_ number: Int32, _ error: SystemError) -> Reason {
        Reason("key.descriptor", .noInput, "cannot read the key", why: ["descriptor \(number): \(error.reason)"])
    }

    static func keyCommandLate(_ timeout: Duration) -> Reason {
        Reason(
            "key.command", .denied, "the key command failed",
            why: ["no result within \(Int(timeout / .seconds(1))) s"])
    }

    static let keyCommandTooLong = Reason(
        "key.command", .denied, "the output of the key command is too long for a key",
        why: ["a key has at most \(GivenKey.limit) bytes"])

    /// - Parameter words: What it said.
    static func keyCommandFailed(_ ending: Subprocess.Ending, _ words: UntrustedText?) -> Reason {
        Reason(
            "key.command", .denied, "the key command failed",
            why: ["it ended with \(ending.words)"] + (words.map { ["message: \($0.quoted)"] } ?? []))
    }

    static func noKeyring(_ error: SystemError) -> Reason {
        Reason(
            "key.keyring", .system, "cannot use the kernel keyring", why: [error.reason],
            tries: [.init("TACIT_KEY_FILE=/path/to/key tacit ...", "give the key to each command")])
    }

    // MARK: The passcode of sessions

    static let passcodeNotSet = Reason(
        "passcode.none", .noTarget, "no passcode is set", tries: [.init("tacit passcode set", "set a passcode")])

    static let passcodeExists = Reason(
        "passcode.exists", .noOutput, "it exists already",
        tries: [.init("tacit passcode change", "change the existing passcode")])

    static let passcodeWrong = Reason("passcode.wrong", .denied, "wrong passcode")

    /// - Parameter wait: The time until the next try, in milliseconds.
    static func passcodeWait(_ wait: Int64) -> Reason {
        Reason(
            "passcode.wait", .later, "too many wrong passcodes",
            why: ["try again in \((wait + 999) / 1000) s"])
    }

    static let sameAsSelfDestruct = Reason(
        "passcode.same", .denied, "the passcode and the self-destruct passcode are equal")

    static let passcodeNotTyped = Reason(
        "passcode.missing", .denied, "no passcode was given", why: ["the prompt was left empty"])

    static func passcodeMissing(_ command: Command) -> Reason {
        Reason(
            "passcode.missing", .denied, "no passcode was given",
            why: ["there is no terminal to prompt at"],
            tries: [.init(words: ["tacit"] + command.path + ["--passcode-fd", "FD"])])
    }

    static let emptyPasscode = Reason("passcode.size", .denied, "the passcode is empty")

    static func longPasscode(limit: Int) -> Reason {
        Reason("passcode.size", .denied, "the passcode is too long", why: ["the limit is \(limit) bytes"])
    }

    static func shortPasscode(least: Int) -> Reason {
        Reason(
            "passcode.size", .denied, "the passcode is too short", why: ["the minimum is \(least) digits or letters"])
    }

    static let passcodesDiffer = Reason("passcode.typing", .denied, "the two passcodes differ")

    static let passcodeDescriptorInSession = Reason(
        "passcode.descriptor", .noInput, "cannot read the passcode",
        why: ["a session cannot read file descriptors; it prompts instead"])

    static func unreadablePasscode(_ descriptor: Int32, _ error: SystemError) -> Reason {
        Reason(
            "passcode.descriptor", .noInput, "cannot read the passcode",
            why: ["descriptor \(descriptor): \(error.reason)"])
    }

    // MARK: The password of a hidden profile

    static func unreadablePassword(_ descriptor: Int, _ error: SystemError) -> Reason {
        Reason(
            "password.descriptor", .noInput, "cannot read the password of the profile",
            why: ["descriptor \(descriptor): \(error.reason)"])
    }

    static func passwordMissing(_ command: String) -> Reason {
        Reason(
            "password.missing", .denied, "no password was given",
            why: ["there is no terminal to prompt at"],
            tries: [.init("tacit \(command) NAME --profile-password-fd 3 3< FILE")])
    }

    static let passwordNotTyped = Reason(
        "password.missing", .denied, "no password was given", why: ["the prompt was left empty"])

    static let passwordsDiffer = Reason("password.typing", .denied, "the two passwords differ")

    static let emptyPassword = Reason("password.empty", .denied, "the password is empty or not valid UTF-8")
}

// MARK: - Connections and contacts

extension Reason {
    /// A handshake that is not as far as it should be; without an obstacle, time was short.
    ///
    /// - Parameter other: Who has to answer.
    static func unfinished(
        _ obstacle: RelayProblem?, _ stage: ConnectionStage, _ other: String = "the contact"
    ) -> Reason {
        var reason =
            obstacle.map { Reason($0) }
            ?? Reason(
                "connection.waiting", .later,
                stage == .joined ? "the relay has not answered in time" : "\(other) has not answered in time")
        reason.why.append("the request is stored; the next fetch continues it")
        reason.tries.append(.init("tacit fetch", "continue"))
        return reason
    }

    /// - Parameters:
    ///   - length: The digits that a code has.
    ///   - seen: Shows the code.
    static func noSecurityCode(length: Int, _ seen: Failure.Attempt) -> Reason {
        Reason("contact.code-form", .data, "not a security code", why: ["a code has \(length) digits"], tries: [seen])
    }

    static func otherSecurityCode(length: Int, given: Int, _ seen: Failure.Attempt) -> Reason {
        Reason(
            "contact.code", .trust, "the security codes differ",
            why: [
                given == length
                    ? "a digit may be wrong, or an attacker may be between you and the contact"
                    : "the code has \(length) digits, the given one \(given)"
            ],
            tries: [seen])
    }

    /// `send --require-verified` to a contact whose code was never compared.
    static func unverified(_ attempt: Failure.Attempt) -> Reason {
        Reason(
            "contact.unverified", .trust, "its security code is not verified",
            why: ["'--require-verified' requires a verified code"], tries: [attempt])
    }

    /// The same while the encryption is renewed.
    static let codeChanging = Reason(
        "contact.code-changing", .trust, "its security code is about to change",
        why: ["the encryption is being renegotiated, and the message would use the new keys"],
        tries: [.init("tacit fetch", "then verify the code")])

    static func codeChanged(at time: String?, _ attempt: Failure.Attempt) -> Reason {
        Reason(
            "contact.code-changed", .trust, "its security code has changed",
            why: ["an attacker may be between you and the contact" + (time.map { "; it changed at \($0)" } ?? "")],
            tries: [attempt])
    }

    static let invalidStreams = Reason(
        "call.session", .data, "invalid session description",
        why: ["expected a JSON object with the texts rtcSession and rtcIceCandidates"])
}

// MARK: - Sending

extension Reason {
    /// - Parameter usage: The command and its arguments before the text.
    static func noText(_ usage: String) -> Reason {
        Reason(
            "message.empty", .usage, "no text given",
            tries: textAttempts(usage) + [.init("tacit \(usage) -- --json", "send a text that looks like an option")])
    }

    static let emptyInput = Reason(
        "file.empty", .usage, "standard input is empty",
        tries: [.init("some-program | tacit send @alice --attach -", "send the output of a program as a file")])

    static let acceptanceConfigured = Reason(
        "file.acceptance", .config, "tacit.conf says which files are accepted",
        tries: [
            .init("tacit config list --origin", "show the settings and their sources"),
            .init("tacit config unset file.accept", "use the setting of the store"),
        ])

    static func emptyText(_ usage: String) -> Reason {
        Reason("message.empty", .usage, "the text is empty", tries: textAttempts(usage))
    }

    private static func textAttempts(_ usage: String) -> [Failure.Attempt] {
        [
            .init("tacit \(usage) 'some words'"),
            .init("some-program | tacit \(usage) -", "read the text from standard input"),
        ]
    }

    static let textNotUTF8 = Reason("message.not-utf8", .data, "the text on standard input is not UTF-8")

    static func inputTooLarge(limit: Int) -> Reason {
        Reason(
            "message.too-large", .data, "the message is too large",
            why: ["standard input has more than \(limit) bytes"])
    }

    /// A message to a contact with whom the encryption has to be renegotiated.
    ///
    /// - Parameters:
    ///   - target: The contact, as a command names it.
    ///   - advice: The command that helps.
    static func outOfStep(_ target: String, advice: String?) -> Reason {
        Reason(
            "contact.out-of-step", .later, "the encryption with \(UntrustedText(target).quoted) is out of sync",
            why: ["messages stay in the outbox until the encryption is renegotiated"],
            tries: advice.map { [.init($0)] } ?? [], details: ["state": "queued"])
    }

    /// A received file that is no longer on this machine.
    static func deletedFile(_ path: String?) -> Reason {
        Reason(
            "file.deleted", .noInput, "the file is no longer on this machine",
            why: path.map { ["it was received as \(UntrustedText($0).quoted), and deleted or moved since"] } ?? [])
    }

    /// A message or an answer that is still in the outbox; without an obstacle, time was short.
    ///
    /// - Parameter consequence: What becomes of it.
    static func queued(_ obstacle: RelayProblem?, _ consequence: String) -> Reason {
        var reason =
            obstacle.map { Reason($0) }
            ?? Reason("message.queued", .later, "the relay has not accepted the message in time")
        reason.why.append(consequence)
        reason.tries.append(.init("tacit fetch", "try again"))
        reason.details.set("state", "queued")
        return reason
    }

    static func noPicture(_ path: String) -> Reason {
        Reason(
            "file.not-an-image", .data, "\(UntrustedText(path).quoted) is not a picture",
            why: ["pictures are JPEG, PNG, GIF or WebP files that are not damaged or too large"])
    }

    /// A message that is with the relay, without a receipt.
    static let unconfirmed = Reason(
        "message.unconfirmed", .later, "the contact has not confirmed the message in time",
        why: ["the relay has the message; the contact is offline or sends no receipts"],
        details: ["state": "sent"])

    /// The same in a group.
    static let unconfirmedByMembers = Reason(
        "message.unconfirmed", .later, "not all members of the group have confirmed the message in time",
        why: ["members may be offline, or send no receipts"],
        tries: [.init("tacit message show ID", "show the delivery state at each member")], details: ["state": "sent"])

    /// A message that will not be sent, by the status that says so.
    static func undeliverable(_ status: ChatItem.Status) -> Reason {
        switch status {
        case .sendReceived(isIntact: false):
            Reason("message.altered", .data, "the contact received an altered message")
        case .sendError(.quota):
            Reason("message.failed", .unavailable, "the contact has not fetched messages for too long")
        case .sendError(.expired): Reason("message.failed", .unavailable, "the relay was unreachable for too long")
        case .sendError(.blocked):
            Reason("message.failed", .unavailable, "the operator of the relay blocked the queue")
        case .sendErrorAuthorization: Reason("message.failed", .unavailable, "the contact's queue is deleted")
        default: Reason("message.failed", .unavailable, "the connection is lost")
        }
    }

    /// `message wait` for a message of somebody else.
    static let received = Reason(
        "message.received", .usage, "the message was received, not sent",
        tries: [.init("tacit list outbox", "list queued messages")])

    /// `outbox flush` that left something.
    static func stillQueued(_ count: Int) -> Reason {
        Reason(
            "outbox.waiting", .later, "messages are still queued",
            why: ["queued: \(count); a contact may have to answer first, or time ran out"],
            tries: [.init("tacit fetch", "send and receive")])
    }

    /// `fetch --require-sent` that left something.
    static func unsent(_ report: FetchReport) -> Reason {
        Reason(
            "outbox.waiting", .later,
            report.waiting > 0 ? "\(report.waiting) in the outbox" : "an operation is waiting for a relay",
            why: report.stuck.prefix(2).map { "\($0.server.place): \(Reason($0.problem).text)" },
            tries: [.init("tacit list outbox", "list queued messages")],
            details: ["waiting": .integer(Int64(report.waiting))])
    }
}

// MARK: - Receiving

extension Reason {
    static let fetchTimeout = Reason(
        "fetch.timeout", .later, "the time limit was reached", why: ["received messages are stored"],
        tries: [.init("tacit fetch --timeout 5m", "allow more time")])

    /// - Parameter process: The number of the other process, if it is known.
    static func cursorBusy(_ name: String, _ process: String) -> Reason {
        Reason(
            "cursor.busy", .later, "another command is running programs for the cursor \(UntrustedText(name).quoted)",
            why: process.isEmpty ? [] : ["pid \(process)"])
    }

    /// The program of `--exec` failed for a message, and is run again next time.
    static func programFailed(
        _ id: String, why: [String], commit: Failure.Attempt, details: JSONObject
    ) -> Reason {
        Reason(
            "exec.failed", .later, "the program failed for message \(id)", why: why, tries: [commit],
            details: details)
    }

    /// The same without retries left.
    static func programGaveUp(
        _ id: String, why: [String], commit: Failure.Attempt, details: JSONObject
    ) -> Reason {
        Reason(
            "exec.gave-up", .unavailable, "the program failed for message \(id)", why: why, tries: [commit],
            details: details)
    }
}

extension Failure {
    /// A message that the program of `--exec` failed for, and that was skipped.
    static func messageSkipped(
        _ id: String, failures: String, _ ending: Subprocess.Ending, show: Attempt, details: JSONObject
    ) -> Failure {
        Failure(
            "exec.skipped", .partial, "skipped message \(id): the program failed \(failures)",
            why: ["it ended with \(ending.words); the cursor is past the message"], tries: [show],
            details: details)
    }
}

// MARK: - Hooks and services

extension Reason {
    static func noHook(at path: String) -> Reason {
        Reason(
            "hook.missing", .noTarget, "the hook does not exist", why: ["there is no file \(path)"],
            tries: [.init("tacit help hooks", "show how to write a hook")])
    }

    static func ignoredHook(_ fault: HookFolder.Fault, at path: String) -> Reason {
        Reason(
            "hook.ignored", .denied, "the hook is ignored: \(fault.words)", why: ["path: \(path)"],
            tries: fault.remedies)
    }

    static let unknownProgramPath = Reason(
        "notify-mode.program", .system, "cannot find the path of this program")

    static let unusableServicePath = Reason(
        "notify-mode.path", .config, "a path or variable contains a character that service files cannot hold",
        why: ["for example a line break, an invisible character, or a space at the end of a path"])

    static func foreignUnit(_ name: String, at path: String) -> Reason {
        Reason(
            "notify-mode.foreign", .noOutput, "another \(name) exists already",
            why: ["\(path) was not written by notify-mode"],
            tries: [.init(words: ["mv", path, "\(path).mine"])])
    }

    static let noCrontab = Reason(
        "notify-mode.cron", .system, "the program crontab is not installed",
        tries: [.init("tacit notify-mode periodic --install systemd", "use a systemd timer")])

    /// `systemctl` or `crontab` did not end with 0.
    static func noUserManager(_ why: [String]) -> Reason {
        Reason(
            "notify-mode.no-manager", .unavailable, "the systemd service manager of the user does not answer", why: why,
            tries: [
                .init("loginctl enable-linger", "start it without a login, then log in again"),
                .init("tacit notify-mode periodic --install cron", "use cron instead"),
            ])
    }

    static func toolFailed(_ name: String, _ ending: Subprocess.Ending, _ why: [String]) -> Reason {
        Reason("notify-mode.tool", .system, "\(name) ended with \(ending.words)", why: why)
    }
}

// MARK: - Archives and exports

extension Reason {
    static let archiveIsFolder = Reason(
        "archive.folder", .noInput, "it is a folder", why: ["an archive is a file"])

    static func unreadableArchive(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot read the archive", at: path, "archive.unreadable", .noInput)
    }

    static func exportToSpecialFile(_ path: String) -> Reason {
        Reason(
            "file.special", .noOutput, "not a regular file", why: ["path: \(UntrustedText(path).quoted)"],
            tries: [.init("tacit export - > FILE", "write to any file that the shell opens")])
    }

    static let exportIntoStore = Reason("file.store", .noOutput, "the file is part of the store")

    static func exportExists(_ path: String) -> Reason {
        Reason(
            "file.exists", .noOutput, "the file exists already", why: ["path: \(UntrustedText(path).quoted)"],
            tries: [.init(words: ["tacit", "export", "--force", path], "replace the file")])
    }

    static func exportNotMade(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot create the file", at: path, "file.create", .noOutput)
    }
}

// MARK: - Migrations

extension Reason {
    /// What a store refuses while it is being moved.
    static func unfinishedMigration(_ record: MigrationRecord) -> Reason {
        var details: JSONObject = [:]
        details.set("stage", record.stage.rawValue)
        let what =
            switch record.stage.side {
            case .source: "the store is being moved to another machine"
            case .destination: "a store is being moved to this machine"
            }
        return Reason(
            "migration.unfinished", .unavailable, what, why: [record.stage.sentence],
            tries: record.stage.commands.map { Failure.Attempt($0.line, $0.note) }, details: details)
    }

    static let noMigration = Reason(
        "migration.none", .noTarget, "there is no unfinished migration",
        tries: [
            .init("tacit migrate to", "move the store to another machine"),
            .init("tacit migrate from LINK", "move a store to this machine"),
        ])

    /// A request that the stage of a migration does not allow.
    static func migrationStage(_ record: MigrationRecord) -> Reason {
        Reason(
            "migration.stage", .unavailable, "not possible at this step", why: [record.stage.sentence],
            tries: record.stage.commands.map { Failure.Attempt($0.line, $0.note) })
    }

    /// The state beside the store.
    static func unreadableMigration(_ path: String) -> Reason {
        Reason(
            "migration.unreadable", .inputOutput, "the state of the migration cannot be read",
            why: ["\(UntrustedText(path).quoted) is damaged, or from a newer version"],
            tries: [.init("tacit version", "install a newer version if possible")])
    }

    /// A transfer of an archive that is not complete.
    static func migrationDelayed(_ state: FileState) -> Reason {
        guard let problem = state.problem, state.hasEnded else {
            return Reason(
                "migration.transfer", .later, "the transfer is not complete",
                why: state.problem.map { [Reason($0).text] } ?? [],
                tries: [.init("tacit migrate resume", "continue the transfer")])
        }
        var reason = Reason(problem)
        reason.tries = [.init("tacit migrate resume", "try again"), .init("tacit migrate cancel")]
        return reason
    }

    /// The address of a web page, where a link of the network belongs.
    static func webPage(_ text: String) -> Reason {
        Reason(
            "link.page", .data, "the link leads to a web page, not to a contact or group",
            tries: [.init(words: ["xdg-open", text], "open the page in a browser")])
    }

    static let migrationLink = Reason(
        "migration.link", .data, "the link moves a store to another machine",
        tries: [.init("tacit migrate from LINK", "move the store to this machine")])

    static let migrationLinkUsed = Reason(
        "migration.link-used", .unavailable, "the link was used already, or has expired",
        why: ["file relays have the archive no longer"],
        tries: [
            .init("tacit migrate status", "on the other machine: show its state"),
            .init("tacit migrate resume", "on the other machine: make a new link after 48 hours"),
        ])

    static let migrationUnreported = Reason(
        "migration.unreported", .later, "the other machine has not reported in time",
        why: ["the link still works, and the store stays frozen"],
        tries: [
            .init("tacit migrate resume", "wait again"),
            .init("tacit migrate finish", "delete the store here, once it works on the other machine"),
        ])
}

// MARK: - The relay

extension Reason {
    static func relayNeedsHost(_ folder: String) -> Reason {
        Reason(
            "relay.host", .usage, "a host name or address is required",
            tries: [.init(words: ["tacit", "relay", "init", folder, "--host", "HOST"])])
    }

    static let invalidRelayQueue = Reason(
        "relay.queue", .usage, "it is neither a link nor an id in base64url",
        why: ["relays name queues, links and file chunks by their ids"])

    static let unknownRelayQueue = Reason(
        "relay.unknown-queue", .noTarget, "the relay has no such queue, link or file chunk",
        why: ["links of other relays and deleted queues are unknown here"])

    static let notBlockedQueue = Reason(
        "relay.not-blocked", .noTarget, "it is not blocked", why: ["relay.blocked lists the ids that are blocked"])

    static func unreadableRelayPassword(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot read the password", at: path, "relay.password-file", .noInput)
    }

    static func invalidRelayPassword(_ path: String) -> Reason {
        Reason(
            "relay.password-invalid", .data,
            "the file \(UntrustedText(path).quoted) does not begin with a valid password")
    }

    /// A relay without a port of its own has no address while it is stopped.
    static func relayStopped(_ folder: String) -> Reason {
        Reason(
            "relay.stopped", .unavailable, "its port is chosen at start", why: ["relay.conf has port 0"],
            tries: [.init(words: ["tacit", "relay", "start", folder])])
    }

    static func relayWithoutFiles(_ folder: String) -> Reason {
        Reason(
            "relay.no-files", .unavailable, "the relay serves no files", why: ["relay.conf has no 'xftp_port'"],
            tries: [.init(words: ["tacit", "relay", "address", folder])])
    }

    static func relayMetrics(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot write the metrics", at: path, "relay.metrics", .noOutput)
    }

    static func relayBackup(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot create the file", at: path, "relay.backup", .noOutput)
    }
}

// MARK: - The chat relay

extension Reason {
    static func channelRelayExists(_ folder: String) -> Reason {
        Reason(
            "channel-relay.exists", .noOutput, "the folder already contains a chat relay or a store",
            tries: [.init(words: ["tacit", "channel-relay", "start", folder], "start the chat relay")])
    }

    static func noChannelRelay(_ folder: String) -> Reason {
        Reason(
            "channel-relay.missing", .noInput, "the folder contains no chat relay",
            why: ["it has no channel-relay.conf"],
            tries: [.init(words: ["tacit", "channel-relay", "init", folder], "create a chat relay")])
    }

    static let noChannelRelayProfile = Reason(
        "channel-relay.profile", .config, "the store in the folder has no profile of a chat relay",
        why: ["'tacit channel-relay init' creates it"])

    static func channelRelayNeedsServer(_ folder: String) -> Reason {
        Reason(
            "channel-relay.no-server", .usage, "a message relay is required",
            why: ["a chat relay has its queues there, and the folder contains none"],
            tries: [
                .init(words: ["tacit", "channel-relay", "init", folder, "--server", "ADDRESS"], "use a message relay"),
                .init(words: ["tacit", "relay", "init", folder, "--host", "HOST"], "create one in the folder first"),
            ])
    }

    static func channelRelaySettings(_ reason: String) -> Reason {
        Reason("channel-relay.settings", .config, "channel-relay.conf is invalid", why: [reason])
    }
}

// MARK: - The demonstration

extension Reason {
    static func demoFolder(_ error: SystemError, at path: String) -> Reason {
        Reason(error, "cannot create its folder", at: path, "demo.folder", .noOutput)
    }

    static func demoCommandFailed(_ command: String) -> Reason {
        Reason("demo.failed", .unavailable, "'tacit \(command)' failed")
    }

    static let demoRelayFailed = Reason("demo.failed", .unavailable, "the relay did not start")

    static let demoMessageLost = Reason("demo.lost", .bug, "the message did not arrive")
}
