import AgentProtocol
import ChatCore
import ChatProtocol
import SMPProtocol
import TestSupport
import Testing

/// What sessions remember in the store.
@Suite struct SessionTests {
    private func answer(_ store: TestStore, _ command: SessionCommand) throws -> SessionResponse {
        guard case .session(let response) = try store.execute(.session(command)) else { throw ChatError.internal }
        return response
    }

    @Test func valuesStayUntilTheyAreRemoved() throws {
        let house = try TestHouse()
        let store = try house.person("alice")
        #expect(try answer(store, .showValue(.place)) == .value(.place, nil))
        _ = try store.execute(.session(.setValue(.place, "one")))
        _ = try store.execute(.session(.setValue(.place, "two")))
        _ = try store.execute(.session(.setValue(.gate, "")))
        try store.reopen()
        #expect(try answer(store, .showValue(.place)) == .value(.place, "two"))
        #expect(try answer(store, .showValue(.gate)) == .value(.gate, ""))
        _ = try store.execute(.session(.setValue(.place, nil)))
        #expect(try answer(store, .showValue(.place)) == .value(.place, nil))
        #expect(try answer(store, .showValue(.gate)) == .value(.gate, ""))
    }

    @Test func draftsBelongToConversations() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let other = try alice.send("hello", to: "bob").id
        _ = try alice.fetch()
        _ = try bob.fetch()
        let contact = try #require(try bob.contacts().first)
        let chat = ChatTarget.reference(.contact(contact.id))
        let message = try #require(try bob.items("alice").last?.id)
        #expect(try answer(bob, .showDraft(chat)) == .draft(contact, nil))

        let draft = Draft(text: "line\nline", answers: message)
        _ = try bob.execute(.session(.setDraft(chat, draft)))
        try bob.reopen()
        guard case .draft(_, let stored) = try answer(bob, .showDraft(.name("alice"))) else { throw ChatError.internal }
        #expect(stored == draft)
        // The message that it answers goes, and what was typed stays.
        _ = try bob.execute(.deleteItems(chat, [message], .internal))
        guard case .draft(_, let left) = try answer(bob, .showDraft(chat)) else { throw ChatError.internal }
        #expect(left == Draft(text: "line\nline"))

        #expect(throws: ChatError.itemNotFound(ChatItemID(other.number + 99))) {
            try bob.execute(
                .session(.setDraft(chat, Draft(text: "x", answers: ChatItemID(other.number + 99)))))
        }
        _ = try bob.execute(.session(.setDraft(chat, Draft(text: ""))))
        guard case .draft(_, let none) = try answer(bob, .showDraft(chat)) else { throw ChatError.internal }
        #expect(none == nil)
    }

    @Test func commandsAreRememberedOnceAndNotForEver() throws {
        let house = try TestHouse()
        let store = try house.person("alice")
        for line in ["a", "a", "", "b", "a", "two\nlines"] { _ = try store.execute(.session(.addLine(line))) }
        #expect(try answer(store, .listLines(count: 10)) == .lines(["a", "b", "a", "two\nlines"]))
        #expect(try answer(store, .listLines(count: 2)) == .lines(["a", "two\nlines"]))
        #expect(try answer(store, .listLines(count: 0)) == .lines([]))
        #expect(try answer(store, .listLines(count: -5)) == .lines([]))
        for number in 0..<1_010 { _ = try store.execute(.session(.addLine("\(number)"))) }
        guard case .lines(let lines) = try answer(store, .listLines(count: 5_000)) else { throw ChatError.internal }
        #expect(lines == (10..<1_010).map { "\($0)" })
    }

    @Test func unreadEntriesAreCountedHereAndElsewhere() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        for number in 1...3 { try alice.send("\(number)", to: "bob") }
        _ = try alice.fetch()
        _ = try bob.fetch()
        let contact = try #require(try bob.contacts().first)
        func report() throws -> UnreadReport {
            guard case .unread(let report) = try answer(bob, .countUnread(nil)) else { throw ChatError.internal }
            return report
        }
        #expect(try report().chats == [contact.id: contact.unreadCount])
        #expect(contact.unreadCount >= 3)
        #expect(try report().elsewhere == 0)
        _ = try bob.execute(CreateProfile(Profile(displayName: "other")))
        #expect(try report().chats == [:])
        #expect(try report().elsewhere == contact.unreadCount)
        _ = try bob.execute(.markRead(.reference(.contact(contact.id))))
        #expect(try report().elsewhere == 0)
    }

    @Test func entriesBeforeOthersAreReadInPages() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends()
        for number in 1...25 { try alice.send("\(number)", to: "bob") }
        var seen: [String] = []
        guard case .chat(_, _, var page) = try alice.execute(.showChat(.name("bob"), .last(10))) else {
            throw ChatError.internal
        }
        while let first = page.first {
            seen = page.map(\.content.plainText) + seen
            guard case .chat(_, _, let next) = try alice.execute(.showChat(.name("bob"), .before(first.id, 10))) else {
                throw ChatError.internal
            }
            page = next
        }
        #expect(seen == (try alice.items("bob").map(\.content.plainText)))
        #expect(seen.suffix(25) == (1...25).map { "\($0)" })
    }

    @Test func nothingIsWrittenInAStoreThatIsRead() throws {
        let house = try TestHouse()
        let store = try house.person("alice")
        store.close()
        try store.open(.reading)
        for command: SessionCommand in [.setValue(.place, "x"), .addLine("x"), .onboarding(.complete)] {
            #expect(throws: ChatError.readOnly) { try store.execute(.session(command)) }
        }
        #expect(try answer(store, .listLines(count: 5)) == .lines([]))
        #expect(try answer(store, .showValue(.place)) == .value(.place, nil))
    }

    // MARK: - Homes

    @Test func aProfileMayBeThereForOneContact() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends()
        let contact = try #require(try alice.contacts().first)
        func home() throws -> ContactID? {
            try alice.execute(ListProfiles()).profiles.first { $0.id == contact.profileID }?.home
        }
        func changes() -> [ContactID?] {
            alice.events().compactMap { event in
                guard let event = event as? HomeChangedEvent else { return nil }
                return .some(event.profile.home)
            }
        }
        #expect(try home() == nil)
        _ = try alice.execute(.session(.setHome(nil, contact.id)))
        try alice.reopen()
        #expect(try home() == contact.id)
        #expect(try alice.execute(.session(.setHome(contact.profileID, contact.id))).isUnchanged)
        _ = try alice.execute(.session(.setHome(nil, nil)))
        #expect(try home() == nil)
        _ = try alice.execute(.session(.setHome(nil, contact.id)))
        #expect(changes() == [contact.id, nil, contact.id])

        // Another profile has other contacts.
        _ = try alice.execute(CreateProfile(Profile(displayName: "other")))
        #expect(throws: ChatError.contactNotFound(contact.id)) {
            try alice.execute(.session(.setHome(nil, contact.id)))
        }
        // Without the contact there is a list again.
        let chat = ChatTarget.reference(.contact(contact.id))
        _ = try alice.execute(.deleteContact(chat, .full, notifies: false))
        #expect(try home() == nil)
        #expect(changes() == [nil])
    }

    // MARK: - The first steps

    private func stage(_ store: TestStore) throws -> OnboardingStage {
        guard case .onboarding(let stage) = try answer(store, .onboarding(nil)) else { throw ChatError.internal }
        let shown = try shownStage(store)
        #expect(shown == nil || shown == stage)
        return stage
    }

    /// What the status says.
    private func shownStage(_ store: TestStore) throws -> OnboardingStage? {
        guard case .status(let report) = try store.execute(.status(nil)) else { throw ChatError.internal }
        return report.onboarding
    }

    @Test func theStatusShowsFirstStepsOnlyIfTheyBegan() throws {
        for isGuided in [false, true] {
            let house = try TestHouse()
            let store = try emptyStore(house)
            #expect(try shownStage(store) == nil)
            if isGuided { _ = try advance(store, .profile) }
            #expect(try shownStage(store) == (isGuided ? .profile : nil))
            _ = try store.execute(SetServers(nil, [ConfiguredServer(address: house.address)]))
            _ = try store.execute(CreateProfile(Profile(displayName: "ann")))
            #expect(try !isGuided || shownStage(store) == .notifications)
            _ = try advance(store, .complete)
            try store.reopen()
            #expect(try stage(store) == .complete)
            #expect(try shownStage(store) == (isGuided ? .complete : nil))
        }
    }

    private func advance(_ store: TestStore, _ stage: OnboardingStage) throws -> SessionResponse {
        try answer(store, .onboarding(stage))
    }

    private func emptyStore(_ house: TestHouse) throws -> TestStore {
        let store = TestStore(house.loop, StoreFolder(house.folder.path + "/new"))
        try store.folder.create()
        try store.open(.creating)
        return store
    }

    @Test func theFirstStepsGoOnByWhatIsDone() throws {
        let house = try TestHouse()
        let store = try emptyStore(house)
        #expect(try stage(store) == .profile)
        #expect(try advance(store, .welcome) == .onboarding(.welcome))
        #expect(try advance(store, .complete) == .onboarding(.profile), "there is no profile")
        _ = try store.execute(CreateProfile(Profile(displayName: "ann")))
        #expect(try stage(store) == .operators)
        #expect(try advance(store, .complete) == .onboarding(.operators), "there is no relay")
        _ = try store.execute(SetServers(ProfileID(1), [ConfiguredServer(address: house.address)]))
        #expect(try stage(store) == .notifications)
        #expect(try advance(store, .complete) == .onboarding(.complete))
        // And never back.
        #expect(try advance(store, .welcome) == .onboarding(.complete))
        _ = try store.execute(SetServers(ProfileID(1), []))
        try store.reopen()
        #expect(try stage(store) == .complete)
    }

    @Test func decidingHowMessagesArriveIsTheLastStep() throws {
        let house = try TestHouse()
        let store = try emptyStore(house)
        _ = try store.execute(.session(.onboarding(.profile)))
        _ = try store.execute(.session(.setValue(.notifyMode, "off")))
        #expect(try stage(store) == .profile, "what comes before is not done")
        _ = try store.execute(CreateProfile(Profile(displayName: "ann")))
        _ = try store.execute(SetServers(ProfileID(1), [ConfiguredServer(address: house.address)]))
        #expect(try stage(store) == .notifications)
        _ = try store.execute(.session(.setValue(.notifyMode, "off")))
        #expect(try stage(store) == .complete)
    }

    @Test func acceptedConditionsAreAStep() throws {
        let house = try TestHouse()
        let store = try emptyStore(house)
        _ = try store.execute(AcceptConditions(ServerOperator.Tag.allCases))
        #expect(try stage(store) == .profile)
        _ = try store.execute(CreateProfile(Profile(displayName: "ann")))
        #expect(try stage(store) == .notifications)
    }
}

extension CoreResponse {
    fileprivate var isUnchanged: Bool {
        if case .profileUnchanged = self { true } else { false }
    }
}
