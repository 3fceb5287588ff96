import AgentProtocol
import ChatCore
import Commands
import Navigation
import TerminalKit

/// Going from screen to screen.
extension Session {
    /// The first screen: the one that was asked for, the one of the last session, or the chats of the active profile.
    func begin(_ beginning: Beginning) async {
        editor?.clearHistory()
        for line in await memory.lines() { editor?.remember(line) }
        await findFirstSteps()
        await startAtHome()
        sayWhoReceives()
        guard let isInPlace = await startInProfile(beginning.profile) else { return }
        let isFresh = beginning.isFresh || isInPlace, address = beginning.address
        if let resumption {
            if let place = resumption.place { await restore(place) }
        } else if let destination = address.flatMap({ Destination($0) }), destination.isFixed {
            if !isFresh { await restore() }
            _ = pending.arrive(destination)
        } else if let address {
            _ = await reach(address)
        } else if !isFresh {
            await restore()
        }
        await enter()
    }

    /// Goes to the home of a profile that was named; false if none was. Nil if there is none of that name: nobody is to type
    /// in another one then.
    private func startInProfile(_ name: String?) async -> Bool? {
        guard let name, resumption == nil else { return false }
        let profiles = (try? await reader.profiles()) ?? []
        // Who knows its password may hear that it is there.
        if profiles.contains(where: { $0.name == name && $0.isHidden }) {
            leave(.failed(Failure.hiddenProfile))
            return nil
        }
        guard let found = profiles.first(where: { $0.name == name }) else {
            leave(.failed(store.unknownProfile(name, among: profiles.map(\.name))))
            return nil
        }
        return await go(to: HomeScreen(profile: found.id.number, kind: StoreReader.homeKind(of: found)))
    }

    /// Shows the screen on top, after the first steps. Nobody sees it, nor is led anywhere, while everything is hidden.
    func enter() async {
        guard !isHidden else { return await updatePrompt() }
        guard await guide() else { return }
        let destinations = pending.activate(), before = drawings
        // Where something else is going to be shown at once, this need not be.
        if destinations.allSatisfy({ $0.needsPlan }) { await showTop() }
        await showNews()
        for destination in destinations { await arrive(at: destination) }
        if drawings == before { await showTop() }
        relays.sayLosses()
    }

    func startAtHome() async {
        let active = try? await reader.profiles().first { $0.isActive }
        guard let active else { return }
        let kind = await reader.homeKind(of: active.id.number)
        state = NavigationState(path: NavigationPath(home: HomeScreen(profile: active.id.number, kind: kind)))
    }

    /// Goes where the last session was, or as near to it as there still is something.
    private func restore() async {
        guard let stored = await memory.place(), let place = try? LastPlace(decoding: stored) else { return }
        await restore(place)
    }

    private func restore(_ place: LastPlace) async {
        let restoration = await Restoration(place, in: reader)
        guard restoration.path.home != nil else { return }
        state = NavigationState(path: restoration.path)
        position = restoration.position
        await follow([.switchProfile(restoration.path.home?.profile ?? 0)])
        switch restoration.loss {
        case .gone(let kind): say("the \(kind.name) of the last session is not there any more", .warning)
        case .unsupported, .unknown: say("the last screen cannot be shown by this version", .warning)
        case nil: break
        }
    }

    // MARK: - Going

    /// Goes to a screen, if what it shows is there.
    ///
    /// - Parameter leaving: The first of ``leftTexts``, if that stays with the conversation that is left.
    @discardableResult
    func go(to screen: any Screen, leaving: String? = nil) async -> Bool {
        await keepDraft(leaving ?? "")
        let finding = await Finding(about: screen, in: reader)
        do throws(NavigationError) {
            let actions = try state.show(finding)
            // From here on another conversation is on the screen, and what is kept belongs to that.
            if leaving != nil {
                leftTexts.removeFirst()
                self.draft = ""
            }
            await follow(actions)
            return true
        } catch {
            switch error {
            case .gone(let kind): say("there is no such \(kind.name) any more", .error)
            case .unsupported(let name), .unregistered(let name): say("'\(name)' cannot be shown here", .error)
            }
            return false
        }
    }

    /// Goes where a path leads, as it is written in the prompt.
    @discardableResult
    func go(to address: String) async -> Bool {
        do throws(AddressError) {
            let target = try await ScreenAddress(address, from: state.path, names: reader)
            return await go(to: target.screen.value)
        } catch {
            let what = UntrustedText(address).quoted
            switch error {
            case .unknownName(let kind, _): say("there is no \(kind.name) for \(what)", .error)
            case .unknownWord, .unfinished: say("there is no place \(what)", .error)
            case .noProfile: say("open a profile first: home, or its number or name", .error)
            }
            return false
        }
    }

    func change(_ body: (inout NavigationPath) -> Void) async {
        await keepDraft("")
        await follow(state.change(body))
    }

    private func follow(_ actions: [NavigationAction]) async {
        for action in actions {
            switch action {
            case .switchProfile(let number): await activate(number)
            // The place is stored when it is shown.
            case .store: break
            }
        }
    }

    private func activate(_ number: Int64) async {
        guard let profile = try? await reader.profile(number), !profile.isActive else { return }
        _ = try? await store.execute(ActivateProfile(profile.id))
    }

    // MARK: - Showing

    /// Draws the screen on top.
    func showTop() async {
        // Nobody has seen what is hidden: it is drawn, and marked as read, when the gate opens.
        guard !isHidden else { return await updatePrompt() }
        drawings += 1
        _ = await correctHome()
        choices = []
        shownItems = nil
        isAtEnd = true
        var area = area
        area.position = position
        position = nil
        await updatePrompt()
        do {
            let view = try ScreenViews.registry.renderer(for: state.path.top)
            let drawing = try await view.drawing(reader, area)
            isAtEnd = drawing.isAtEnd
            await show(drawing)
        } catch ChatError.contactNotFound, ChatError.groupNotFound, ChatError.notesNotFound, ChatError.itemNotFound {
            say("what was here is gone; back goes back", .warning)
        } catch {
            report(error)
        }
        hasPlace = true
        await restoreDraft()
        await markRead()
        await rememberPlace()
    }

    /// Prints what a screen shows.
    func show(_ drawing: Drawing) async {
        if drawing.isList, !isHidden {
            choices = drawing.choices
            editor?.print(list: drawing.rows(area))
            return
        }
        print(drawing.lines)
        if !drawing.choices.isEmpty || conversation == nil { choices = drawing.choices }
        shownItems = drawing.shownItems
        messages = drawing.messages ?? MessageLines(width: area.width)
        for command in drawing.commands { await run(command, isPart: true) }
        if let hint = drawing.hint { print(area.text(hint, .muted)) }
    }

    /// The chat on top.
    var conversation: ChatReference? {
        if let screen = state.path.top.value as? ChatScreen { return ChatReference(screen.chat) }
        return (state.path.top.value as? HomeScreen)?.chat.map { ChatReference($0) }
    }

    /// The chat that the screen on top is about.
    var chat: ChatReference? {
        switch state.path.top.value {
        case let screen as ContactScreen: ChatReference(screen.chat)
        case let screen as any ContactBound: .direct(ContactID(screen.contact))
        default: conversation
        }
    }

    // MARK: - The prompt

    /// Puts the right home below everything if what the profile shows first has changed, also by another process. Nobody
    /// who is elsewhere is moved by that. Returns whether another screen is on top then.
    private func correctHome() async -> Bool {
        guard let home = state.path.home, let profile = try? await reader.profile(home.profile) else { return false }
        let kind = StoreReader.homeKind(of: profile), before = conversation
        guard kind != home.kind, state.path.home == home else { return false }
        await keepDraft(editor?.text ?? "")
        var gone: ChatSubject?
        if let chat = home.chat, await reader.profile(of: chat.subject) == nil { gone = chat }
        await follow(
            state.change { path in
                path.correctHome(HomeScreen(profile: home.profile, kind: kind))
                if let gone { path.remove(ChatScreen(gone)) }
            })
        guard conversation != before else { return false }
        if gone != nil { say("the contact of this profile is not there any more", .warning) }
        return true
    }

    /// Looks up the words of the prompt and what is unread.
    func updatePrompt() async {
        if await correctHome() { enqueue { await $0.showTop() } }
        let profiles = (try? await reader.profiles()) ?? []
        let profile = profiles.first { $0.id.number == state.profile }
        // The only conversation of a one-to-one profile is written as it would be anywhere else: what is typed is sent.
        let top = conversation.map { AnyScreen(ChatScreen($0)) } ?? state.path.top
        let address = await ScreenAddress.text(of: top, in: state.profile, style: .short, names: reader)
        var unread = profiles.reduce(0) { $0 + $1.unreadCount }
        if let conversation, let here = try? await reader.chat(conversation) {
            unread -= here.chat.unreadCount
        }
        promptLine.show((profile.map { $0.name + ":" } ?? "") + address, unread: unread)
        await calls.update(in: state.profile)
    }

    /// Marks what is on the screen.
    func markRead() async {
        guard let conversation else { return }
        _ = try? await store.execute(MarkChatRead(.reference(conversation)))
    }
}
