import AgentProtocol
import ChatCore
import CommandKit
import Commands
import Navigation
import TerminalKit

/// The meaning of a typed line: a message, a command, a link or a name.
extension Composer {
    /// Carries out a typed line.
    func take(line: String) async {
        let text = line.trimmed
        guard !text.isEmpty else { return }
        if isLateAnswer(text) { return display.say("\(UntrustedText(text).quoted) was not sent", .warning) }
        if let link = SessionLink(text) { return await take(link) }
        let command = text.first == "/" ? String(text.dropFirst()) : text
        let isBlock = text.contains("\n") && !SessionWord.maySendBlock(command)
        // In a chat a block is a message, whatever it begins with.
        if conversation == nil || !isBlock, let addressed = AddressedLine(text) {
            return await take(addressed, typed: line)
        }
        if conversation == nil {
            guard !isBlock else {
                display.say("a command has one line; nothing was done", .warning)
                return drafts.giveBack(line)
            }
            await carryOut(command, typed: text)
        } else if text.hasPrefix("//") {
            await send(String(text.dropFirst()))
        } else if text.first == "/", !isBlock {
            await carryOut(command, typed: text)
        } else if Composer.isReflex(text) || isAnswerToCall(text) {
            await take(reflex: line)
        } else {
            await send(line)
        }
    }

    /// Carries out a command, without the slash in front.
    private func carryOut(_ text: String, typed: String) async {
        // The draft without the command.
        await drafts.keep(display.terminal?.text ?? "", of: conversation)
        display.terminal?.remember(typed)
        await memory.store(line: typed)
        var text = text
        // Advice is written for the shell.
        if text.hasPrefix("tacit ") { text = CommandWords.rest(of: text, after: 1) }
        let line = CommandWords(text)
        guard let first = line.texts.first else { return }
        let takesText = SessionWord(rawValue: first)?.takesText == true
        guard line.openQuote == nil || takesText else {
            // As any other command line: the arrow up brings it back.
            return display.say("a quote is not closed", .error)
        }
        display.print(row: StyledText("> \(text)", .muted))
        let rest = CommandWords.rest(of: text, after: 1)
        if let word = SessionWord(rawValue: first), word.wins(inConversation: conversation != nil) {
            guard rest.isEmpty || !word.arguments.isEmpty else {
                return display.say("'\(word.rawValue)' takes no arguments; nothing was done", .warning)
            }
            return await perform(word, line, rest)
        }
        if conversation != nil, let number = Int64(first), line.words.count == 1 {
            return await router.goTo(message: number)
        }
        if await router.choose(text) { return }
        let words = await completed(line.texts)
        guard let guesses = commands.guesses(forUnknown: words) else {
            await commands.run(words)
            // A request that was answered must not be chosen again.
            if ["accept", "reject"].contains(first), router.showsRequests { await router.showTop() }
            return await router.leaveWhatIsGone()
        }
        // A path is a place also without 'open'.
        if typed.first == "/", first.contains("/"), await router.go(to: typed) { return await router.showTop() }
        // The list has no room for all chats.
        if router.isListOfChats, let chat = await router.chat(named: line.texts.joined(separator: " ")) {
            if await router.go(to: ChatScreen(chat)) { await router.showTop() }
            return
        }
        say(unknown: first, guesses)
    }

    private func say(unknown word: String, _ guesses: [String]) {
        guard !SessionLink.isMeant(by: word) else { return display.say(SessionLink.obstacle(of: word), .error) }
        if !word.contains("/") { display.say("unknown command or name \(UntrustedText(word).quoted)", .error) }
        let own = SessionWord.allCases.map(\.rawValue) + router.choices.map(\.name)
        let near = Suggestion.closest(to: word, among: own) + guesses
        display.say(
            (near.first.map { "did you mean \(UntrustedText($0).quoted)? " } ?? "")
                + (conversation == nil
                    ? "help lists the commands" : "/help lists the commands; // begins a message with a slash"),
            .muted)
    }

    /// Completes a command: those of contacts need no name on the screens of a contact, and the number of a request is replaced by
    /// its name.
    private func completed(_ words: [String]) async -> [String] {
        guard let first = words.first else { return words }
        if ["verify", "rename"].contains(first), chat != nil, words.count > 2,
            !words.contains(where: { $0.hasPrefix("-") })
        {
            return await completed([first, words.dropFirst().joined(separator: " ")])
        }
        if let words = await completedForGroup(words) { return words }
        if ["accept", "reject"].contains(first) {
            return [first]
                + words.dropFirst().map { word in
                    let index = (Int(word) ?? 0) &- 1
                    return router.choices.indices.contains(index) ? router.choices[index].request ?? word : word
                }
        }
        guard let chat, CommandTree.tacit.root.subcommand(first) == nil,
            CommandTree.tacit.command(at: ["contact", first]) != nil
        else { return words }
        let name = await reader.name(of: chat.subject.subject).map { "@\($0)" }
        return ["contact", first, name ?? "id:\(ObjectID.text(chat))"] + words.dropFirst()
    }

    /// Completes a command of a group or a member on its screens; nil for another one.
    private func completedForGroup(_ words: [String]) async -> [String]? {
        guard let first = words.first, case .group(let group)? = chat else { return nil }
        let rest = Array(words.dropFirst())
        if ["clear"].contains(first) { return nil }
        guard CommandTree.tacit.command(at: ["group", first]) != nil, !["list", "create", "moderate"].contains(first),
            // What names its target goes as it is.
            !rest.contains(where: { $0.hasPrefix("+") || $0.hasPrefix("id:") })
        else { return nil }
        let isTree = CommandTree.tacit.root.subcommand(first) != nil
        if let member = router.member, ["accept", "reject", "role", "block", "unblock", "remove"].contains(first) {
            return ["group", first, "id:\(ObjectID.text(member))"] + rest
        }
        guard !isTree || (["accept", "reject"].contains(first) && rest.isEmpty) else { return nil }
        let name = await reader.name(of: Subject(.group, group.number)).map { "+\($0)" }
        let target = name ?? "id:\(ObjectID.text(.group(group)))"
        // On the screens of a group a name alone is that of a member.
        if ["accept", "role", "block", "unblock", "remove"].contains(first), let member = rest.first {
            let plain = member.first == "@" ? member : "@" + member
            return ["group", first, target + "/" + plain] + rest.dropFirst()
        }
        return ["group", first, target] + rest
    }

    // MARK: - The session's own commands

    private func perform(_ word: SessionWord, _ line: CommandWords, _ rest: String) async {
        if await router.perform(word, line, rest) { return }
        switch word {
        case .clear: display.terminal?.clearScreen()
        case .help, .question: await help(line)
        case .msg:
            guard let addressed = AddressedLine(argument: rest) else { return display.say("/msg NAME TEXT", .error) }
            await take(addressed, typed: "/msg \(rest)", needsText: true)
        case .say: await say(toModerators: rest, typed: "say \(rest)")
        case .me:
            guard !rest.isEmpty else { return display.say("/me TEXT", .error) }
            await send("_\(rest)_", typed: "/me \(rest)")
        case .decline: await calls.decline(in: router.profile)
        case .lock: controls.lock()
        case .reply, .edit, .delete, .moderate, .react, .forward: await performOnMessage(word, line, rest)
        case .attach: await attach(line, rest, typed: "/attach \(rest)")
        case .receive, .save, .show: await performOnFile(word, line)
        default: controls.leave()
        }
    }

    /// Asks whether a link in a conversation is a message. Otherwise it is followed.
    private func take(_ link: SessionLink) async {
        if conversation != nil {
            let question: StyledText = "A link: connect with it, or send it as text? [c/s] "
            let answer = await display.answer(to: question)?.trimmed.lowercased()
            if answer == "s" { return await send(link.text) }
            guard answer == "c" else { return display.say("nothing was done", .muted) }
        }
        await router.follow(link)
    }

    private func help(_ line: CommandWords) async {
        let slash = conversation == nil ? "" : "/"
        guard line.words.count == 1 else {
            var words = Array(line.texts.dropFirst())
            if words[0].first == "/" { words[0].removeFirst() }
            if words.count == 1, let word = SessionWord(rawValue: words[0]) {
                return display.print(HelpLines.lines([word], slash: slash, width: display.area.width))
            }
            await commands.run(["help"] + words)
            return
        }
        let words = SessionWord.allCases.filter { word in
            word.fits(conversation, isSupport: router.supportChat != nil, isRinging: !calls.calls.isEmpty)
        }
        display.print(HelpLines.lines(words, slash: slash, width: display.area.width))
        if conversation != nil {
            display.say("A line without a slash is a message. Alt-Enter starts a new line in it.", .muted)
        }
        display.say("@NAME TEXT sends a message to another contact. @NAME opens a chat. Tab completes names.", .muted)
        display.say("All tacit commands work here, without 'tacit': \(slash)help COMMAND explains one.", .muted)
    }
}
