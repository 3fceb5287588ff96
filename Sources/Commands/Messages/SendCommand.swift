import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import Host
import JSONCoding
import SystemIO
import TerminalKit

/// `tacit send`
enum SendCommand {
    /// How far a message must have come.
    enum Stage: String, CaseIterable, Sendable {
        case queued, sent, delivered
    }

    static let target = Positional<Target>("TARGET", "Recipient", .target())
    static let text = Positional<String?>(
        optional: "TEXT|-", "Message text; - reads standard input", .text())
    static let to = Option<[Target]>(repeated: "to", "Send to this target too", .target(), isCommon: true)
    static let attach = Option<[String]>(
        repeated: "attach", "Send files; - is standard input", .path("FILE|-"), isCommon: true
    ).takingFollowing { word in
        let path = LocalPath.absolute(word)
        return word != PipedFile.mark && Files.exists(path) && !Files.isFolder(path)
    }
    static let voice = Option<String?>("voice", "Send a recording as a voice message", .path("FILE")).withoutSetting
    static let duration = Option<Duration?>(
        "duration", "Length of the voice message", .duration(), defaultText: "the length in the file"
    ).withoutSetting
    static let name = Option<String?>("name", "Name of the file that --attach - reads", PipedFile.name)
    static let keepsMetadata = Option<Bool>(
        flag: "keep-metadata", "Send pictures with the time, place and device that they name")
    static let wait = Option<Stage>(
        "wait", "Return when queued in the outbox, sent to the relay, or delivered", .choice(),
        default: .sent, isCommon: true)
    static let timeout = Option<Duration>(
        "timeout", "Stop waiting after this time; the message stays in the outbox", .duration(),
        default: .seconds(30), variable: "TACIT_TIMEOUT", isCommon: true)
    static let once = Option<String?>(
        "once", "Send only once per key within 30 days", .text("KEY"), isCommon: true)
    static let replyTo = Option<MessageName?>(
        "reply-to", "Message to reply to; last is the newest received message", MessageName.kind)
    static let expires = Option<KeepingTime?>(
        "expires", "Delete the message this long after sending, and after reading", KeepingTime.kind(),
        defaultText: "the chat's setting", isCommon: true)
    static let splits = Option<Bool>(flag: "split", "Split a text that is too long into several messages")
    static let requireVerified = Option<Bool>(
        flag: "require-verified", "Fail unless the security code is verified")
    static let asMember = Option<Bool>(
        flag: "as-member", "Write under your name in a channel that you own")
    static let sign = Option<Bool>(flag: "sign", "Sign the message in a channel with your key")
    static let dryRun = Option<Bool>(flag: "dry-run", "Print the recipients without sending")
    static let support = Option<Bool>(flag: "support", "Write to the moderators of the group only")
    static let supportOf = Option<MemberName?>(
        "support-of", "Write in the chat of this member with the moderators, as one of them", .member())

    static let leaf: Leaf = .init(
        Command(
            "send", "Send a message",
            promise: """
                the relay has accepted the message (with --wait queued: it is in the outbox, on disk; with --wait delivered: \
                the contact, or each member of a group, has received it)
                """,
            store: .writing, positionals: [target, text],
            options: [
                to, attach, name, keepsMetadata, voice, duration, wait, timeout, once, replyTo, expires, splits,
                requireVerified, asMember, sign, support, supportOf, dryRun,
            ],
            examples: [
                Example("tacit send @alice 'see you at 9'", "Send a text"),
                Example("uptime | tacit send @alice -", "Send the output of a program"),
                Example("ls -l /usr/bin | tacit send @alice - --split", "Send a long text as several messages"),
                Example("tacit send @alice hi --wait queued", "Queue a message; the next fetch sends it"),
                Example("tacit send @alice hi --wait delivered", "Wait for the delivery receipt"),
                Example(
                    "tacit send @alice 'disk 91%' --once \"disk-$(date +%F)\"",
                    "Send at most once a day, however often the script runs"),
                Example("tacit send @alice 'I agree' --reply-to m12", "Reply to a message"),
                Example("tacit send @alice 'me too' --reply-to last", "Reply to the newest message of alice"),
                Example("tacit send @alice 'the minutes' --attach minutes.pdf", "Send a file with a caption"),
                Example("tacit send @alice 'the photos' --attach *.jpg", "Send several files"),
                Example("tacit send @alice --voice memo.ogg", "Send a voice message"),
                Example(
                    "dmesg | tacit send @alice --attach - --name boot.log", "Send the output of a program as a file"),
                Example("tacit send @alice -- --json", "Send a text that looks like an option"),
                Example("tacit send notes 'call the plumber'", "Save a note to yourself"),
                Example("tacit send +team 'lunch?'", "Send to all members of a group"),
                Example("tacit send +team 'bob posts spam' --support", "Write to the moderators of a group"),
                Example("tacit send +news 'we moved' --as-member", "Write in your channel under your name"),
                Example("tacit send +news 'I agree' --sign", "Sign a message in a channel"),
                Example(
                    "tacit send @alice 'the code is 4711' --expires 7d",
                    "Send a message that disappears after seven days"),
            ],
            exits: [64, 65, 66, 67, 68, 69, 75, 78, 79, 80], reports: SendReport.forms, topics: ["targets", "files"],
            discussion: """
                The text is sent unchanged. A word with a leading dash is an option only if the command declares it, or \
                declares each letter after a single dash. A word with a space is always text: '-high load'. Any other word \
                that looks like an option is an error (64). All words after -- are arguments; in scripts, write -- before a \
                text from a variable: tacit send @alice -- "$text".

                The message is written to the store first. If the relay is not reached in time, the exit code is 75 and the \
                report has the state "queued". The next fetch sends the message; do not send it again.

                --once makes a retry safe. A message that was sent to the same target with the same key within 30 days is not \
                sent again. It is reported with "duplicate", and --wait applies to it. If its text differs, a warning follows \
                and the report has "differs".

                With --expires the message is deleted here this long after the relay accepted it, and on the contact's side \
                this long after it was read. Both sides must allow disappearing messages, which is the default. Deletion by \
                the contact's app cannot be verified. The next command that writes to the store deletes expired messages. \
                Without --expires the setting of the chat applies ('tacit contact set --expires'); --expires off sends a \
                permanent message.

                --split divides a text that is too long at a line break, else between words, else between characters. The \
                parts joined give the original text. Each part has its own report; --once, --expires and --wait apply to all \
                parts.

                With --require-verified the security code of every target must be verified ('tacit contact verify') and \
                unchanged. Otherwise nothing is sent, and the exit code is 79.

                An owner of a channel writes as the channel, or with --as-member under the own name. With --sign your key in the \
                channel signs the message, its edits and its deletion, so no chat relay can change it. Its readers see that it \
                is verified, except if you write as the channel. The feature signatures of a channel has all members sign.

                A message to a group goes to each member. The report has the state "sent" and the field "partly" until all \
                relays have accepted the message; --dry-run lists the members. Until a moderator has admitted you, messages \
                go to the moderators. A name behind @ in the text mentions a member.

                --attach sends files of up to 1 GiB through file relays, one file per message; the text is the caption of the \
                first. It takes all words behind it that name files; the shell expands part*.txt to such words. Write '--attach=FILE', \
                or -- before the text, if the text could be the name of a file. The command waits until the relays have the files; --timeout counts from the last progress. If it ends \
                before, also with Ctrl-C, the next fetch or the daemon continues at the chunk. With --wait queued it does not \
                wait at all: keep the files until they are sent. The recipient can receive a file for 48 hours, also while this \
                machine is off.

                A picture (JPEG, PNG, GIF or WebP) is shown in the message. Its metadata are removed: time, place and device. \
                --keep-metadata sends the file unchanged. Sound and video are sent as files, unchanged.

                --voice sends a recording that apps play in the chat. Its length is that of the Ogg file with Opus, or of the \
                M4A file; --duration gives it for any other.

                --attach - reads standard input to its end and keeps a copy in files/ of the store until the message is \
                deleted.

                With several targets there is one report for each. The exit code is 80 if only some of them succeeded.
                """),
        purpose: { "send to \(UntrustedText($0[target].word).quoted)" },
        run: { invocation in
            try check(invocation)
            // Whoever writes slowly into the pipe must not keep others from the store.
            let hasFile = !invocation[attach].isEmpty || invocation[voice] != nil
            let isCaption = hasFile && invocation[text] == nil
            let voice = try invocation[voice].map { try VoiceMessage($0, lasting: invocation[duration]) }
            let text = isCaption ? "" : try MessageText.read(invocation[text], invocation)
            let reads = invocation[attach].contains(PipedFile.mark) && !invocation[dryRun]
            let piped = reads ? try PipedFile(named: invocation[name], invocation) : nil
            let progress = FileProgress("sending")
            return try StoreOpener(invocation, isWriting: true) { progress.note($0) }.run {
                try await send(text, piped, voice, progress, $0)
            }
        })

    private static func check(_ invocation: Invocation) throws(Failure) {
        if invocation[once]?.isEmpty == true {
            throw Failure.emptyOnceKey
        }
        guard invocation[replyTo] == nil || invocation[to].isEmpty else {
            throw Failure.replyToSeveral
        }
        let pipes = invocation[attach].filter { $0 == PipedFile.mark }.count
        guard pipes < 2, pipes == 0 || invocation[text] != PipedFile.mark else { throw Failure.standardInputTwice }
        guard invocation[duration] == nil || invocation[voice] != nil else { throw Failure.durationWithoutVoice }
        guard invocation[name] == nil || pipes > 0 else { throw Failure.nameOfNoInput }
        guard !invocation[support] || invocation[supportOf] == nil else { throw Failure.supportTwice("send") }
    }

    /// Throws for a text that says nothing, and for a time that the other side would not keep to.
    ///
    /// SECURITY: the core sends such a message without a time, while its author believes that it disappears.
    private static func check(
        _ text: String, _ attached: AttachedFiles, in chat: Chat, _ invocation: Invocation
    ) throws(ChatError) {
        guard !text.isEmpty || !attached.isEmpty else { throw .emptyMessage }
        guard let ttl = invocation[expires]?.ttl, ttl > 0, !chat.allowsTimers else { return }
        throw chat.timersOff
    }

    private static func send(
        _ text: String, _ piped: PipedFile?, _ voice: VoiceMessage?, _ progress: FileProgress, _ session: CommandSession
    ) async throws -> ExitCode {
        let invocation = session.invocation
        var chats: [Chat] = []
        for target in [invocation[target]] + invocation[to] {
            do {
                let chat = try await session.chat(target)
                if let contact = chat.contact, contact.invitesUser, !contact.isReady {
                    throw Reason.unacceptedMember(contact.target)
                }
                if !chats.contains(where: { $0.reference == chat.reference }) { chats.append(chat) }
            } catch {
                throw Explained(error).failure(during: "send to \(UntrustedText(target.word).quoted)")
            }
        }
        if invocation[sign], let other = chats.first(where: { $0.group?.isChannel != true }) {
            throw Failure.signatureOutsideChannels(other.target)
        }
        let supported = try await supported(chats, session)
        if invocation[requireVerified] {
            for chat in chats {
                do {
                    try await requireVerified(chat, session)
                } catch {
                    throw Explained(error).failure(during: "send to \(UntrustedText(chat.target).quoted)")
                }
            }
        }
        if invocation[dryRun] {
            for chat in chats {
                try invocation.print(done: try await dryReport(chat, supported ?? chat.sendingTarget, session))
            }
            return .ok
        }
        let deadline = ContinuousClock.now + invocation[timeout]
        var codes: [ExitCode] = []
        var written: [Written] = []
        let paths = invocation[attach].map { $0 == PipedFile.mark ? piped?.path ?? $0 : LocalPath.absolute($0) }
        let attached = try AttachedFiles(
            voice, paths, piped: piped?.path, caption: text, keepsMetadata: invocation[keepsMetadata],
            folder: session.host.folder.files)
        var mentions: [ChatReference: MentionedNames] = [:]
        for chat in chats {
            guard let group = chat.group else { continue }
            mentions[chat.reference] = try await session.mentions(in: text, of: group)
        }
        for chat in chats {
            let target = supported ?? (invocation[asMember] ? .reference(chat.reference) : chat.sendingTarget)
            do {
                try check(text, attached, in: chat, invocation)
                var message = ComposedMessage(
                    MessageContent(text), answering: try await answered(in: chat, target, session))
                if let names = mentions[chat.reference] {
                    message.content = MessageContent(names.text)
                    message.mentions = names.members
                }
                let text = message.content.text
                let command = SendMessages(
                    target, attached.messages(with: message), once: invocation[once],
                    ttl: invocation[expires]?.ttl, isSplit: invocation[splits], isSigned: invocation[sign])
                switch try await session.execute(command) {
                case .newItems(_, let items): written += items.map { Written(item: $0) }
                case .partsSentBefore(_, _, let items):
                    // Parts that were removed cannot be compared.
                    let known = items.map(\.item.content.plainText).joined()
                    let isWhole = items.allSatisfy { $0.item.editedAt == nil && $0.item.deletedAt == nil }
                    let differs = isWhole && !text.hasPrefix(known) && !text.hasSuffix(known)
                    if differs, let first = items.first { warn(first, invocation) }
                    written += items.map { Written(item: $0, isDuplicate: true, differs: differs) }
                case .sentBefore(_, _, _, let item?):
                    let differs = item.item.differs(from: text)
                    if differs { warn(item, invocation) }
                    written.append(Written(item: item, isDuplicate: true, differs: differs))
                case .sentBefore(_, let chat, let id, nil):
                    try invocation.print(done: RemovedSendReport(chat: chat, id: id))
                    codes.append(.ok)
                }
            } catch {
                codes.append(report(error, chat, invocation))
            }
        }
        if written.allSatisfy(\.isDuplicate) { attached.discardCopies() } else { piped?.keep() }
        if invocation[expires] == nil {
            for message in written where !message.isDuplicate { warnIfPermanent(message.item, invocation) }
        }
        session.invocation.whenWritten()
        // The parts of a text are one message to its sender.
        var parts: [ChatReference: [ExitCode]] = [:]
        for message in written {
            let chat = message.chat
            let all = written.filter { $0.chat == chat }.map(\.id)
            let part = all.firstIndex(of: message.id).flatMap { SendReport.Part($0 + 1, of: all.count) }
            // What holds up one part holds up those behind it.
            let isKnown = parts[chat]?.last.map { $0 != .ok } ?? false
            let code = try await finish(
                message.item, isDuplicate: message.isDuplicate, differs: message.differs, part: part, isKnown: isKnown,
                progress: progress, deadline, session)
            parts[chat, default: []].append(code)
        }
        return .together(codes + parts.values.map { .worst(of: $0) })
    }

    /// The message that is replied to; nil if none is.
    private static func answered(
        in chat: Chat, _ target: ChatTarget, _ session: CommandSession
    ) async throws -> ChatItemID? {
        guard let name = session.invocation[replyTo] else { return nil }
        var query = ItemQuery()
        query.chat = chat.reference
        if let group = chat.group {
            query.support =
                if case .support(_, let member) = target { .member(member ?? group.membership.id) } else {
                    .some(.none)
                }
        }
        if case .id(let id) = name { return id }
        return try await session.message(name, .received, query).item.id
    }

    /// The conversation with the moderators that is meant; nil for the chats themselves.
    private static func supported(_ chats: [Chat], _ session: CommandSession) async throws -> ChatTarget? {
        let invocation = session.invocation
        guard invocation[support] || invocation[supportOf] != nil else { return nil }
        guard let chat = chats.first, chats.count == 1 else { throw Failure.supportOfSeveral }
        guard let group = chat.group else { throw Reason.isNoGroup(chat.target) }
        guard let target = invocation[supportOf] else { return .support(group.id, nil) }
        let member = try await session.member(target)
        guard member.group.id == group.id else { throw Reason.membersOfSeveralGroups }
        return .support(group.id, member.member.id)
    }

    /// Who would get a message.
    private static func dryReport(
        _ chat: Chat, _ target: ChatTarget, _ session: CommandSession
    ) async throws -> SendReport {
        var report = SendReport(chat: chat, item: nil)
        guard let group = chat.group else { return report }
        var members = try await session.members(of: group).filter(\.status.isCurrent)
        if case .support(_, let member) = target {
            report.support = member ?? group.membership.id
            members.removeAll { $0.role < .moderator && $0.id != member }
        }
        report.recipients = members.map(\.name)
        return report
    }

    /// A message that was written to the store, now or by an earlier command with the same key.
    private struct Written {
        let item: LocatedItem
        var isDuplicate = false
        var differs = false

        var chat: ChatReference { item.chat.reference }
        var id: ChatItemID { item.item.id }
    }

    /// Warns that a message is permanent although messages of its chat disappear by default.
    private static func warnIfPermanent(_ item: LocatedItem, _ invocation: Invocation) {
        guard item.chat.expiry != nil, item.item.ttl == nil else { return }
        let chat = UntrustedText(item.chat.target).quoted
        let peer = item.chat.group == nil ? "the contact" : "the group"
        invocation.warn("the message to \(chat) does not disappear: \(peer) does not allow it")
    }

    /// Fails unless somebody compared the security code of a contact, and it is the one under which a message would be sent.
    private static func requireVerified(_ chat: Chat, _ session: CommandSession) async throws {
        // Nobody is between the profile and itself.
        if chat.isNotes { return }
        if chat.group != nil { throw Reason.groupHasNoCode }
        guard let contact = chat.contact else { throw ChatError.contactNotActive(chat.name) }
        let compare = Failure.Attempt(words: ["tacit", "contact", "verify", contact.target], "compare the code")
        if let time = contact.codeChangedAt { throw Reason.codeChanged(at: session.invocation.time(time), compare) }
        guard let verification = contact.verification else {
            throw Reason.unverified(compare)
        }
        guard contact.connection?.synchronization.allowsSending != false else {
            throw Reason.codeChanging
        }
        let code = try await session.execute(ShowSecurityCode(.reference(chat.reference))).code
        guard code.text == verification.code else { throw Reason.codeChanged(at: nil, compare) }
    }

    /// Warns that a key was used before for another text.
    private static func warn(_ item: LocatedItem, _ invocation: Invocation) {
        invocation.warn(
            """
            not sent to \(UntrustedText(item.chat.target).quoted): the key of '--once' was used with another text, \
            \(ObjectID.text(item.item.id))
            """)
    }

    /// Waits until the message is where it should be, and reports where it is.
    ///
    /// - Parameters:
    ///   - part: Which part of a text it is.
    ///   - isKnown: Whether the user knows already why it is not there.
    static func finish(
        _ item: LocatedItem, isDuplicate: Bool = false, differs: Bool = false, part: SendReport.Part? = nil,
        isKnown: Bool = false, progress: FileProgress? = nil, _ deadline: ContinuousClock.Instant,
        _ session: CommandSession
    ) async throws -> ExitCode {
        let invocation = session.invocation
        var queued = SendReport(chat: item.chat, item: item.item, isDuplicate: isDuplicate, differs: differs)
        queued.part = part
        guard invocation[wait] != .queued else {
            try invocation.print(done: queued)
            return .ok
        }
        let hasFile = item.item.file?.transport == .xftp
        if hasFile, let progress {
            session.progress.start { progress.step }
        } else {
            session.progress.start { "sending to \(item.chat.target)" }
        }
        // For a file the time without progress counts.
        let left = hasFile ? invocation[timeout] : max(deadline - ContinuousClock.now, .zero)
        var waiting = DeliveryWait(
            id: item.item.id, isForReceipt: invocation[wait] == .delivered, isDuplicate: isDuplicate,
            differs: differs)
        waiting.part = part
        let waited: (any Error)?
        do {
            if hasFile, let progress {
                waited = try await session.resumable(by: "fetch", progress) {
                    [waiting] in try await waiting.run(left, session)
                }
            } else {
                waited = try await waiting.run(left, session)
            }
        } catch {
            // Whatever goes wrong now, the message is in the outbox, and whoever sends it again sends it twice.
            session.progress.stop()
            try invocation.print(done: queued)
            throw error
        }
        session.progress.stop()
        guard let waited else { return .ok }
        return isKnown ? failure(waited, item.chat).exit : report(waited, item.chat, invocation)
    }

    private static func failure(_ error: any Error, _ chat: Chat) -> Failure {
        Explained(error).failure(during: "send to \(UntrustedText(chat.target).quoted)")
    }

    private static func report(_ error: any Error, _ chat: Chat, _ invocation: Invocation) -> ExitCode {
        guard let error = error as? ChatError, case .messageTooLarge = error, !invocation[splits] else {
            return invocation.report(failure(error, chat))
        }
        var reason = Reason(error)
        reason.tries = [.init("tacit send --split ...", "split the text into several messages")]
        return invocation.report(failure(reason, chat))
    }
}

extension ChatItem {
    /// True if the message says something else than a text. What it said before it was changed or removed is not known.
    fileprivate func differs(from text: String) -> Bool {
        guard case .message(let content) = content, editedAt == nil, deletedAt == nil else { return false }
        return content.text != text
    }
}

/// A message that was sent with the same key before, and removed since.
private struct RemovedSendReport: Report {
    let chat: Chat
    let id: ChatItemID

    static let forms = SendReport.forms

    var json: JSONObject {
        var json = JSONObject(type: "send")
        json.set("id", ObjectID.text(id))
        json.set("chat", chat.target)
        json.set("chat_id", chat.objectID)
        json.set("state", "removed")
        json.set("duplicate", true)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [
            StyledText("removed ") + StyledText(chat.target, .name)
                + StyledText(" \(ObjectID.text(id)) (before)", .muted)
        ]
    }
}
