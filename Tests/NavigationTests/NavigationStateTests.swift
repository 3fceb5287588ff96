import Navigation
import Testing

@Suite struct NavigationStateTests {
    private let directory = SampleDirectory()
    private let home = HomeScreen(profile: 1, kind: .chats)

    private func path(_ screens: any Screen..., home: HomeScreen? = nil) -> NavigationPath {
        var path = NavigationPath(home: home ?? self.home)
        for screen in screens { path.push(screen) }
        return path
    }

    private func show(_ screen: any Screen, in state: inout NavigationState) async throws -> [NavigationAction] {
        let finding = await Finding(about: screen, in: directory)
        return try state.show(finding)
    }

    @Test func shown_screen_is_on_top_and_stored() async throws {
        var state = NavigationState(path: path())
        #expect(try await show(ChatScreen(contact: 4), in: &state) == [.store(path(ChatScreen(contact: 4)))])
        #expect(try await show(ChatScreen(contact: 4), in: &state) == [], "nothing changed")
        #expect(state.path == path(ChatScreen(contact: 4)))
        let popped = state.change { $0.pop() }
        #expect(popped == [.store(path())])
        let unchanged = state.change { $0.popToFirstOpened() }
        #expect(unchanged == [])
    }

    @Test func theProfileIsSwitchedToTheOneOfTheScreen() async throws {
        var state = NavigationState(path: path(ChatScreen(contact: 4)))
        let other = path(ChatScreen(contact: -1), home: HomeScreen(profile: 2, kind: .chats))
        #expect(try await show(ChatScreen(contact: -1), in: &state) == [.switchProfile(2), .store(other)])
        #expect(state.profile == 2)
        #expect(try await show(SettingsScreen(), in: &state).count == 1, "settings belong to all")
        #expect(state.profile == 2)
    }

    @Test func theFirstProfileIsOpenedFromTheHub() async throws {
        var state = NavigationState()
        #expect(state.profile == nil)
        #expect(try await show(home, in: &state) == [.switchProfile(1), .store(path())])
        state = NavigationState()
        let chat = path(ChatScreen(contact: 4))
        #expect(try await show(ChatScreen(contact: 4), in: &state) == [.switchProfile(1), .store(chat)])
        #expect(try await show(HubScreen(), in: &state) == [.store(NavigationPath())])
        _ = try await show(SettingsScreen(), in: &state)
        #expect(state.path.count == 2)
        #expect(try await show(RequestsScreen(profile: 2), in: &state).first == .switchProfile(2))
        #expect(state.path.count == 3)
    }

    @Test func missing_object_is_not_shown() async throws {
        var state = NavigationState(path: path())
        state.present(.newChat)
        let before = state
        for (screen, kind): (any Screen, Subject.Kind) in [
            (ChatScreen(contact: 77), .contact), (HomeScreen(profile: 3, kind: .chats), .profile),
            (MessageScreen(contact: 4, message: 1), .message),
            // A message of another profile.
            (MessageScreen(contact: 4, message: -100), .message),
        ] {
            await #expect(throws: NavigationError.gone(kind)) { try await show(screen, in: &state) }
        }
        directory.refuse(ChatScreen(contact: 5))
        await #expect(throws: NavigationError.unsupported(screen: "chat")) {
            try await show(ChatScreen(contact: 5), in: &state)
        }
        #expect(state == before)
    }

    @Test func singletonsAreGoneBackTo() async throws {
        var state = NavigationState(path: path(RequestsScreen(profile: 1), ChatScreen(contact: 4)))
        _ = try await show(RequestsScreen(profile: 1), in: &state)
        #expect(state.path == path(RequestsScreen(profile: 1)))
        _ = try await show(ChatScreen(contact: 4), in: &state)
        _ = try await show(ChatScreen(contact: 5), in: &state)
        _ = try await show(ChatScreen(contact: 4), in: &state)
        #expect(state.path.count == 6, "conversations are pushed")
        _ = try await show(home, in: &state)
        #expect(state.path == path())
    }

    @Test func theOnlyConversationIsTheHome() async throws {
        directory.setHome(of: 1, .conversation(4))
        let single = HomeScreen(profile: 1, kind: .conversation(4))
        var state = NavigationState(path: path(SettingsScreen()))
        // The path still has the list: it is corrected on the way.
        #expect(try await show(ChatScreen(contact: 4), in: &state) == [.store(path(home: single))])
        _ = try await show(ContactScreen(contact: 4), in: &state)
        #expect(state.path == path(ContactScreen(contact: 4), home: single))
        _ = try await show(home, in: &state)
        #expect(state.path == path(home: single))
        directory.setHome(of: 1, .chats)
        _ = try await show(ContactScreen(contact: 4), in: &state)
        #expect(state.path == path(ChatScreen(contact: 4), ContactScreen(contact: 4)))
    }

    @Test func sheetsCloseWhenSomethingIsShown() async throws {
        var state = NavigationState(path: path())
        state.present(.newChat)
        state.present(.whatsNew)
        state.present(.newChat)
        #expect(state.sheets == [.whatsNew, .newChat])
        _ = try await show(ChatScreen(contact: 4), in: &state)
        #expect(state.sheets == [])
        state.present(.unlock)
        state.present(.profilePicker)
        #expect(state.sheets == [.profilePicker, .unlock], "nothing lies over the lock")
        _ = try await show(ChatScreen(contact: 5), in: &state)
        #expect(state.sheets == [.unlock])
        state.dismiss(.unlock)
        #expect(state.sheets == [])
    }

    // MARK: - Ten thousand conversations

    @Test func large_store_does_not_slow_navigation() async throws {
        let few = SampleDirectory(contacts: 5)
        let many = SampleDirectory(contacts: 10_000)
        for directory in [few, many] {
            _ = await Finding(about: MessageScreen(contact: 5, message: 500), in: directory)
        }
        #expect(few.questions == many.questions)
        #expect(many.questions == 4, "contact, message, support, home")

        var state = NavigationState(path: path())
        let finding = await Finding(about: ChatScreen(contact: 5_000), in: many)
        _ = try state.show(finding)
        let before = state
        // Others come and go; nothing of that has an entrance here but by what is shown.
        for contact in 1...4_999 as ClosedRange<Int64> { many.remove(.contact(contact)) }
        #expect(await Finding(about: state.path.top.value, in: many) == finding)
        #expect(state == before)
    }
}
