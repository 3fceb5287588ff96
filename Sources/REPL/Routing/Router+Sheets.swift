import AgentProtocol
import ChatCore
import Commands
import Navigation
import TerminalKit

/// Sheets: they lie over the screen, take the next line, and leave the place as it was.
extension Session {
    /// Lays a sheet over the screen, and does what is chosen.
    func lay(_ sheet: Sheet) async {
        let view: SheetView?
        do { view = try await SheetView.of(sheet, reader) } catch { return report(error) }
        guard let view else { return }
        state.present(sheet)
        print(view.lines(area))
        let typed = await answer(to: view.question)?.trimmed ?? ""
        state.dismiss(sheet)
        guard !view.choices.isEmpty, !typed.isEmpty else { return }
        let number = Int(typed).map { $0 &- 1 } ?? view.choices.firstIndex { $0.name == typed } ?? -1
        guard view.choices.indices.contains(number) else {
            return say("there is no \(UntrustedText(typed).quoted) here", .error)
        }
        await carryOut(view.choices[number].deed)
    }

    private func carryOut(_ deed: SheetView.Deed) async {
        switch deed {
        case .command(let words): await run(words)
        case .asking(let question, let words):
            guard let typed = await answer(to: StyledText(question))?.trimmed, !typed.isEmpty else { return }
            await run(words.map { $0.isEmpty ? typed : $0 })
        case .home(let profile):
            let kind = await reader.homeKind(of: profile.number)
            if await go(to: HomeScreen(profile: profile.number, kind: kind)) { await showTop() }
        case .newProfile: await makeProfile()
        case .link:
            guard let typed = await answer(to: "Link: ")?.trimmed, !typed.isEmpty else { return }
            guard let link = SessionLink(typed) else { return say("this is no link", .error) }
            await follow(link)
        case .notes: await openNotes()
        }
    }

    /// Makes a profile, and goes there.
    private func makeProfile() async {
        guard let name = await answer(to: "Name: ")?.trimmed, !name.isEmpty else { return }
        let known = Set(((try? await reader.profiles()) ?? []).map(\.id))
        guard await run(["profile", "create", "--", name]) == .ok else { return }
        let made = ((try? await reader.profiles()) ?? []).filter { !known.contains($0.id) }
        guard let profile = made.first, made.count == 1 else { return }
        if await go(to: HomeScreen(profile: profile.id.number, kind: StoreReader.homeKind(of: profile))) {
            await showTop()
        }
    }

    func openNotes() async {
        let profile = state.profile.map { ProfileID($0) }
        do {
            let notes = try await store.execute(OpenNotes(profile)).chat
            if await go(to: ChatScreen(notes.reference)) { await showTop() }
        } catch {
            report(error)
        }
    }

    /// Shows what is new to whoever was here with an older program.
    func showNews() async {
        let seen = await memory.seenVersion()
        guard seen != WhatsNew.version else { return }
        await memory.store(seenVersion: WhatsNew.version)
        if seen != nil { await lay(.whatsNew) }
    }
}
