import AgentProtocol
import ChatCore
import Commands
import Navigation
import TerminalKit

/// Places: the path of screens, and the screen on top.
extension Router {
    /// Goes to the chats of the active profile, with nothing below them.
    func startAtHome() async {
        guard let active = await reader.profilesIfReadable().first(where: { $0.isActive }) else { return }
        let kind = await reader.homeKind(of: active.id.number)
        begin(with: NavigationPath(home: HomeScreen(profile: active.id.number, kind: kind)))
    }

    /// Goes to the last place of the session before, or the nearest one that is still there.
    func restore() async {
        guard let stored = await memory.place(), let place = try? LastPlace(decoding: stored) else { return }
        await restore(place)
    }

    /// Goes to a place, or the nearest one that is still there.
    func restore(_ place: LastPlace) async {
        let restoration = await Restoration(place, in: reader)
        guard restoration.path.home != nil else { return }
        begin(with: restoration.path)
        position = restoration.position
        await follow([.switchProfile(restoration.path.home?.profile ?? 0)])
        switch restoration.loss {
        case .gone(let kind): display.say("the \(kind.name) of the last session no longer exists", .warning)
        case .unsupported, .unknown: display.say("the last screen cannot be shown by this version", .warning)
        case nil: break
        }
    }

    /// Replaces the path, without the sheets over it. The passcode prompt stays.
    private func begin(with path: NavigationPath) {
        state = NavigationState(path: path)
        if display.isHidden { state.present(.unlock) }
    }

    // MARK: - Going

    /// Goes to a screen, if its subject exists.
    ///
    /// - Parameter text: The first of ``Drafts/leftTexts``, if it stays with the conversation that is left.
    @discardableResult
    func go(to screen: any Screen, leaving text: String?) async -> Bool {
        await drafts.keep(text ?? "", of: conversation)
        let finding = await Finding(about: screen, in: reader)
        do throws(NavigationError) {
            let actions = try state.show(finding)
            // From here on another conversation is on the screen, and the draft belongs to that.
            if text != nil { drafts.didLeave() }
            await follow(actions)
            return true
        } catch {
            switch error {
            case .gone(let kind): display.say("the \(kind.name) no longer exists", .error)
            case .unsupported(let name), .unregistered(let name): display.say("'\(name)' cannot be shown here", .error)
            }
            return false
        }
    }

    /// Goes to an address, as the prompt writes it.
    @discardableResult
    func go(to address: String) async -> Bool {
        do throws(AddressError) {
            let target = try await ScreenAddress(address, from: state.path, names: reader)
            return await go(to: target.screen.value)
        } catch {
            let what = UntrustedText(address).quoted
            switch error {
            case .unknownName(let kind, _): display.say("unknown \(kind.name) \(what)", .error)
            case .unknownWord, .unfinished: display.say("unknown screen \(what)", .error)
            case .noProfile: display.say("open a profile first: home, or its number or name", .error)
            }
            return false
        }
    }

    /// Changes the path.
    func change(_ body: (inout NavigationPath) -> Void) async {
        await drafts.keep("", of: conversation)
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
        await memory.writes.value {
            guard let profile = try await reader.profile(number), !profile.isActive else { return }
            _ = try await core.execute(ActivateProfile(profile.id))
        }
    }

    // MARK: - Showing

    /// Draws the screen on top, restores the draft and stores the place.
    func showTop() async {
        // A hidden screen is drawn, and marked as read, when the gate opens.
        guard !display.isHidden else { return await updatePrompt() }
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
            display.say("the subject of this screen was deleted; /back returns", .warning)
        } catch {
            display.report(error)
        }
        hasPlace = true
        await drafts.restore(in: conversation)
        await markRead()
        await rememberPlace()
    }

    /// Prints a screen.
    func show(_ drawing: Drawing) async {
        if drawing.isList, !display.isHidden {
            choices = drawing.choices
            display.terminal?.print(list: drawing.rows(area))
            return
        }
        display.print(drawing.lines)
        if !drawing.choices.isEmpty || conversation == nil { choices = drawing.choices }
        shownItems = drawing.shownItems
        messages = drawing.messages ?? MessageLines(area)
        for command in drawing.commands { await commands.run(command, isPart: true) }
        if let hint = drawing.hint { display.print(area.text(hint, .muted)) }
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
        case let screen as any GroupBound: .group(GroupID(screen.group))
        case let screen as MemberScreen: .group(GroupID(screen.group))
        case let screen as SupportChatScreen: .group(GroupID(screen.group))
        default: conversation
        }
    }

    /// The member of a group that the screen on top is about.
    var member: GroupMemberID? {
        let top = state.path.top.value
        return ((top as? MemberScreen)?.member ?? (top as? SupportChatScreen)?.member).map { GroupMemberID($0) }
    }

    /// The support chat on the screen.
    var supportChat: ChatTarget? {
        (state.path.top.value as? SupportChatScreen).map { .support(GroupID($0.group), GroupMemberID($0.member)) }
    }

    // MARK: - The prompt

    /// Corrects the home in the path if the profile opens with another screen, also after a change by another process. Other screens on
    /// top stay there. Returns true if another screen is on top then.
    private func correctHome() async -> Bool {
        guard let home = state.path.home,
            let profile = await reader.profilesIfReadable().first(where: { $0.id.number == home.profile })
        else { return false }
        let kind = StoreReader.homeKind(of: profile), before = conversation
        guard kind != home.kind, state.path.home == home else { return false }
        await drafts.keep(display.terminal?.text ?? "", of: conversation)
        var gone: ChatSubject?
        if let chat = home.chat, await reader.profile(of: chat.subject) == nil { gone = chat }
        await follow(
            state.change { path in
                path.correctHome(HomeScreen(profile: home.profile, kind: kind))
                if let gone { path.remove(ChatScreen(gone)) }
            })
        guard conversation != before else { return false }
        if gone != nil { display.say("the contact of this profile no longer exists", .warning) }
        return true
    }

    /// Updates the prompt, the number of unread messages and the calls.
    func updatePrompt() async {
        if await correctHome() { scheduler.enqueue { [weak self] in await self?.showTop() } }
        let profiles = await reader.profilesIfReadable()
        let profile = profiles.first { $0.id.number == state.profile }
        // The only conversation of a one-to-one profile has the address of a conversation: the line is sent there.
        let top = conversation.map { AnyScreen(ChatScreen($0)) } ?? state.path.top
        let address = await ScreenAddress.text(of: top, in: state.profile, style: .short, names: reader)
        var unread = profiles.reduce(0) { $0 + $1.unreadCount }
        if let conversation {
            let here = await reader.failures.value { try await reader.chat(conversation) }
            unread -= here?.chat.unreadCount ?? 0
        }
        var mentions = 0
        if let number = state.profile, let counts = await reader.failures.value({ try await reader.unread(of: number) })
        {
            for (chat, count) in counts where chat != conversation { mentions += count.mentions }
        }
        prompt.show((profile.map { $0.name + ":" } ?? "") + address, unread: unread, mentions: mentions)
        await calls.update(in: state.profile)
    }

    /// Marks the messages of the screen as read.
    func markRead() async {
        guard let chat = supportChat ?? conversation.map({ .reference($0) }) else { return }
        await memory.writes.value { _ = try await core.execute(MarkChatRead(chat)) }
    }

    /// Stores the place and the draft.
    func rememberPlace() async {
        await drafts.keep(drafts.unsentText(in: conversation), of: conversation)
        guard let place else { return }
        await memory.store(place: place.encoded)
    }

    /// The place, for the next session; nil before a screen was shown.
    var place: LastPlace? {
        hasPlace ? LastPlace(state.path, position: isAtEnd ? nil : shownItems?.lowerBound) : nil
    }
}
