import AgentProtocol
import ChatCore
import CommandKit
import Commands
import Navigation
import TerminalKit

/// What a typed line means.
extension Session {
    func take(line: String) async {
        let text = line.trimmed
        guard !text.isEmpty else { return }
        if isLateAnswer(text) { return say("\(UntrustedText(text).quoted) was not sent", .warning) }
        if let link = SessionLink(text) { return await follow(link, mayBeMessage: conversation != nil) }
        let command = text.first == "/" ? String(text.dropFirst()) : text
        let isBlock = text.contains("\n") && !SessionWord.maySendBlock(command)
        // In a chat a block is a message, whatever it begins with.
        if conversation == nil || !isBlock, let addressed = AddressedLine(text) {
            return await take(addressed, typed: line)
        }
        if conversation == nil {
            guard !isBlock else {
                say("several lines are a message and not a command; nothing was done", .warning)
                return giveBack(line)
            }
            await carryOut(command, typed: text)
        } else if text.hasPrefix("//") {
            await send(String(text.dropFirst()))
        } else if text.first == "/", !isBlock {
            await carryOut(command, typed: text)
        } else if Session.isReflex(text) {
            await take(reflex: line)
        } else {
            await send(line)
        }
    }

    /// Carries out a command, without the slash in front.
    private func carryOut(_ text: String, typed: String) async {
        // What was in the line before the command is not to come back with the next session.
        await keepDraft(editor?.text ?? "")
        editor?.remember(typed)
        await memory.store(line: typed)
        var text = text
        // As it stands in advice, which is meant for the shell.
        if text.hasPrefix("tacit ") { text = CommandWords.rest(of: text, after: 1) }
        let line = CommandWords(text)
        guard let first = line.texts.first else { return }
        let takesText = SessionWord(rawValue: first)?.takesText == true
        guard line.openQuote == nil || takesText else {
            say("a quote is not closed", .error)
            return giveBack(typed)
        }
        print([StyledText("> \(text)", .muted).truncated(toWidth: area.width - 1)])
        let rest = CommandWords.rest(of: text, after: 1)
        if let word = SessionWord(rawValue: first), word.wins(inConversation: conversation != nil) {
            guard rest.isEmpty || !word.arguments.isEmpty else {
                return say("'\(word.rawValue)' takes no arguments; nothing was done", .warning)
            }
            return await perform(word, line, rest)
        }
        if conversation != nil, let number = Int64(first), line.words.count == 1 { return await goTo(message: number) }
        if await choose(text) { return }
        let words = await completed(line.texts)
        guard let guesses = commands.guesses(forUnknown: words) else {
            await run(words)
            // What was asked for is not to be chosen once more.
            if ["accept", "reject"].contains(first), state.path.top.isA(RequestsScreen.self) { await showTop() }
            return await leaveWhatIsGone()
        }
        // A path means a place also without 'open'.
        if typed.first == "/", first.contains("/"), await go(to: typed) { return await showTop() }
        // Not all chats have room in their list.
        if isListOfChats, let chat = await chat(named: line.texts.joined(separator: " ")) {
            if await go(to: ChatScreen(chat)) { await showTop() }
            return
        }
        say(unknown: first, guesses)
    }

    /// Whether the chats of a profile are on the screen.
    var isListOfChats: Bool { state.path.top.value is HomeScreen && conversation == nil }

    private func say(unknown word: String, _ guesses: [String]) {
        guard !SessionLink.isMeant(by: word) else {
            return say("this link leads nowhere: it is incomplete, or not a SimpleX link", .error)
        }
        if !word.contains("/") { say("there is no command or name \(UntrustedText(word).quoted) here", .error) }
        let own = SessionWord.allCases.map(\.rawValue) + choices.map(\.name)
        let near = Suggestion.closest(to: word, among: own) + guesses
        say(
            (near.first.map { "did you mean \(UntrustedText($0).quoted)? " } ?? "")
                + (conversation == nil
                    ? "help lists the commands" : "/help lists the commands; // begins a message with a slash"),
            .muted)
    }

    /// Words as the tree wants them: what can be done with a contact needs no name on its screens, and a request may be
    /// meant by its number.
    private func completed(_ words: [String]) async -> [String] {
        guard let first = words.first else { return words }
        if ["verify", "rename"].contains(first), chat != nil, words.count > 2,
            !words.contains(where: { $0.hasPrefix("-") })
        {
            return await completed([first, words.dropFirst().joined(separator: " ")])
        }
        if ["accept", "reject"].contains(first) {
            return [first]
                + words.dropFirst().map { word in
                    Int(word).flatMap { choices.indices.contains($0 &- 1) ? choices[$0 &- 1].request : nil } ?? word
                }
        }
        guard let chat, CommandTree.tacit.root.subcommand(first) == nil,
            CommandTree.tacit.command(at: ["contact", first]) != nil
        else { return words }
        let name = await reader.name(of: chat.subject.subject).map { "@\($0)" }
        return ["contact", first, name ?? "id:\(ObjectID.text(chat))"] + words.dropFirst()
    }

    /// Goes back to what is there still, where a command has removed what is on the screen.
    private func leaveWhatIsGone() async {
        guard let subject = chat?.subject.subject, await reader.profile(of: subject) == nil else { return }
        await change { path in
            while path.top.value.subjects.contains(subject) { path.pop() }
        }
        await showTop()
    }

    /// Goes to a thing of the list on the screen, by its number or name.
    func choose(_ text: String) async -> Bool {
        let name = CommandWords(text).texts.joined(separator: " ")
        let isCommand = CommandTree.tacit.root.subcommand(CommandWords(text).texts.first ?? "") != nil
        // SECURITY: what somebody else is called must not take the place of a command.
        guard !isCommand || choices.contains(where: { $0.winsOverCommands && $0.name == name }) else { return false }
        for choice in choices {
            let words = CommandWords(text).texts
            guard let change = choice.change, let wish = change.setting.wish(words, isOn: change.isOn) else { continue }
            await turn(change.setting, on: wish)
            return true
        }
        let choice: Drawing.Choice?
        if let number = Int(name) {
            choice = choices.indices.contains(number &- 1) ? choices[number &- 1] : nil
            guard choice != nil else {
                say("there is no number \(number) here", .error)
                return true
            }
        } else {
            let plain = name.first == "@" ? String(name.dropFirst()) : name
            choice = choices.first { $0.name == plain }
        }
        guard let choice else { return false }
        if let request = choice.request { await decide(on: request) }
        if let change = choice.change { await turn(change.setting, on: !change.isOn) }
        if let screen = choice.screen, await go(to: screen) { await showTop() }
        return true
    }

    private func decide(on request: String) async {
        switch await answer(to: StyledText("Accept @\(request), or reject it? [a/r] "))?.trimmed.lowercased() {
        case "a", "accept": await run(["accept", "--", request])
        case "r", "reject": await run(["reject", "--", request])
        default: return say("nothing was done", .muted)
        }
        await showTop()
    }

    // MARK: - The session's own words

    private func perform(_ word: SessionWord, _ line: CommandWords, _ rest: String) async {
        switch word {
        case .open, .cd: await open(rest)
        case .back:
            await change { $0.pop() }
            await showTop()
        case .up:
            if await go(to: "..") { await showTop() }
        case .home:
            await change { $0.popToFirstOpened() }
            if state.path.home == nil { await startAtHome() }
            await showTop()
        case .next: await goToNextUnread()
        case .requests, .settings:
            if await go(to: "/" + word.rawValue) { await showTop() }
        case .show: await showTop()
        case .new: await lay(.newChat)
        case .picker: await lay(.profilePicker)
        case .transfer: await lay(.transfer)
        case .news: await lay(.whatsNew)
        case .clear: editor?.clearScreen()
        case .help, .question: await help(line)
        case .quit, .exit, .q: leave()
        case .msg:
            guard let addressed = AddressedLine(argument: rest) else { return say("/msg NAME TEXT", .error) }
            await take(addressed, typed: "/msg \(rest)", needsText: true)
        case .decline: await calls.decline(in: state.profile)
        case .lock: lock()
        case .more, .end, .search, .goto, .reply, .edit, .delete, .react, .forward, .info:
            await performInConversation(word, line, rest)
        }
    }

    /// Goes to a thing of the list, a contact by name, or a place.
    private func open(_ rest: String) async {
        let name = CommandWords(rest).texts.joined(separator: " ")
        guard !name.isEmpty else {
            await change { $0.popToFirstOpened() }
            return await showTop()
        }
        if let destination = Destination(name), destination.isFixed { return await arrive(at: destination) }
        if await choose(rest) { return }
        if await reach(name) { await showTop() }
    }

    /// Goes to a contact by name, or to a place.
    func reach(_ name: String) async -> Bool {
        let isTarget = name.first == "@" || name.hasPrefix("id:")
        let isPath = name.first == "/" || name.first == "."
        if !isPath, let chat = await chat(named: name) {
            return await go(to: ChatScreen(chat))
        }
        if name == "notes" {
            await openNotes()
            return false
        }
        guard isTarget else { return await go(to: name) }
        say("there is no contact \(UntrustedText(name).quoted)", .error)
        return false
    }

    /// The chat with a name behind `@`, or with an id.
    func chat(named name: String) async -> ChatReference? {
        if name.hasPrefix("id:c"), let number = Int64(name.dropFirst(4)) {
            return ChatReference(await reader.chat(numbered: number) ?? .contact(number))
        }
        guard let profile = state.profile else { return nil }
        let plain = name.first == "@" ? String(name.dropFirst()) : name
        return await reader.chat(named: plain, in: profile).map { ChatReference($0) }
    }

    private func help(_ line: CommandWords) async {
        let slash = conversation == nil ? "" : "/"
        guard line.words.count == 1 else {
            var words = Array(line.texts.dropFirst())
            if words[0].first == "/" { words[0].removeFirst() }
            if words.count == 1, let word = SessionWord(rawValue: words[0]) {
                return print(HelpLines.lines([word], slash: slash, width: area.width))
            }
            await run(["help"] + words)
            return
        }
        let words = SessionWord.allCases.filter { word in
            (conversation != nil || !SessionWord.ofConversations.contains(word)) && word.original == nil
        }
        print(HelpLines.lines(words, slash: slash, width: area.width))
        if conversation != nil {
            say("A line without a slash is a message. Alt-Enter starts a new line in it.", .muted)
        }
        say("@NAME TEXT sends a message to another contact. @NAME opens a chat. Tab completes names.", .muted)
        say("All tacit commands work here, without 'tacit': \(slash)help COMMAND explains one.", .muted)
    }
}

extension String {
    /// The text without spaces and line breaks around it.
    var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\t" }
        guard let last = lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(self[...last].drop(while: isSpace))
    }
}
