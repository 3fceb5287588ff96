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
        if let link = SessionLink(text) { return await follow(link, mayBeMessage: conversation != nil) }
        if conversation == nil {
            await carryOut(text.first == "/" ? String(text.dropFirst()) : text, typed: text)
        } else if text.hasPrefix("//") {
            await send(String(text.dropFirst()))
        } else if text.first == "/" {
            await carryOut(String(text.dropFirst()), typed: text)
        } else {
            await send(line)
        }
    }

    /// Carries out a command, without the slash in front.
    private func carryOut(_ text: String, typed: String) async {
        Readline.remember(typed)
        await memory.store(line: typed)
        let line = CommandWords(text)
        guard line.openQuote == nil else { return say("a quote is not closed", .error) }
        guard let first = line.texts.first else { return }
        print([StyledText("> \(text)", .muted).truncated(toWidth: area.width - 1)])
        let rest = CommandWords.rest(of: text, after: 1)
        if let word = SessionWord(rawValue: first), word.wins(inConversation: conversation != nil) {
            return await perform(word, line, rest)
        }
        if conversation != nil, let number = Int64(first), line.words.count == 1 { return await goTo(message: number) }
        if await choose(text) { return }
        let words = completed(line.texts)
        if let guesses = store.guesses(forUnknown: words) { return say(unknown: first, guesses) }
        await run(words)
    }

    private func say(unknown word: String, _ guesses: [String]) {
        say("there is no command or name \(UntrustedText(word).quoted) here", .error)
        let own = SessionWord.allCases.map(\.rawValue) + choices.map(\.name)
        let near = Suggestion.closest(to: word, among: own) + guesses
        say((near.first.map { "did you mean \(UntrustedText($0).quoted)? " } ?? "") + "help says what there is", .muted)
    }

    /// Words as the tree wants them: what can be done with a contact needs no name on its screens.
    private func completed(_ words: [String]) -> [String] {
        guard let contact, let first = words.first, CommandTree.tacit.root.subcommand(first) == nil,
            CommandTree.tacit.command(at: ["contact", first]) != nil
        else { return words }
        return ["contact", first, "id:c\(contact.number)"] + words.dropFirst()
    }

    /// Goes to a thing of the list on the screen, by its number or name.
    private func choose(_ text: String) async -> Bool {
        let name = CommandWords(text).texts.joined(separator: " ")
        let isCommand = CommandTree.tacit.root.subcommand(CommandWords(text).texts.first ?? "") != nil
        // SECURITY: what somebody else is called must not take the place of a command.
        guard !isCommand || choices.contains(where: { $0.winsOverCommands && $0.name == name }) else { return false }
        let choice: Drawing.Choice?
        if let number = Int(name) {
            choice = choices.indices.contains(number - 1) ? choices[number - 1] : nil
            guard choice != nil else {
                say("there is no number \(number) here", .error)
                return true
            }
        } else {
            let plain = name.first == "@" ? String(name.dropFirst()) : name
            choice = choices.first { $0.name == plain }
        }
        guard let choice else { return false }
        if await go(to: choice.screen) { await showTop() }
        return true
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
            await showTop()
        case .requests, .settings:
            if await go(to: "/" + word.rawValue) { await showTop() }
        case .show: await showTop()
        case .new: await lay(.newChat)
        case .picker: await lay(.profilePicker)
        case .transfer: await lay(.transfer)
        case .news: await lay(.whatsNew)
        case .clear: editor?.clearScreen()
        case .help: await help(line)
        case .quit, .exit: leave()
        case .decline: await declineCall()
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
        let isTarget = name.first == "@" || name.hasPrefix("id:")
        let isPath = name.first == "/" || name.first == "."
        if !isPath, let contact = await contact(named: name) {
            if await go(to: ChatScreen(contact: contact.number)) { await showTop() }
        } else if isTarget {
            say("there is no contact \(UntrustedText(name).quoted)", .error)
        } else if await go(to: name) {
            await showTop()
        }
    }

    /// The contact with a name behind `@`, or with an id.
    func contact(named name: String) async -> ContactID? {
        if name.hasPrefix("id:c"), let number = Int64(name.dropFirst(4)) { return ContactID(number) }
        let plain = name.first == "@" ? String(name.dropFirst()) : name
        return await reader.subject(.contact, named: plain, in: state.profile).map { ContactID($0.number) }
    }

    private func help(_ line: CommandWords) async {
        guard line.words.count == 1 else {
            await run(line.texts)
            return
        }
        let words = SessionWord.allCases.filter { word in
            (conversation != nil || !SessionWord.ofConversations.contains(word)) && word.original == nil
        }
        let slash = conversation == nil ? "" : "/"
        print(HelpLines.lines(words, slash: slash, width: area.width))
        if conversation != nil { say("A line without a slash is sent. Alt-Enter begins a new line in it.", .muted) }
        say("Every command works as in the shell, without 'tacit': \(slash)help COMMAND explains one.", .muted)
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
