import AgentProtocol
import Archive
import ByteCoding
import ChatCore
import JSONCoding
import SMPProtocol
import SystemIO
import TerminalKit

// What the errors of the core say, with their slugs and exit codes: each case of its types stands here once.

// MARK: - Commands of the core

extension Reason {
    init(_ error: ChatError) {
        self =
            switch error {
            case .noActiveProfile:
                Reason(
                    "profile.none", .config, "there is no profile yet",
                    tries: [.init("tacit profile create NAME", "make one")])
            case .profileNotFound: Reason("profile.unknown", .noTarget, "there is no such profile")
            case .nameTaken(let name):
                Reason("name.taken", .noOutput, "the name \(UntrustedText(name).quoted) is taken")
            case .invalidName(let name, let suggestion):
                Reason(
                    "name.invalid", .usage, "\(UntrustedText(name).quoted) cannot be a name",
                    why: [
                        "a name has 1 to 50 characters, no mark at its start, no apostrophe, no two spaces together"
                    ],
                    tries: suggestion.map { [.init(words: [$0], "this would be one")] } ?? [])
            case .invalidProfile:
                Reason(
                    "profile.too-large", .data, "the profile is too large",
                    why: ["name, full name and text about oneself must fit into one message"])
            case .contactNotFound, .contactNotFoundByName:
                Reason(
                    "contact.unknown", .noTarget, "there is no such contact",
                    tries: [.init("tacit list contacts", "all that there are")])
            case .groupNotFound: Reason("target.unsupported", .noTarget, "there is no such group")
            case .notesNotFound: Reason("target.notes", .noTarget, "there are no such notes")
            case .notPossible(.switchQueue, let name):
                Reason(
                    "contact.busy", .unavailable,
                    "that is not possible now for \(UntrustedText("@\(name)").quoted)",
                    why: ["the queue is being moved already, or the encryption is out of step"])
            case .notPossible(.abortSwitch, let name):
                Reason(
                    "contact.busy", .unavailable,
                    "no move for \(UntrustedText("@\(name)").quoted) can be given up",
                    why: ["there is none, or the contact has answered already"])
            case .notPossible(.synchronize, let name):
                Reason(
                    "contact.in-step", .unavailable,
                    "the encryption with \(UntrustedText("@\(name)").quoted) seems to work",
                    tries: [.init("tacit contact resync --force @NAME", "renew it all the same")])
            case .itemNotFound(let id): Reason("message.unknown", .noTarget, "there is no message m\(id.number)")
            case .connectionNotFound: Reason("connection.unknown", .noTarget, "there is no such connection")
            case .invalidLink:
                Reason(
                    "link.invalid", .data, "this is no link, or not all of one",
                    why: ["a link begins with simplex:/ or https:// and must be quoted for the shell"],
                    tries: [.init("tacit connect 'LINK'")])
            case .unsupportedLink:
                Reason(
                    "link.unsupported", .unavailable, "links of this kind are not supported yet",
                    why: ["only people can be connected with, by their invitations and addresses"])
            case .ownLink:
                Reason(
                    "link.own", .data, "this is your own link",
                    why: ["it is for somebody else, or for another store"])
            case .joinedOpenly:
                Reason(
                    "link.joined-openly", .data, "this link is being used already, with your profile",
                    why: ["who made it may have been told your name, which cannot be taken back"])
            case .badLink: Reason.badLink
            case .noAddress:
                Reason(
                    "address.none", .noTarget, "the profile has no address",
                    tries: [.init("tacit address create", "make one")])
            case .addressExists:
                Reason(
                    "address.exists", .noOutput, "the profile has an address already",
                    tries: [
                        .init("tacit address show", "print it"),
                        .init("tacit address rotate", "replace it by a new one"),
                    ])
            case .requestNotFound, .requestNotFoundByName:
                Reason(
                    "request.unknown", .noTarget, "there is no such request",
                    tries: [.init("tacit list requests", "all that there are")])
            case .incompatibleLink:
                Reason(
                    "link.version", .unavailable, "the link is for other versions of the protocols",
                    tries: [.init("tacit version --json", "what this program speaks")])
            case .noServer:
                Reason(
                    "server.none", .config, "the profile has no relay", why: ["none is on its list, or all are off"],
                    tries: [
                        .init("tacit server add smp://FINGERPRINT@HOST", "use one that you trust"),
                        .init("tacit init --if-missing --accept-conditions", "use the public ones"),
                        .init("tacit server list", "what is on the list"),
                    ])
            case .conditionsNotAccepted:
                Reason(
                    "server.conditions", .config, "the conditions of the operators are not accepted",
                    why: ["who uses public relays accepts what their operators ask for; it is in tacit init --help"],
                    tries: [
                        .init("tacit init --if-missing --accept-conditions", "accept them"),
                        .init("tacit server add smp://FINGERPRINT@HOST", "use one that you trust"),
                    ])
            case .serverExists(let address):
                Reason(
                    "server.exists", .noOutput, "there is one at this host and port already",
                    why: ["it is \(UntrustedText(address.place).quoted)"],
                    tries: [.init("tacit server list", "all that there are")])
            case .serverNotFound: Reason("server.unknown", .noTarget, "there is no such relay")
            case .presetServer(let address):
                Reason(
                    "server.preset", .unavailable, "it came with the program",
                    tries: [.init(words: ["tacit", "server", "disable", address.place])])
            case .contactNotReady:
                Reason(
                    "contact.not-ready", .later, "the connection is still being made",
                    tries: [.init("tacit fetch", "go on with it")])
            case .contactNotActive(let name):
                Reason(
                    "contact.gone", .unavailable, "\(UntrustedText("@\(name)").quoted) cannot be reached any more",
                    why: ["you or the contact ended it, or the connection could not be made"])
            case .vetoed(let ending):
                Reason(
                    "hook.veto", .denied, "the hook pre-send does not allow it",
                    why: ["it \(ending); nothing was sent or stored"],
                    tries: [.init("tacit hook list", "which hooks there are")])
            case .emptyMessage:
                Reason("message.empty", .usage, "the text is empty", tries: [.init("tacit send -h", "how it is used")])
            case .notChangeable(let id, let obstacle): Reason(obstacle, of: id)
            case .contactBlocked(let name):
                Reason(
                    "contact.blocked", .unavailable, "\(UntrustedText("@\(name)").quoted) is blocked",
                    tries: [.init(words: ["tacit", "contact", "unblock", "@\(name)"])])
            case .timersOff(let name):
                Reason(
                    "message.timer-off", .unavailable,
                    "messages to \(UntrustedText("@\(name)").quoted) cannot be made to disappear",
                    why: ["its profile says that it is off, or it has not heard yet that you allow it"])
            case .cursorNotFound(let name): Reason.unknownCursor(name, known: [])
            case .noCall(let name):
                Reason(
                    "call.none", .noTarget, "no call of \(UntrustedText(name).quoted) waits for an answer",
                    tries: [.init("tacit call list", "those that do")])
            case .callActive(let name):
                Reason(
                    "call.active", .unavailable, "there is a call with \(UntrustedText("@\(name)").quoted) already",
                    why: ["there can be one at a time"],
                    tries: [.init(words: ["tacit", "call", "end", "@\(name)"], "end it")])
            case .cursorElsewhere(let name):
                Reason(
                    "cursor.elsewhere", .usage,
                    "the cursor \(UntrustedText(name).quoted) goes through another conversation, or through all",
                    why: ["in another one it would skip messages"],
                    tries: [.init("tacit cursor list", "where it goes"), .init("--cursor OTHER", "use another one")])
            case .profileActive:
                Reason(
                    "profile.active", .unavailable, "it is the active profile",
                    tries: [.init("tacit profile use OTHER", "act as another one first")])
            case .messageTooLarge(let size, let limit):
                Reason(
                    "message.too-large", .data, "the message is too large",
                    why: ["it has \(size) bytes with everything around it; \(limit) fit"],
                    details: ["size": .integer(Int64(size)), "limit": .integer(Int64(limit))])
            case .commandSyntax:
                Reason("command.invalid", .data, "this is no command of the core")
            case .relay(let obstacle): Reason(obstacle)
            case .database(let problem): Reason(problem)
            case .frozen(let mark): Reason(frozenBy: mark)
            case .holder(.ended): Reason.lostHolder
            case .holder(.silent): Reason.stuckHolder
            case .holder(.otherVersion): Reason.otherVersion
            case .readOnly, .internal: Reason.bug
            }
    }

    /// Why something cannot be done with a message.
    private init(_ obstacle: ChangeObstacle, of id: ChatItemID) {
        let name = ObjectID.text(id)
        self =
            switch obstacle {
            case .noMessage: Reason("message.none", .unavailable, "\(name) is no message, or nobody else knows it")
            case .notOwn: Reason("message.not-own", .unavailable, "\(name) is not your own message")
            case .tooOld:
                Reason("message.too-old", .unavailable, "\(name) is too old", why: ["it can be done for a day"])
            case .forwarded: Reason("message.forwarded", .unavailable, "\(name) was passed on, not written")
            case .deleted: Reason("message.deleted", .unavailable, "\(name) was taken back")
            case .unsent: Reason("message.failed", .unavailable, "\(name) never reached anybody")
            case .queued:
                Reason(
                    "message.not-sent", .unavailable, "\(name) is still in the outbox",
                    tries: [.init("tacit outbox drop \(name)", "do not send it")])
            case .notQueued:
                Reason(
                    "message.not-queued", .unavailable, "\(name) is not in the outbox",
                    tries: [.init("tacit message delete \(name) --everywhere", "take it back")])
            case .notAllowed:
                Reason(
                    "message.not-allowed", .unavailable, "the contact does not want it",
                    why: ["its profile says that it is off, or it has not heard yet that you allow it"])
            case .tooMany:
                Reason("message.too-many", .unavailable, "\(name) has as many of yours as there may be")
            }
    }

    static var badLink: Reason {
        Reason(
            "link.bad", .protocol, "what the relay keeps for the short link is not what it was made for",
            why: ["the relay is not honest, or the link is damaged"],
            tries: [.init("tacit connect 'LINK'", "with the long form of it, if you can get it")])
    }

    init(_ obstacle: RelayObstacle) {
        self.init(obstacle.problem)
        let location = obstacle.server.place
        why.insert("the relay is \(location)", at: 0)
        details.set("relay", location)
    }

    init(_ problem: RelayProblem) {
        self =
            switch problem {
            case .unknownHost:
                Reason("relay.unknown-host", .noHost, "the name of the relay does not resolve")
            case .unreachable(let reason):
                Reason("relay.unreachable", .later, "the relay cannot be reached", why: [reason])
            case .timedOut: Reason("relay.timeout", .later, "the relay did not answer in time")
            case .closed: Reason("relay.closed", .later, "the relay ended the connection")
            case .wrongIdentity:
                Reason(
                    "relay.identity", .trust, "the relay is not the one in the address",
                    why: ["its certificate has another fingerprint: the address is wrong, or somebody is in between"])
            case .certificateNotYetValid where Diagnosis.isClockWrong:
                Reason(
                    "clock.wrong", .config, "the clock of this machine is wrong",
                    why: ["it shows a time before this version was made"],
                    tries: [.init("timedatectl"), .init("tacit doctor")])
            case .certificateNotYetValid:
                Reason(
                    "relay.certificate", .protocol, "the relay's certificate is not valid yet",
                    why: ["by the clock of this machine, or of the relay when the certificate was made"],
                    tries: [.init("tacit doctor", "check the clock")])
            case .certificateExpired:
                Reason(
                    "relay.certificate", .protocol, "the relay's certificate has expired",
                    why: ["the fingerprint is right: the operator must renew the certificate, or the clock is wrong"],
                    tries: [.init("tacit doctor", "check the clock")])
            case .incompatible: Reason("relay.version", .unavailable, "the relay speaks other versions")
            case .unexpected: Reason("relay.protocol", .protocol, "the relay broke the protocol")
            case .authorization:
                Reason(
                    "relay.refused", .unavailable, "the relay refused",
                    why: ["the queue is gone, or the relay asks for a password to make one"])
            case .blocked: Reason("relay.blocked", .unavailable, "the operator of the relay blocked the queue")
            case .full:
                Reason("relay.full", .later, "the queue is full", why: ["the contact must receive first"])
            case .proxyRequired:
                Reason(
                    "proxy.required", .unavailable, "there is no proxy, and nothing may go without one",
                    tries: [.init("TACIT_PROXY=tor tacit ...", "use the one of Tor on this machine")])
            case .offline: Reason("relay.offline", .later, "--offline allows no connection")
            case .proxyFailed(let reason): Reason("proxy.unreachable", .later, "the proxy does not work", why: [reason])
            case .proxyLogin:
                Reason("proxy.denied", .denied, "the proxy accepts neither user nor password, or wants others")
            case .hostExcluded:
                Reason(
                    "relay.excluded", .unavailable, "no host of the relay may be used",
                    why: ["it has no onion host, or no other, and TACIT_ONION excludes the rest"])
            case .forwarderRequired:
                Reason(
                    "relay.direct", .unavailable, "the message may not go directly to the relay",
                    why: ["the profile has no other relay that it could go through"])
            case .forwarder(let problem): Reason(forwarder: problem)
            case .refused(let word) where problem.isTemporary:
                Reason(
                    "relay.trouble", .later, "the relay has a problem",
                    why: ["its answer was \(UntrustedText(word).quoted)"])
            case .refused(let word):
                Reason(
                    "relay.error", .unavailable, "the relay refused",
                    why: ["its answer was \(UntrustedText(word).quoted)"])
            }
    }

    /// A problem of the relay that passes messages on.
    private init(forwarder problem: RelayProblem) {
        if case .authorization = problem {
            self.init(
                "relay.no-proxy", .unavailable, "your own relay passes no messages on",
                why: ["it asks for another password, or forwards for nobody"])
            return
        }
        self.init(problem)
        let fact = "it is your own, through which messages go to others"
        // Few facts are printed: a short reason shares its line.
        if let reason = why.first, reason.utf8.count <= 30 {
            why[0] = "\(fact): \(reason)"
        } else {
            why.insert(fact, at: 0)
        }
    }
}

extension Reason {
    /// Why a contact could not be made; nil is not known.
    init(connectionProblem problem: ConnectionProblem?) {
        self =
            switch problem {
            case .linkUsed, nil:
                Reason("link.used", .unavailable, "the link was used already, or deleted")
            case .blocked: Reason("relay.blocked", .unavailable, "the operator of the relay blocked the queue")
            case .queueRefused:
                Reason("relay.refused", .unavailable, "the relay made no queue", why: ["it may ask for a password"])
            case .expired: Reason("connection.expired", .unavailable, "it took too long")
            case .invalidAnswer: Reason("connection.protocol", .protocol, "the answer of the other side is of no use")
            case .queueGone: Reason("connection.lost", .unavailable, "the queue is gone from its relay")
            case .badLink: Reason.badLink
            case .incompatible: Reason(ChatError.incompatibleLink)
            }
    }

    /// Why a relay cannot be used, and how far a test came.
    init(_ failure: ServerTestFailure) {
        self.init(failure.problem)
        if failure.step == .create, failure.problem == .authorization {
            self = Reason(
                "relay.password", .unavailable, "the relay makes no queue",
                why: ["it asks for a password, and this is not the right one"])
        }
        why.insert("it failed \(failure.step.words)", at: 0)
        details.set("step", failure.step.rawValue)
    }
}

// MARK: - The store

extension Reason {
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

    /// A store that this user should not trust.
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

    /// A store that another process has open.
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
}

// MARK: - Archives

extension Reason {
    init(_ error: TransferError) {
        self =
            switch error {
            case .archive(let error): Reason(error)
            case .layout(.noDatabase):
                Reason(
                    "archive.foreign", .data, "this is no archive of a store",
                    why: ["a database is missing in it"])
            case .layout(.strange):
                Reason(
                    "archive.foreign", .data, "this is no archive of a store",
                    why: ["there is something in it that no store has"])
            case .content(.newer):
                Reason(
                    "archive.newer", .unavailable, "the archive is from a newer version of tacit",
                    tries: [.init("tacit version", "which this is")])
            case .content(.foreign):
                Reason(
                    "archive.foreign", .data, "the databases in the archive are not those of tacit",
                    why: ["they are of another program, or encrypted with a key of another kind"])
            case .content: Reason("archive.damaged", .data, "the databases in the archive are damaged")
            case .notTogether:
                Reason(
                    "archive.mixed", .data, "the databases in the archive do not belong together",
                    why: ["they are of two stores, or of two moments"])
            case .store(let error): Reason(error)
            case .storeExists:
                Reason(
                    "store.exists", .noOutput, "there is a store already",
                    why: ["only an empty one is replaced without being asked"],
                    tries: [
                        .init("tacit import --replace FILE", "replace it, and keep it as a backup"),
                        .init("TACIT_DIR=/some/folder tacit import FILE", "make another store"),
                    ])
            case .noRoom(let needed, let free):
                Reason(
                    "store.full", .inputOutput, "there is not enough room on the disk",
                    why: ["\(ByteCount.text(needed)) are needed, \(ByteCount.text(free)) are free"],
                    tries: [.init("df -h", "see how much room there is")])
            case .system(let error): Reason(error)
            }
    }

    init(_ error: ZipError) {
        self =
            switch error {
            case .notAnArchive:
                Reason(
                    "archive.invalid", .data, "this is no archive, or not all of one",
                    why: ["it does not end as zip files do"])
            case .malformed(let part):
                Reason(
                    "archive.invalid", .data, "the archive is damaged or not honest",
                    why: ["its \(part) contradict the format, or each other"])
            case .unsupported(let part):
                Reason("archive.unsupported", .data, "no archive of a store looks like this", why: ["it has \(part)"])
            case .unsafeName:
                Reason(
                    "archive.unsafe", .data, "the archive is not safe",
                    why: ["a name in it leads out of the store, or is not the same everywhere"])
            case .notAFile:
                Reason(
                    "archive.unsafe", .data, "the archive is not safe",
                    why: ["there is a link or a device in it"])
            case .tooLarge(let part):
                Reason("archive.too-large", .data, "the archive demands too much", why: ["its \(part)"])
            case .damaged:
                Reason("archive.damaged", .data, "the archive is damaged", why: ["a checksum in it is wrong"])
            case .grown:
                Reason("file.changed", .later, "a file became much larger while it was read")
            case .system(let error): Reason(error)
            }
    }

    /// The store goes on elsewhere, or is a backup of one that does.
    init(frozenBy mark: ExportMark) {
        let time = LocalTime.text(milliseconds: mark.exportedAt.milliseconds) ?? mark.exportedAt.description
        var details: JSONObject = [:]
        details.set("frozen_by", mark.isBackup ? "backup" : "export")
        guard !mark.isBackup else {
            self.init(
                "store.frozen", .unavailable, "the store is a backup",
                why: [
                    "it is a copy of \(time); if both went on, each message would reach one of them only",
                    "and the encryption of conversations would break",
                ],
                tries: [.init("tacit db thaw", "only if the original is lost")], details: details)
            return
        }
        let fact =
            mark.isComplete
            ? "it was exported at \(time) to go on elsewhere; if both went on, conversations would break"
            : "an export at \(time) was to move it, and was cut off"
        self.init(
            "store.frozen", .unavailable, "the store is frozen", why: [fact],
            tries: [.init("tacit db thaw", "only if the archive is used nowhere")], details: details)
    }
}

// MARK: - Schemas

extension Reason {
    /// A store whose schema could not, or may not, be made that of this program.
    init(_ result: DBMigrationResult) {
        self =
            switch result {
            case .ok, .invalidConfirmation: Reason.bug
            case .errorKeychain: .keyMissing
            case .errorNotADatabase: Reason(.foreign)
            case .errorSQL:
                Reason(
                    "store.upgrade", .bug, "a step of the schema cannot be taken",
                    why: ["the store is as it was, or between two steps; a copy of it ends with .bak"],
                    tries: [.init("tacit version --json", "add this to a report of the mistake")])
            case .errorMigration(_, let obstacle): Reason(obstacle)
            }
        details["migration"] = .object(result.json)
    }

    private init(_ obstacle: MigrationObstacle) {
        switch obstacle {
        case .upgrade(let steps):
            self.init(
                "store.older", .unavailable, "the store is from an older version of tacit",
                why: ["steps to take: \(Reason.list(steps))"], tries: [.init("tacit db upgrade", "take them")])
        case .downgrade(let steps):
            let loses = steps.compactMap(\.loses)
            self.init(
                "store.newer", .unavailable, "the store is from a newer version of tacit",
                why: ["steps to take back: \(Reason.list(steps))"]
                    + (loses.isEmpty ? [] : ["this loses \(loses.joined(separator: "; "))"]),
                tries: [
                    .init("tacit version", "install a newer one if you can"),
                    .init("tacit db upgrade --confirm yes-up-down", "go back, and lose what is named"),
                ])
        case .noDown(let steps):
            self.init(
                "store.newer", .unavailable, "the store is from a newer version of tacit",
                why: ["there is no way back from: \(Reason.list(steps))"],
                tries: [.init("tacit version", "install a newer one")])
        case .different(let known, let taken):
            self.init(
                "store.different", .data, "the store is from another program, or from a version that never was",
                why: ["its step '\(UntrustedText(taken.description).singleLine)' is not the known '\(known)'"])
        }
    }

    /// Few steps by name, or how many there are.
    private static func list(_ steps: [MigrationObstacle.Step]) -> String {
        let names = steps.map { UntrustedText($0.description).singleLine.description }.joined(separator: "; ")
        return names.utf8.count <= 80 ? names : "\(steps.count) of them"
    }
}
