import AgentProtocol
import Archive
import ByteCoding
import ChatCore
import ChatProtocol
import Host
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
                    "profile.none", .config, "there is no profile",
                    tries: [.init("tacit profile create NAME", "create one")])
            case .profileNotFound, .differentProfile: Reason("profile.unknown", .noTarget, "unknown profile")
            case .nameTaken(let name):
                Reason("name.taken", .noOutput, "the name \(UntrustedText(name).quoted) is taken")
            case .invalidName(let name, let suggestion):
                Reason(
                    "name.invalid", .usage, "invalid name \(UntrustedText(name).quoted)",
                    why: [
                        "a name has 1 to 50 characters; no leading mark, no two marks or spaces together",
                        #"none of . , ; / \ # @ ~, no apostrophe, no quotation mark"#,
                    ],
                    tries: suggestion.map { [.init(words: [$0], "a valid name")] } ?? [])
            case .invalidProfile:
                Reason(
                    "profile.too-large", .data, "the profile is too large",
                    why: ["name, full name and description must fit into one message"])
            case .contactNotFound, .contactNotFoundByName, .recipientNotFound:
                Reason(
                    "contact.unknown", .noTarget, "unknown contact",
                    tries: [.init("tacit list contacts", "show the list")])
            case .groupNotFound:
                Reason(
                    "group.unknown", .noTarget, "unknown group", tries: [.init("tacit group list", "show the list")])
            case .notesNotFound: Reason("target.notes", .noTarget, "unknown notes")
            case .notPossible(.switchQueue, let name):
                Reason(
                    "contact.busy", .unavailable,
                    "the queue of \(UntrustedText("@\(name)").quoted) cannot be moved now",
                    why: ["it is being moved already, or the ratchet is out of sync"])
            case .notPossible(.abortSwitch, let name):
                Reason(
                    "contact.busy", .unavailable,
                    "there is no move of \(UntrustedText("@\(name)").quoted) to abort",
                    why: ["no move is in progress, or the contact has answered already"])
            case .notPossible(.synchronize, let name):
                Reason(
                    "contact.in-step", .unavailable,
                    "the ratchet with \(UntrustedText("@\(name)").quoted) is in sync",
                    tries: [.init(words: ["tacit", "contact", "resync", "--force", "@\(name)"], "renegotiate anyway")])
            case .itemNotFoundByText:
                Reason("message.unknown", .noTarget, "no message begins with this text")
            case .itemNotFound(let id): Reason("message.unknown", .noTarget, "unknown message m\(id.number)")
            case .connectionNotFound: Reason("connection.unknown", .noTarget, "unknown connection")
            case .invalidLink:
                Reason(
                    "link.invalid", .data, "invalid or incomplete link",
                    why: ["a link begins with simplex:/ or https:// and must be quoted for the shell"],
                    tries: [.init("tacit connect 'LINK'")])
            case .unsupportedLink:
                Reason(
                    "link.unsupported", .unavailable, "the link leads to a channel or a relay of channels",
                    why: ["this version connects with invitations, contact addresses and group links"])
            case .ownLink:
                Reason(
                    "link.own", .data, "this is your own link",
                    why: ["it is for another person or another store"])
            case .joinedOpenly:
                Reason(
                    "link.joined-openly", .data, "the link is already in use, with your profile",
                    why: ["its creator may already have received your name"])
            case .connecting(let obstacle): Reason(obstacle)
            case .badLink: Reason.badLink
            case .noAddress:
                Reason(
                    "address.none", .noTarget, "the profile has no address",
                    tries: [.init("tacit address create", "create one")])
            case .addressExists:
                Reason(
                    "address.exists", .noOutput, "the profile has an address already",
                    tries: [
                        .init("tacit address show", "show the address"),
                        .init("tacit address rotate", "replace the address"),
                    ])
            case .chatRelayExists:
                Reason("profile.chat-relay", .noOutput, "another profile of the store is a chat relay")
            case .requestNotFound, .requestNotFoundByName:
                Reason(
                    "request.unknown", .noTarget, "unknown request",
                    tries: [.init("tacit list requests", "show the list")])
            case .incompatibleLink:
                Reason(
                    "link.version", .unavailable, "the link needs other protocol versions",
                    tries: [.init("tacit version --json", "show the supported versions")])
            case .noServer:
                Reason(
                    "server.none", .config, "the profile has no relay",
                    why: ["the list is empty, or all relays are disabled"],
                    tries: [
                        .init("tacit server add smp://FINGERPRINT@HOST", "add a relay that you trust"),
                        .init("tacit init --if-missing --accept-conditions", "use the public relays"),
                        .init("tacit server list", "show the list of relays"),
                    ])
            case .conditionsNotAccepted:
                Reason(
                    "server.conditions", .config, "the conditions of the relay operators are not accepted",
                    why: ["the public relays require it; tacit init --help has the link"],
                    tries: [
                        .init("tacit init --if-missing --accept-conditions", "accept the conditions"),
                        .init("tacit server add smp://FINGERPRINT@HOST", "add a relay that you trust"),
                    ])
            case .serverExists(let address):
                Reason(
                    "server.exists", .noOutput, "there is a relay with this host and port already",
                    why: ["relay: \(UntrustedText(address.place).quoted)"],
                    tries: [.init("tacit server list", "show the list")])
            case .serverNotFound: Reason("server.unknown", .noTarget, "unknown relay")
            case .presetServer(let address):
                Reason(
                    "server.preset", .unavailable, "a preset relay cannot be removed",
                    tries: [.init(words: ["tacit", "server", "disable", address.place])])
            case .contactNotReady:
                Reason(
                    "contact.not-ready", .later, "the connection is not complete yet",
                    tries: [.init("tacit fetch", "continue")])
            case .contactNotActive(let name):
                Reason(
                    "contact.gone", .unavailable, "the connection with \(UntrustedText("@\(name)").quoted) has ended",
                    why: ["you or the contact ended it, or it was never completed"])
            case .vetoed(let ending):
                Reason(
                    "hook.veto", .denied, "the hook pre-send rejected the message",
                    why: ["the hook \(ending); nothing was sent or stored"],
                    tries: [.init("tacit hook list", "list the hooks")])
            case .emptyMessage:
                Reason("message.empty", .usage, "the text is empty", tries: [.init("tacit send -h", "show the usage")])
            case .notChangeable(let id, let obstacle, _): Reason(obstacle, of: id)
            case .unsupported(let request):
                Reason("command.invalid", .data, "not a command of the SimpleX API", why: [request.rawValue])
            case .contactBlocked(let name):
                Reason(
                    "contact.blocked", .unavailable, "\(UntrustedText("@\(name)").quoted) is blocked",
                    tries: [.init(words: ["tacit", "contact", "unblock", "@\(name)"])])
            case .tagTaken(let text):
                Reason("name.taken", .noOutput, "another tag is called \(UntrustedText(text).quoted)")
            case .timersOff(let name):
                Reason(
                    "message.timer-off", .unavailable,
                    "disappearing messages to \(UntrustedText("@\(name)").quoted) are not allowed",
                    why: ["the contact's profile forbids it, or does not know yet that yours allows it"])
            case .inGroup(let obstacle): Reason(obstacle)
            case .name(.noLink, let name):
                Reason(
                    "domain.no-link", .data, "the name \(UntrustedText(name.text).quoted) does not lead there",
                    why: ["it is registered without a link of its kind, or with another one"])
            case .name(.unclaimed, let name):
                Reason(
                    "domain.unclaimed", .data,
                    "the profile behind the name \(UntrustedText(name.text).quoted) does not claim it",
                    why: ["a name can be registered for the link of another person"])
            case .channel(let obstacle): Reason(obstacle)
            case .file(let obstacle): Reason(obstacle)
            case .cursorNotFound(let name): Reason.unknownCursor(name, known: [])
            case .noCall(let name):
                Reason(
                    "call.none", .noTarget, "there is no call from \(UntrustedText(name).quoted) to answer",
                    tries: [.init("tacit call list", "list incoming calls")])
            case .callActive(let name):
                Reason(
                    "call.active", .unavailable, "there is an active call with \(UntrustedText("@\(name)").quoted)",
                    why: ["only one call can be active"],
                    tries: [.init(words: ["tacit", "call", "end", "@\(name)"], "end the call")])
            case .callStage(let stage, let name):
                Reason(
                    "call.stage", .unavailable, "the call with \(UntrustedText("@\(name)").quoted) is at another stage",
                    why: [stage.sentence], tries: [.init(words: ["tacit", "call", "end", "@\(name)"], "end the call")])
            case .cursorElsewhere(let name):
                Reason(
                    "cursor.elsewhere", .usage,
                    "the cursor \(UntrustedText(name).quoted) belongs to another conversation, or to all",
                    why: ["in another conversation it would skip messages"],
                    tries: [
                        .init("tacit cursor list", "show its conversation"),
                        .init("--cursor OTHER", "use another cursor"),
                    ])
            case .profileActive:
                Reason(
                    "profile.active", .unavailable, "the profile is active",
                    tries: [.init("tacit profile use OTHER", "activate another profile first")])
            case .profilePrivacy(_, .lastVisible):
                Reason(
                    "profile.last", .unavailable, "the last visible profile cannot be hidden",
                    tries: [.init("tacit profile create NAME", "create another profile first")])
            case .profilePrivacy(_, .emptyPassword): Reason("profile.password", .usage, "the password is empty")
            case .profilePrivacy(_, .alreadyHidden):
                Reason("profile.hidden", .unavailable, "the profile is hidden already")
            case .profilePrivacy(_, .notHidden): Reason("profile.visible", .unavailable, "the profile is not hidden")
            case .profilePrivacy(_, .alwaysMuted):
                Reason("profile.hidden", .unavailable, "a hidden profile is always muted")
            case .notAllowed(let feature, let name):
                Reason(
                    "message.not-allowed", .unavailable,
                    "\(feature.name) with \(UntrustedText("@\(name)").quoted) are not allowed",
                    why: ["your profile or the contact's forbids it"])
            case .messageTooLarge(let size, let limit):
                Reason(
                    "message.too-large", .data, "the message is too large",
                    why: ["its encoded size is \(size) bytes; the limit is \(limit)"],
                    details: ["size": .integer(Int64(size)), "limit": .integer(Int64(limit))])
            case .membership(let obstacle): Reason(obstacle)
            case .commandSyntax:
                Reason("command.invalid", .data, "not a command of the SimpleX API")
            case .commandNotSupported:
                Reason("command.unsupported", .data, "this command of the SimpleX API is not supported")
            case .notStopped:
                Reason(
                    "api.running", .unavailable, "the chat must be stopped first",
                    tries: [.init("tacit api /_stop", "stop it")])
            case .storeChanged:
                Reason(
                    "store.replaced", .later, "the store was replaced while it was open",
                    why: ["a command of the SimpleX API imported or deleted it, or changed its key"],
                    tries: [.init("tacit daemon stop", "stop the process that has the store open, then start it again")]
                )
            case .storeKey(.notEncrypted):
                Reason.notEncrypted
            case .storeKey(.encrypted): Reason(DatabaseProblem.keyMissing)
            case .storeKey(.wrong): Reason(DatabaseProblem.wrongKey)
            case .relay(let obstacle): Reason(obstacle)
            case .database(let problem): Reason(problem)
            case .frozen(let mark): Reason(frozenBy: mark)
            case .holder(.ended): Reason.lostHolder
            case .holder(.silent): Reason.stuckHolder
            case .holder(.otherVersion): Reason.otherVersion
            case .readOnly, .internal: Reason.bug
            }
    }

    /// Why something is not done with a file.
    private init(_ obstacle: FileObstacle) {
        self =
            switch obstacle {
            case .unknown:
                Reason(
                    "file.unknown", .noTarget, "unknown file",
                    tries: [.init("tacit file list", "show the list of files")])
            case .missing(let path):
                Reason("file.missing", .noInput, "there is no readable file \(UntrustedText(path).quoted)")
            case .folder(let path):
                Reason(
                    "file.folder", .noInput, "\(UntrustedText(path).quoted) is a folder",
                    why: ["only files can be sent"],
                    tries: [.init("tar czf folder.tar.gz FOLDER", "pack the folder into a file")])
            case .tooLarge(let path):
                Reason(
                    "file.too-large", .data, "\(UntrustedText(path).quoted) is too large",
                    why: ["a message carries at most 1 GiB, a link at most 5 GiB"],
                    tries: [
                        .init("tacit file send FILE", "make a link for a file of up to 5 GiB"),
                        .init("split -b 1G FILE FILE.part-", "cut a larger file into pieces"),
                    ])
            case .notAnImage(let path):
                Reason("file.not-an-image", .data, "\(UntrustedText(path).quoted) is not a JPEG, PNG or GIF picture")
            case .imageTooLarge(let path):
                Reason(
                    "file.image-too-large", .data, "\(UntrustedText(path).quoted) is too large for a picture",
                    why: ["pictures of '/img' have at most 522,240 bytes"],
                    tries: [.init("tacit send NAME --attach FILE", "send it as a file")])
            case .exists(let path):
                Reason(
                    "file.exists", .noOutput, "\(UntrustedText(path).quoted) exists already",
                    tries: [.init("--to PATH", "use another path")])
            case .notWritable(let path, let reason):
                Reason(
                    "file.target", .noOutput, "\(UntrustedText(path).quoted) cannot be written",
                    why: [UntrustedText(reason).singleLine], tries: [.init("--to PATH", "use another path")])
            case .receiving(let name):
                Reason(
                    "file.receiving", .unavailable, "\(UntrustedText(name).quoted) is being received, or was received",
                    tries: [.init("tacit file list", "show the list of files")])
            case .cancelled(let name):
                Reason("file.cancelled", .unavailable, "\(UntrustedText(name).quoted) was cancelled by its sender")
            case .notCancellable(_, let reason):
                Reason("file.not-cancellable", .unavailable, "the file cannot be cancelled", why: [reason])
            case .notApproved(_, let servers):
                Reason(
                    "file.not-approved", .trust, "the file is on file relays that are not in your list",
                    why: servers.map { server in
                        // The fingerprint would leave no room for the hosts.
                        let place = (try? ServerAddress(text: server, scheme: .xftp))?.location ?? server
                        return "\(UntrustedText(place).quoted) would learn your IP address"
                    },
                    tries: [.init("--approve-relays", "receive the file all the same")])
            case .inline:
                Reason("file.inline", .unavailable, "the sender uses an old way to send files, which is not supported")
            case .notReceived:
                Reason(
                    "file.not-received", .unavailable, "the file was not received",
                    tries: [.init("tacit file receive FILE", "receive the file")])
            case .invalidLink: Reason("file.link", .data, "the text is not a link to a file")
            case .noServer:
                Reason(
                    "file.no-relay", .config, "the profile has no file relay",
                    tries: [
                        .init("tacit server add xftp://FINGERPRINT@HOST", "add a file relay that you trust"),
                        .init("tacit init --if-missing --accept-conditions", "use the public relays"),
                    ])
            }
    }

    /// Why something is not done in a group.
    private init(_ obstacle: GroupObstacle) {
        self =
            switch obstacle {
            case .role(_, let role):
                Reason(
                    "group.role", .unavailable, "your role in the group does not allow it",
                    why: ["the role \(UntrustedText(role.rawValue).quoted) is required"])
            case .memberNotFound, .noSuchMember: Reason("member.unknown", .noTarget, "unknown group member")
            case .notCurrentMember: Reason("group.not-member", .unavailable, "you are not a member of the group")
            case .noModerators:
                Reason("group.no-moderators", .unavailable, "the group has no moderator who could read it")
            case .feature(let feature):
                Reason(
                    "group.not-allowed", .unavailable, "the group does not allow it",
                    why: ["\(feature.rawValue) is off for your role"])
            case .tooManyMentions:
                Reason(
                    "message.mentions", .data, "too many mentions in one message",
                    why: ["a message mentions at most three members"])
            }
    }

    /// Why something is not done with a channel or a chat relay.
    private init(_ obstacle: ChannelObstacle) {
        self =
            switch obstacle {
            case .relayAddress:
                Reason(
                    "relay.address", .data, "the link is the address of a chat relay",
                    why: ["owners use it for their channels; it is not a contact"],
                    tries: [.init("tacit server add 'LINK'", "use the relay for your channels")])
            case .repeatedRelay:
                Reason(
                    "server.exists", .noOutput, "there is a chat relay with this address already",
                    tries: [.init("tacit server list", "show the list")])
            case .presetRelay: Reason("server.preset", .unavailable, "a preset chat relay cannot be removed")
            case .unknownRelay:
                Reason(
                    "server.unknown", .noTarget, "unknown chat relay",
                    tries: [.init("tacit server list", "show the list")])
            case .noRelayAddress:
                Reason("relay.no-address", .data, "the address is not one of a chat relay")
            case .testTimeout: Reason("relay.silent", .later, "the chat relay did not answer in time")
            case .testFailed: Reason("relay.answer", .unavailable, "the chat relay answered with something else")
            case .testSignature:
                Reason(
                    "relay.signature", .protocol, "the chat relay does not have the key of its address",
                    why: ["another program may have answered"])
            case .noChannel: Reason("group.no-channel", .unavailable, "the group is not a channel")
            case .relaysPresent: Reason("channel.relay-used", .unavailable, "the channel uses the chat relay already")
            case .invitation:
                Reason(
                    "channel.invitation", .unavailable, "contacts cannot be invited to a channel",
                    why: ["subscribers join with the link of the channel"])
            case .sharing, .noPublicGroup:
                Reason("channel.sharing", .unavailable, "only the links of channels can be shared")
            case .noContactName: Reason("domain.none", .unavailable, "the contact claims no name")
            case .noChannelName: Reason("domain.none", .unavailable, "the channel claims no name")
            case .link: Reason("channel.link", .unavailable, "the link of a channel cannot be changed")
            case .notOwner:
                Reason(
                    "channel.owner", .unavailable, "you are not the owner of the channel",
                    why: ["only the owner has its keys"])
            case .rosterFull:
                Reason(
                    "channel.roster", .unavailable, "too many members of the channel have a role",
                    why: ["at most 256 members can have a role above observer"])
            }
    }

    /// Why something about connecting is not done.
    private init(_ obstacle: ConnectingObstacle) {
        self =
            switch obstacle {
            case .notPrepared:
                Reason("contact.not-prepared", .unavailable, "the contact was not prepared from a link")
            case .begun:
                Reason(
                    "contact.connecting", .unavailable, "the connection with the contact has begun already",
                    tries: [.init("tacit fetch", "continue")])
            case .shownProfile:
                Reason(
                    "address.not-incognito", .unavailable, "the address shows the profile already",
                    why: ["the short link shows your name, so an incognito answer would not hide it"])
            case .group:
                Reason(
                    "link.unsupported", .unavailable, "links of this kind are not supported yet",
                    why: ["this version connects through invitations and contact addresses only"])
            case .notResolved:
                Reason("link.unknown", .noTarget, "the link or name is not known here", why: ["no relay was asked"])
            case .noShortLink:
                Reason(
                    "address.no-short-link", .unavailable, "the address has no short link",
                    why: ["a name leads to a short link"])
            case .incognitoChange, .profileChange:
                Reason(
                    "invitation.used", .unavailable, "the invitation cannot be changed",
                    why: ["it was used already, or has this setting"])
            }
    }

    /// Why something cannot be done with a message.
    private init(_ obstacle: ChangeObstacle, of id: ChatItemID) {
        let name = ObjectID.text(id)
        self =
            switch obstacle {
            case .noMessage: Reason("message.none", .unavailable, "\(name) is not a message, or exists only here")
            case .notOwn: Reason("message.not-own", .unavailable, "\(name) was not sent by you")
            case .tooOld:
                Reason("message.too-old", .unavailable, "\(name) is too old", why: ["the limit is 24 hours"])
            case .forwarded: Reason("message.forwarded", .unavailable, "\(name) is forwarded")
            case .deleted: Reason("message.deleted", .unavailable, "\(name) is deleted")
            case .unsent: Reason("message.failed", .unavailable, "\(name) was never delivered")
            case .queued:
                Reason(
                    "message.not-sent", .unavailable, "\(name) is still in the outbox",
                    tries: [.init("tacit outbox drop \(name)", "drop the message")])
            case .notQueued:
                Reason(
                    "message.not-queued", .unavailable, "\(name) is not in the outbox",
                    tries: [.init("tacit message delete \(name) --everywhere", "delete the message on both sides")])
            case .notAllowed:
                Reason(
                    "message.not-allowed", .unavailable, "the contact does not allow it",
                    why: ["the contact's profile forbids it, or does not know yet that yours allows it"])
            case .alreadyAdded, .alreadyRemoved:
                Reason("command.invalid", .data, "not a command of the SimpleX API", why: [obstacle.rawValue])
            case .tooMany:
                Reason("message.too-many", .unavailable, "\(name) has the maximum number of your reactions")
            }
    }

    static var badLink: Reason {
        Reason(
            "link.bad", .protocol, "the link data at the relay does not match the short link",
            why: ["the relay is malicious, or the link is damaged"],
            tries: [.init("tacit connect 'LINK'", "use the long form of the link")])
    }

    init(_ obstacle: RelayObstacle) {
        self.init(obstacle.problem)
        let location = obstacle.server.place
        why.insert("relay: \(location)", at: 0)
        details.set("relay", location)
    }

    init(_ problem: RelayProblem) {
        self =
            switch problem {
            case .unknownHost:
                Reason("relay.unknown-host", .noHost, "the name of the relay does not resolve")
            case .unreachable(let reason):
                Reason("relay.unreachable", .later, "the relay is unreachable", why: [reason])
            case .timedOut: Reason("relay.timeout", .later, "the relay did not answer in time")
            case .closed: Reason("relay.closed", .later, "the relay closed the connection")
            case .wrongIdentity:
                Reason(
                    "relay.identity", .trust, "the relay's identity differs from its address",
                    why: [
                        "wrong certificate fingerprint: the address is wrong, or an attacker intercepts the connection"
                    ])
            case .certificateNotYetValid where Diagnosis.isClockWrong:
                Reason(
                    "clock.wrong", .config, "the clock of this machine is wrong",
                    why: ["it is earlier than the release of this version"],
                    tries: [.init("timedatectl"), .init("tacit doctor")])
            case .certificateNotYetValid:
                Reason(
                    "relay.certificate", .protocol, "the relay's certificate is not valid yet",
                    why: ["according to the clock of this machine; or the relay's clock was wrong when it was issued"],
                    tries: [.init("tacit doctor", "check the clock")])
            case .certificateExpired:
                Reason(
                    "relay.certificate", .protocol, "the relay's certificate has expired",
                    why: ["the fingerprint matches: the operator must renew it, or the clock of this machine is wrong"],
                    tries: [.init("tacit doctor", "check the clock")])
            case .incompatible: Reason("relay.version", .unavailable, "the relay uses incompatible protocol versions")
            case .unexpected: Reason("relay.protocol", .protocol, "the relay violated the protocol")
            case .authorization:
                Reason(
                    "relay.refused", .unavailable, "the relay rejected the request",
                    why: ["the queue is deleted, or the relay needs a password to create one"])
            case .blocked: Reason("relay.blocked", .unavailable, "the operator of the relay blocked the queue")
            case .addressesRefused(let end):
                Reason(
                    "relay.addresses-refused", .unavailable, "the relay permits you no new addresses",
                    why: [
                        "its operator blocked a queue of yours for abuse; the refusal "
                            + (end.map { "ends at \($0)" } ?? "has no end")
                    ],
                    tries: [.init("tacit server list", "choose another relay")])
            case .full:
                Reason("relay.full", .later, "the queue is full", why: ["the contact must fetch first"])
            case .proxyRequired:
                Reason(
                    "proxy.required", .unavailable, "a proxy is required but not set",
                    tries: [.init("TACIT_PROXY=tor tacit ...", "use the Tor client of this machine")])
            case .offline: Reason("relay.offline", .later, "--offline is set")
            case .proxyFailed(let reason): Reason("proxy.unreachable", .later, "the proxy failed", why: [reason])
            case .proxyLogin:
                Reason("proxy.denied", .denied, "the proxy rejected the user name or password")
            case .hostExcluded:
                Reason(
                    "relay.excluded", .unavailable, "the network settings exclude all hosts of the relay",
                    why: ["the relay has no onion host, or only an onion host: see net.onion or TACIT_ONION"])
            case .forwarderRequired:
                Reason(
                    "relay.direct", .unavailable, "direct sending to the relay is not allowed",
                    why: ["the profile has no other relay for private message routing"])
            case .forwarder(let problem): Reason(forwarder: problem)
            case .refused("NAME NOT_FOUND"):
                Reason("domain.unknown", .noTarget, "the name is not registered")
            case .refused("NAME NO_RESOLVER"):
                Reason(
                    "domain.resolver", .unavailable, "your relays do not resolve names",
                    why: ["a relay needs a resolver, which its operator sets up"],
                    tries: [.init("tacit server add 'ADDRESS'", "use a relay that resolves names")])
            case .refused(let word) where problem.isTemporary:
                Reason(
                    "relay.trouble", .later, "the relay reported a temporary error",
                    why: ["its answer: \(UntrustedText(word).quoted)"])
            case .refused(let word):
                Reason(
                    "relay.error", .unavailable, "the relay rejected the request",
                    why: ["its answer: \(UntrustedText(word).quoted)"])
            }
    }

    /// A problem of the relay that passes messages on.
    private init(forwarder problem: RelayProblem) {
        if case .authorization = problem {
            self.init(
                "relay.no-proxy", .unavailable, "your relay does not forward messages",
                why: ["it needs another password, or forwarding is off"])
            return
        }
        if case .hostExcluded = problem {
            self.init(
                "relay.not-forwarded", .unavailable, "the relay does not forward to private addresses",
                why: ["if it is your relay, set 'proxy_private = on' in its relay.conf"],
                tries: [
                    .init("tacit config set net.smp_proxy_fallback yes", "send directly, which shows your address")
                ])
            return
        }
        self.init(problem)
        let fact = "your relay forwards messages to other relays"
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
                Reason("link.used", .unavailable, "the link was already used or deleted")
            case .blocked: Reason("relay.blocked", .unavailable, "the operator of the relay blocked the queue")
            case .queueRefused:
                Reason("relay.refused", .unavailable, "the relay rejected the queue", why: ["it may need a password"])
            case .expired: Reason("connection.expired", .unavailable, "the connection timed out")
            case .invalidAnswer: Reason("connection.protocol", .protocol, "the contact's answer is invalid")
            case .queueGone: Reason("connection.lost", .unavailable, "the queue is deleted at its relay")
            case .badLink: Reason.badLink
            case .incompatible: Reason(ChatError.incompatibleLink)
            }
    }

    /// Why a relay cannot be used, and how far a test came.
    init(_ failure: ServerTestFailure) {
        self.init(failure.problem)
        if [.create, .createFile].contains(failure.step), failure.problem == .authorization {
            self = Reason(
                "relay.password", .unavailable,
                failure.step == .create ? "the relay rejected the queue" : "the relay rejected the file",
                why: ["it needs a password, and this one is wrong or missing"])
        }
        why.insert("the test failed \(failure.step.words)", at: 0)
        details.set("step", failure.step.rawValue)
    }
}

// MARK: - The store

extension Reason {
    init(_ error: DatabaseProblem) {
        let check = Failure.Attempt("df -h", "show free disk space")
        self =
            switch error {
            case .busy: Reason("store.busy", .later, "the store is in use")
            case .diskFull: Reason("store.full", .inputOutput, "the disk is full", tries: [check])
            case .disk: Reason("store.disk", .inputOutput, "disk error")
            case .damaged:
                Reason(
                    "store.damaged", .inputOutput, "the store is damaged",
                    why: ["a file was changed outside of tacit"],
                    tries: [
                        .init("tacit db check", "show details; copy the files before any repair"),
                        .init("tacit db info", "show the files"),
                    ])
            case .cannotOpen:
                Reason(
                    "store.unreadable", .inputOutput, "the store cannot be opened",
                    why: ["a file is missing or belongs to another user"])
            case .wrongKey:
                Reason(
                    "key.wrong", .denied, "the key does not open the store",
                    tries: [.init("tacit help keys", "show all key sources")])
            case .keyMissing: .keyMissing
            case .memory: Reason("system.memory", .system, "out of memory")
            case .newer:
                Reason(
                    "store.newer", .unavailable, "the store is from a newer version of tacit",
                    tries: [.init("tacit db upgrade --confirm error", "show the differences")])
            case .older:
                Reason(
                    "store.older", .unavailable, "the store is from an older version, or incomplete",
                    tries: [.init("tacit db upgrade", "upgrade the store")])
            case .foreign:
                Reason(
                    "store.foreign", .data, "the file is not a tacit store",
                    why: ["it is from another program or an unknown version"])
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
                        .init(words: ["ls", "-ld", path], "show the owner"),
                        .init("TACIT_DIR=/some/folder tacit ...", "use your own store"),
                    ])
            case .writable(let path):
                Reason(
                    "store.writable", .denied, "other users can change the store",
                    why: ["they can write to \(UntrustedText(path).quoted)"],
                    tries: [.init(words: ["chmod", "go-w", path])])
            case .notALock(let path):
                Reason(
                    "store.lock", .denied, "the lock of the store is not a regular file",
                    why: ["\(UntrustedText(path).quoted) is a link, a folder or a device"],
                    tries: [
                        .init(words: ["ls", "-l", path], "show the file"),
                        .init(words: ["rm", path], "remove it; tacit creates a new one"),
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
        var tries = [Failure.Attempt("tacit status", "show the process")]
        switch error.obstacle {
        case .writes: tries.append(.init("tacit --lock-timeout 60s \(error.command) ...", "wait longer"))
        case .needsItsEnd:
            tries.append(.init("tacit daemon stop", "stop the process that has the store open"))
        case .isSilent, .stays:
            // What it was doing is rolled back by whoever opens the store next.
            if let pid = error.holder.pid {
                tries.append(.init("kill -9 \(pid)", "kill the process; stored data stays"))
            }
        }
        self.init(
            "store.busy", .later,
            error.obstacle == .isSilent
                ? "the process that has the store open does not respond" : "the store is in use",
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
                    "archive.foreign", .data, "not an archive of a store",
                    why: ["a database is missing"])
            case .layout(.strange):
                Reason(
                    "archive.foreign", .data, "not an archive of a store",
                    why: ["it contains unexpected files"])
            case .content(.newer):
                Reason(
                    "archive.newer", .unavailable, "the archive is from a newer version of tacit",
                    tries: [.init("tacit version", "show the version of this program")])
            case .app(isNewer: true):
                Reason(
                    "archive.newer", .unavailable, "the archive is from a newer version of SimpleX Chat",
                    why: ["the newest known one is 7.0"],
                    tries: [.init("tacit version", "show the version of this program")])
            case .app(isNewer: false):
                Reason(
                    "archive.older", .data, "the archive is from an old version of SimpleX Chat",
                    why: ["the oldest known one is 6.0; a newer app can import this archive and export it again"])
            case .content(.foreign):
                Reason(
                    "archive.foreign", .data, "the databases in the archive are not tacit databases",
                    why: ["they are from another program, or have another kind of key"])
            case .content: Reason("archive.damaged", .data, "the databases in the archive are damaged")
            case .notTogether:
                Reason(
                    "archive.mixed", .data, "the databases in the archive do not belong together",
                    why: ["they are from two stores or two points in time"])
            case .store(let error): Reason(error)
            case .storeExists:
                Reason(
                    "store.exists", .noOutput, "the store exists already",
                    why: ["only an empty store is replaced without --replace"],
                    tries: [
                        .init("tacit import --replace FILE", "replace the store and keep a backup"),
                        .init("TACIT_DIR=/some/folder tacit import FILE", "create another store"),
                    ])
            case .noRoom(let needed, let free):
                Reason(
                    "store.full", .inputOutput, "not enough disk space",
                    why: ["needed: \(ByteCount.text(needed)); free: \(ByteCount.text(free))"],
                    tries: [.init("df -h", "show free disk space")])
            case .system(let error): Reason(error)
            }
    }

    init(_ error: ZipError) {
        self =
            switch error {
            case .notAnArchive:
                Reason(
                    "archive.invalid", .data, "invalid or incomplete archive",
                    why: ["there is no zip directory at its end"])
            case .malformed(let part):
                Reason(
                    "archive.invalid", .data, "the archive is damaged or malicious",
                    why: ["its \(part) contradict the zip format or each other"])
            case .unsupported(let part):
                Reason("archive.unsupported", .data, "unsupported archive format", why: ["it uses \(part)"])
            case .unsafeName:
                Reason(
                    "archive.unsafe", .data, "the archive is not safe",
                    why: ["a file name leads out of the store, or is inconsistent"])
            case .notAFile:
                Reason(
                    "archive.unsafe", .data, "the archive is not safe",
                    why: ["it contains a link or a device"])
            case .tooLarge(let part):
                Reason("archive.too-large", .data, "the archive exceeds a limit", why: ["limit: \(part)"])
            case .damaged:
                Reason("archive.damaged", .data, "the archive is damaged", why: ["a checksum is wrong"])
            case .grown:
                Reason("file.changed", .later, "a file grew while it was read")
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
                    "it is a copy of \(time); if both are used, each message reaches only one of them",
                    "and the ratchets of conversations break",
                ],
                tries: [.init("tacit db thaw", "only if the original is lost")], details: details)
            return
        }
        let fact =
            mark.isComplete
            ? "it was exported at \(time) to be moved; if both are used, conversations break"
            : "an export at \(time) was to move it and was interrupted"
        self.init(
            "store.frozen", .unavailable, "the store is frozen", why: [fact],
            tries: [.init("tacit db thaw", "only if the archive is not in use")], details: details)
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
                    "store.upgrade", .bug, "a migration of the store schema failed",
                    why: ["the store is unchanged or between two migrations; a backup file ends with .bak"],
                    tries: [.init("tacit version --json", "include this in a bug report")])
            case .errorMigration(_, let obstacle): Reason(obstacle)
            }
        details["migration"] = .object(result.json)
    }

    private init(_ obstacle: MigrationObstacle) {
        switch obstacle {
        case .upgrade(let steps):
            self.init(
                "store.older", .unavailable, "the store is from an older version of tacit",
                why: ["migrations: \(Reason.list(steps))"], tries: [.init("tacit db upgrade", "apply the migrations")])
        case .downgrade(let steps):
            let loses = steps.compactMap(\.loses)
            self.init(
                "store.newer", .unavailable, "the store is from a newer version of tacit",
                why: ["migrations to revert: \(Reason.list(steps))"]
                    + (loses.isEmpty ? [] : ["reverting deletes \(loses.joined(separator: "; "))"]),
                tries: [
                    .init("tacit version", "install a newer version if possible"),
                    .init("tacit db upgrade --confirm yes-up-down", "downgrade and lose this data"),
                ])
        case .noDown(let steps):
            self.init(
                "store.newer", .unavailable, "the store is from a newer version of tacit",
                why: ["cannot be reverted: \(Reason.list(steps))"],
                tries: [.init("tacit version", "install a newer version")])
        case .different(let known, let taken):
            self.init(
                "store.different", .data, "the store is from another program or an unknown version",
                why: [
                    "its migration '\(UntrustedText(taken.description).singleLine)' differs from the known '\(known)'"
                ])
        }
    }

    /// Few steps by name, or how many there are.
    private static func list(_ steps: [MigrationObstacle.Step]) -> String {
        let names = steps.map { UntrustedText($0.description).singleLine.description }.joined(separator: "; ")
        return names.utf8.count <= 80 ? names : "\(steps.count) of them"
    }
}

// MARK: - Groups

extension Reason {
    init(_ obstacle: MembershipObstacle) {
        self =
            switch obstacle {
            case .groupNameNotFound(let name): .unknownGroup(name, known: [])
            case .memberNameNotFound(let group, let name): .unknownMember(name, of: group.target, known: [])
            case .duplicateMember(let name):
                Reason(
                    "member.exists", .noOutput, "\(UntrustedText("@\(name)").quoted) is a member already")
            case .cannotRepeat(let group, let name):
                Reason(
                    "group.invitation-gone", .unavailable,
                    "the invitation of \(UntrustedText("@\(name)").quoted) cannot be repeated",
                    why: ["its link no longer exists"],
                    tries: [
                        .init(
                            words: ["tacit", "group", "remove", "\(group.target)/@\(name)"],
                            "remove the member, then invite again")
                    ])
            case .incognitoContact:
                Reason(
                    "group.incognito", .unavailable, "the contact knows a random name of yours",
                    why: ["the group would show that both names are yours"])
            case .incognitoGroup:
                Reason(
                    "group.incognito", .unavailable, "the group knows a random name of yours",
                    why: ["an invited contact would see that both names are yours"],
                    tries: [.init("tacit group link +NAME --create", "let others join through a link")])
            case .notInvited:
                Reason("group.not-invited", .unavailable, "there is no invitation, or it was accepted already")
            case .linkExists(let group):
                Reason(
                    "group.link-exists", .noOutput, "\(UntrustedText(group.target).quoted) has a link already",
                    tries: [.init(words: ["tacit", "group", "link", group.target], "print the link")])
            case .noLink(let group): .noGroupLink(group.target)
            case .linkRole(_, let role):
                Reason(
                    "group.link-role", .usage, "members that join through a link cannot get the role \(role.word)",
                    tries: [.init("tacit group link +NAME --role member")])
            case .memberNotActive:
                Reason("member.gone", .unavailable, "the member left, was removed, or is not connected yet")
            case .refused(let refusal): Reason("group.refused", .unavailable, refusal.sentence)
            }
    }
}

extension MembershipObstacle.Refusal {
    /// The end of the sentence "cannot ...: ".
    fileprivate var sentence: String {
        switch self {
        case .contactExists: "the member is a contact already"
        case .contactInvited: "the member was asked to become a contact already"
        case .noInvitation: "the member has not asked to become a contact"
        case .directMessagesOff: "the group does not allow direct messages"
        case .notPending: "the member does not wait for a moderator"
        case .ownMember: "you cannot change your own role"
        case .ownerLeaves:
            "the last owner cannot leave a group; delete the group, or give another member the role owner"
        case .notPrepared: "the group was not opened through a link"
        case .begun: "joining has begun already"
        case .noLinkGroup: "the link does not lead to a group"
        case .business: "not possible in a chat with a business"
        }
    }
}

extension Reason {
    /// The reason why the file of an own message is not with its relays; nil if it is.
    init?(sent file: ChatFile) {
        switch file.state {
        case .sentError(let problem): self.init(problem)
        case .sentStored, .sending, .sentWarning:
            guard file.transport == .xftp else { return nil }
            if let problem = file.state.problem, problem.needsRoom {
                self.init(problem)
                return
            }
            self.init(
                "file.under-way", .later, "the file is not sent yet", why: ["the next fetch continues the transfer"],
                tries: [.init("tacit fetch", "continue the transfer")])
        default: return nil
        }
    }

    /// The reason why a file is not where it should be; nil if it is.
    init?(_ listed: ListedFile) {
        switch listed.file.state {
        case .sentComplete, .received: return nil
        case .sentStored where listed.file.transport == .local: return nil
        case .sentError(let problem), .receivedError(let problem): self.init(problem)
        case .sentCancelled, .receivedCancelled:
            self.init("file.cancelled", .unavailable, "the file was cancelled")
        case .aborted, .offered:
            self.init(
                "file.offered", .unavailable, "the file is not being received",
                tries: [.init(words: ["tacit", "file", "receive", ObjectID.text(listed.file.id)])])
        case .sentWarning(let problem) where problem.needsRoom, .receivedWarning(let problem) where problem.needsRoom:
            self.init(problem)
        case .sentStored, .sending, .sentWarning, .accepted, .receiving, .receivedWarning:
            self.init(
                "file.under-way", .later, "the transfer is not complete",
                why: listed.file.state.problem.map { [Reason($0).text] } ?? [],
                tries: [.init("tacit fetch", "continue the transfer")])
        }
    }

    /// The reason why a file was not transferred.
    init(_ problem: FileProblem) {
        switch problem {
        case .gone:
            self.init(
                "file.gone", .unavailable, "the file relays no longer have the file",
                why: ["relays usually delete files after 48 hours, and a link works once"])
        case .blocked: self.init("file.blocked", .unavailable, "the operator of the file relay blocked the file")
        case .noFile: self.init("file.missing", .noInput, "the file to send is not there any longer, or has changed")
        case .relay(let relay):
            self.init("file.relay", .later, "the file relay \(UntrustedText(relay).quoted) cannot be used")
        case .fullDisk:
            self.init(
                "file.disk-full", .inputOutput, "the disk is full", why: ["the transfer continues when there is room"],
                tries: [.init("tacit fetch", "continue the transfer")])
        case .fullRelays:
            self.init(
                "file.quota", .later, "the file relays are full", why: ["the transfer continues when they have room"],
                tries: [.init("tacit fetch", "continue the transfer")])
        case .other("file.digest"):
            self.init("file.digest", .data, "the file is not the one that the message announced")
        case .other("file.size"):
            self.init("file.size", .data, "the file has another size than the message announced")
        case .other("file.description"):
            self.init("file.description", .data, "the sender's description of the file is invalid")
        case .other("file.damaged"):
            self.init("file.damaged", .data, "the file relays sent wrong data")
        case .other("file.target"):
            self.init("file.target", .noOutput, "the file cannot be written to its place")
        case .other(let code):
            self.init("file.failed", .unavailable, "the transfer failed", why: [UntrustedText(code).quoted])
        }
    }
}

extension CallStage {
    fileprivate var sentence: String {
        switch self {
        case .invitationSent: "the contact has not accepted the call"
        case .invitationReceived: "the call waits for your answer"
        case .offerSent: "the caller has not answered"
        case .offerReceived: "the contact waits for your answer"
        case .negotiated: "both sides have answered"
        }
    }
}
