import AgentProtocol
import ChatCore
import CommandKit
import Commands
import Navigation
import TerminalKit

/// Completion of the word before the cursor.
extension Composer {
    /// Completes the word before the cursor, unless the line has changed in between.
    func complete(_ text: String, _ cursor: Int) async {
        guard let terminal = display.terminal else { return }
        let head = String(decoding: Array(text.utf8).prefix(cursor), as: UTF8.self)
        let completion = await completion(of: head)
        guard terminal.text == text, terminal.cursor == cursor, let completion else { return }
        switch completion.outcome {
        case .nothing: break
        case .replace(let range, let word): terminal.replace(range, with: word)
        case .choose(let words): display.print(WordCompletion.rows(words, width: display.area.width - 1))
        }
    }

    private func completion(of head: String) async -> WordCompletion? {
        if head.first == "@" || head.first == "+", let completion = await names(completing: head) { return completion }
        if conversation != nil, head.first != "/", let completion = await mention(in: head) { return completion }
        if conversation != nil, head.first != "/" { return emoji(in: head) }
        let start = head.first == "/" ? 1 : 0
        let line = CommandWords(String(head.dropFirst(start)))
        var words = line.texts
        let end = head.utf8.count
        var range = end..<end
        if let last = line.words.last, last.end + start == end {
            range = (last.start + start)..<end
        } else {
            words.append("")
        }
        // A name may have spaces, and what opens a chat takes one name only.
        if words.count > 2, let first = words.first, let word = SessionWord(rawValue: first),
            [.open, .cd, .msg].contains(word), let second = line.words.dropFirst().first,
            !["\"", "'"].contains(head.utf8.dropFirst(second.start + start).first.map { Character(Unicode.Scalar($0)) })
        {
            range = (second.start + start)..<end
            words = [first, String(decoding: Array(head.utf8)[range], as: UTF8.self)]
        }
        return WordCompletion(range, typed: words.last ?? "", await candidates(for: words))
    }

    /// The names behind an `@` at the beginning of a line, which need no quotes there. Nil if none begins so.
    private func names(completing head: String) async -> WordCompletion? {
        let candidates = await names()
        let completion = WordCompletion(0..<head.utf8.count, typed: head, candidates, isVerbatim: true)
        return completion.candidates.isEmpty ? nil : completion
    }

    /// The name of a member behind an `@` in a message to a group. Nil if none begins so.
    private func mention(in head: String) async -> WordCompletion? {
        guard case .group(let group)? = conversation, let mark = head.lastIndex(of: "@") else { return nil }
        let members = await reader.failures.value { try await reader.members(of: group) } ?? []
        let candidates = members.filter(\.status.isCurrent).map { Offer.Candidate(MentionedNames.word($0.name)) }
        let start = head[..<mark].utf8.count
        let completion = WordCompletion(
            start..<head.utf8.count, typed: String(head[mark...]), candidates, isVerbatim: true)
        return completion.candidates.isEmpty ? nil : completion
    }

    /// The name of an emoji between colons, anywhere in a message.
    private func emoji(in head: String) -> WordCompletion? {
        guard let colon = head.lastIndex(of: ":") else { return nil }
        let name = String(head[head.index(after: colon)...])
        let matching = EmojiNames.all.filter { $0.name.hasPrefix(name) }
        let start = head[..<colon].utf8.count
        guard matching.count == 1, let only = matching.first else {
            return WordCompletion(
                (start + 1)..<head.utf8.count, typed: name, matching.map { Offer.Candidate($0.name, $0.emoji) })
        }
        return WordCompletion(start..<head.utf8.count, typed: "", [Offer.Candidate(only.emoji)])
    }

    private func candidates(for words: [String]) async -> [Offer.Candidate] {
        guard words.count > 1, let first = words.first else { return await firstWords(words.last ?? "") }
        if let word = SessionWord(rawValue: first), word.wins(inConversation: conversation != nil) {
            switch word {
            case .open, .cd: return await places(from: words.last ?? "")
            case .react: return EmojiNames.all.map { Offer.Candidate($0.name, $0.emoji) }
            case .forward, .msg: return await names(from: words.last ?? "")
            case .attach where words.count == 2, .receive where words.count == 3, .save where words.count == 3:
                return PathCompletion.candidates(for: words.last ?? "", home: controls.home)
            case .receive, .save, .show: return files()
            case .help, .question: return CommandTree.tacit.offer(for: words).candidates
            default: return []
            }
        }
        let offer = CommandTree.tacit.offer(for: words)
        if [.file, .folder].contains(offer.wanted) {
            return PathCompletion.candidates(for: words.last ?? "", home: controls.home)
        }
        return offer.candidates(with: await found(for: offer.wanted))
    }

    /// The numbers of the last messages on the screen.
    private func files() -> [Offer.Candidate] { router.shownItems?.suffix(20).map { Offer.Candidate("\($0)") } ?? [] }

    private func firstWords(_ beginning: String) async -> [Offer.Candidate] {
        let own = SessionWord.allCases.filter { word in
            conversation != nil || !SessionWord.ofConversations.contains(word)
        }.map { Offer.Candidate($0.rawValue, $0.abstract) }
        let tree = CommandTree.tacit.root.subcommands.filter { !$0.isHidden }.map {
            Offer.Candidate($0.name, $0.abstract)
        }
        let noun = if case .group? = chat { "group" } else { "contact" }
        let verbs = chat == nil ? [] : CommandTree.tacit.command(at: [noun])?.subcommands ?? []
        // In the list of chats a name alone opens one, also one that has no room on the screen.
        let names = router.isListOfChats ? await names(from: beginning) : []
        return own + tree + verbs.map { Offer.Candidate($0.name, $0.abstract) }
            + router.choices.map { .init($0.name) } + names
    }

    private func places(from beginning: String) async -> [Offer.Candidate] {
        let fixed =
            ["/", "/requests", "/address", "/settings", "/profiles"]
            + SettingsScreen.Section.allCases.map { "/settings/\($0.rawValue)" }
        let contacts = "/contacts/"
        if beginning.hasPrefix(contacts) {
            return await names().filter { $0.word.first == "@" }.map {
                .init(contacts + ScreenAddress.word(for: String($0.word.dropFirst())))
            }
        }
        return router.choices.map { .init($0.name) } + (await names(from: beginning)) + fixed.map { .init($0) }
    }

    /// Names as they are being typed: with `@`, or without.
    private func names(from beginning: String) async -> [Offer.Candidate] {
        let names = await names()
        guard beginning.first != "@", beginning.first != "+" else { return names }
        return names.map { .init(String($0.word.dropFirst())) }
    }

    private func names() async -> [Offer.Candidate] {
        guard let profile = router.profile,
            let contacts = await reader.failures.value({ try await reader.contacts(of: profile) })
        else { return [] }
        return contacts.map { Offer.Candidate("@\($0.name)") } + (await groupNames())
    }

    private func groupNames() async -> [Offer.Candidate] {
        guard let profile = router.profile,
            let groups = await reader.failures.value({ try await reader.groups(of: profile) })
        else { return [] }
        return groups.map { Offer.Candidate("+\($0.name)") }
    }

    /// The members of the group on the screen, or of all groups.
    private func memberNames() async -> [Offer.Candidate] {
        guard let profile = router.profile else { return [] }
        var names: [Offer.Candidate] = []
        let groups = await reader.failures.value { try await reader.groups(of: profile) } ?? []
        let isGroupHere = if case .group? = chat { true } else { false }
        for group in groups where isGroupHere ? chat == .group(group.id) : true {
            let members = await reader.failures.value { try await reader.members(of: group.id) } ?? []
            names += members.map { Offer.Candidate("+\(group.name)/@\($0.name)") }
        }
        return names
    }

    private func found(for wanted: Completion) async -> [Offer.Candidate] {
        switch wanted {
        case .chat: return await names()
        case .contact: return await names().filter { $0.word.first == "@" }
        case .group: return await groupNames()
        case .member: return await memberNames()
        case .profile: return await reader.profilesIfReadable().map { Offer.Candidate($0.name) }
        case .request:
            guard let profile = router.profile else { return [] }
            let requests = await reader.failures.value { try await reader.requests(of: profile) } ?? []
            return requests.map { Offer.Candidate("@\($0.name)") }
        case .transfer:
            guard let profile = router.profile else { return [] }
            let files =
                await reader.failures.value { try await reader.execute(ListFiles(ProfileID(profile))).files } ?? []
            return files.suffix(20).map { Offer.Candidate(ObjectID.text($0.file.id), $0.file.name) }
        case .message: return router.shownItems?.suffix(20).map { Offer.Candidate("m\($0)") } ?? []
        default: return []
        }
    }
}
