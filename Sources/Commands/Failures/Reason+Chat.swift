import ChatCore
import JSONCoding
import SMPProtocol
import TerminalKit

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
