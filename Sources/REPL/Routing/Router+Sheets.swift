import AgentProtocol
import ChatCore
import Commands
import Navigation
import TerminalKit

/// Sheets: they lie over the screen, take the next line, and leave the place as it was.
extension Router {
    /// Lays a sheet over the screen, and carries out the choice.
    func lay(_ sheet: Sheet) async {
        let view: SheetView?
        do { view = try await SheetView.of(sheet, reader) } catch { return display.report(error) }
        guard let view else { return }
        state.present(sheet)
        display.print(view.lines(area))
        let typed = await display.answer(to: view.question)?.trimmed ?? ""
        state.dismiss(sheet)
        guard !view.choices.isEmpty, !typed.isEmpty else { return }
        let number = Int(typed).map { $0 &- 1 } ?? view.choices.firstIndex { $0.name == typed } ?? -1
        guard view.choices.indices.contains(number) else {
            return display.say("unknown choice \(UntrustedText(typed).quoted)", .error)
        }
        await carryOut(view.choices[number].action)
    }

    private func carryOut(_ action: SheetView.Action) async {
        switch action {
        case .command(let words): await commands.run(words)
        case .asking(let question, let words):
            guard let typed = await display.answer(to: StyledText(question))?.trimmed, !typed.isEmpty else { return }
            await commands.run(words.map { $0.isEmpty ? typed : $0 })
        case .home(let profile):
            let kind = await reader.homeKind(of: profile.number)
            if await go(to: HomeScreen(profile: profile.number, kind: kind)) { await showTop() }
        case .newProfile: await makeProfile()
        case .newGroup: await makeGroup()
        case .link:
            guard let typed = await display.answer(to: "Link: ")?.trimmed, !typed.isEmpty else { return }
            guard let link = SessionLink(typed) else { return display.say("this is not a link", .error) }
            await follow(link)
        case .notes: await openNotes()
        }
    }

    /// Creates a profile, and goes there.
    private func makeProfile() async {
        guard let name = await display.answer(to: "Name: ")?.trimmed, !name.isEmpty else { return }
        let known = Set(await reader.profilesIfReadable().map(\.id))
        guard await commands.run(["profile", "create", "--", name]) == .ok else { return }
        let made = await reader.profilesIfReadable().filter { !known.contains($0.id) }
        guard let profile = made.first, made.count == 1 else { return }
        if await go(to: HomeScreen(profile: profile.id.number, kind: StoreReader.homeKind(of: profile))) {
            await showTop()
        }
    }

    /// Creates a group, and goes there.
    private func makeGroup() async {
        guard let profile = state.profile else { return }
        guard let name = await display.answer(to: "Name of the group: ")?.trimmed, !name.isEmpty else { return }
        let known = await reader.failures.value { Set(try await reader.groups(of: profile).map(\.id)) }
        guard let known, await commands.run(["group", "create", "--", name]) == .ok else { return }
        let made = await reader.failures.value {
            try await reader.groups(of: profile).filter { !known.contains($0.id) }
        }
        guard let made, let group = made.first, made.count == 1 else { return }
        guard await go(to: ChatScreen(.group(group.id.number))) else { return }
        await showTop()
        display.say("/invite @NAME adds a contact; /link --create makes a link for others", .muted)
    }

    /// Goes to the notes of the profile.
    func openNotes() async {
        let profile = state.profile.map { ProfileID($0) }
        do {
            let notes = try await core.execute(OpenNotes(profile)).chat
            if await go(to: ChatScreen(notes.reference)) { await showTop() }
        } catch {
            display.report(error)
        }
    }

    /// Shows the news of this version, once, in a store that an older version has opened.
    func showNews() async {
        let seen = await memory.seenVersion()
        guard seen != WhatsNew.version else { return }
        await memory.store(seenVersion: WhatsNew.version)
        if seen != nil { await lay(.whatsNew) }
    }
}
