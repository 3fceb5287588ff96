import AgentProtocol
import ChatCore
import ChatProtocol
import SMPProtocol
import TestSupport
import Testing

/// What sessions remember in the store.
@Suite struct SessionTests {
    private func value(_ store: TestStore, _ key: SessionKey) throws -> String? {
        let answer = try store.execute(ShowSessionValue(key))
        #expect(answer.key == key)
        return answer.value
    }

    private func lines(_ store: TestStore, _ count: Int) throws -> [String] {
        try store.execute(ListLines(count: count)).lines
    }

    @Test func valuesStayUntilTheyAreRemoved() throws {
        let house = try TestHouse()
        let store = try house.person("alice")
        #expect(try value(store, .place) == nil)
        _ = try store.execute(SetSessionValue(.place, "one"))
        _ = try store.execute(SetSessionValue(.place, "two"))
        _ = try store.execute(SetSessionValue(.gate, ""))
        try store.reopen()
        #expect(try value(store, .place) == "two")
        #expect(try value(store, .gate) == "")
        _ = try store.execute(SetSessionValue(.place, nil))
        #expect(try value(store, .place) == nil)
        #expect(try value(store, .gate) == "")
    }

    @Test func draftsBelongToConversations() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let other = try alice.send("hello", to: "bob").id
        _ = try alice.fetch()
        _ = try bob.fetch()
        let contact = try #require(try bob.contacts().first)
        let chat = ChatTarget.reference(.direct(contact.id))
        let message = try #require(try bob.items("alice").last?.id)
        #expect(try bob.execute(ShowDraft(chat)).draft == nil)

        let draft = Draft(text: "line\nline", answers: message)
        _ = try bob.execute(SetDraft(chat, draft))
        try bob.reopen()
        #expect(try bob.execute(ShowDraft(.name("alice"))).draft == draft)
        // The message that it answers goes, and what was typed stays.
        _ = try bob.execute(DeleteItems(chat, [message], .internal))
        #expect(try bob.execute(ShowDraft(chat)).draft == Draft(text: "line\nline"))

        #expect(throws: ChatError.itemNotFound(ChatItemID(other.number + 99))) {
            try bob.execute(SetDraft(chat, Draft(text: "x", answers: ChatItemID(other.number + 99))))
        }
        _ = try bob.execute(SetDraft(chat, Draft(text: "")))
        #expect(try bob.execute(ShowDraft(chat)).draft == nil)
    }

    @Test func commandsAreRememberedOnceAndNotForEver() throws {
        let house = try TestHouse()
        let store = try house.person("alice")
        for line in ["a", "a", "", "b", "a", "two\nlines"] { _ = try store.execute(AddLine(line)) }
        #expect(try lines(store, 10) == ["a", "b", "a", "two\nlines"])
        #expect(try lines(store, 2) == ["a", "two\nlines"])
        #expect(try lines(store, 0) == [])
        #expect(try lines(store, -5) == [])
        for number in 0..<1_010 { _ = try store.execute(AddLine("\(number)")) }
        #expect(try lines(store, 5_000) == (10..<1_010).map { "\($0)" })
    }

    @Test func unreadEntriesAreCountedHereAndElsewhere() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        for number in 1...3 { try alice.send("\(number)", to: "bob") }
        _ = try alice.fetch()
        _ = try bob.fetch()
        let contact = try #require(try bob.contacts().first)
        func report() throws -> UnreadReport {
            try bob.execute(CountUnread())
        }
        #expect(try report().chats == [.direct(contact.id): UnreadCount(all: contact.unreadCount)])
        #expect(contact.unreadCount >= 3)
        #expect(try report().elsewhere == 0)
        _ = try bob.execute(CreateProfile(Profile(displayName: "other")))
        #expect(try report().chats == [:])
        #expect(try report().elsewhere == contact.unreadCount)
        _ = try bob.execute(MarkChatRead(.reference(.direct(contact.id))))
        #expect(try report().elsewhere == 0)
    }

    @Test func entriesBeforeOthersAreReadInPages() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends()
        for number in 1...25 { try alice.send("\(number)", to: "bob") }
        var seen: [String] = []
        var page = try alice.execute(ShowChat(.name("bob"), .last(10))).items
        while let first = page.first {
            seen = page.filter(\.content.isForPeople).map(\.content.plainText) + seen
            page = try alice.execute(ShowChat(.name("bob"), .before(first.id, 10))).items
        }
        #expect(seen == (try alice.items("bob").map(\.content.plainText)))
        #expect(seen.suffix(25) == (1...25).map { "\($0)" })
    }

    @Test func nothingIsWrittenInAStoreThatIsRead() throws {
        let house = try TestHouse()
        let store = try house.person("alice")
        store.close()
        try store.open(.reading)
        #expect(throws: ChatError.readOnly) { try store.execute(SetSessionValue(.place, "x")) }
        #expect(throws: ChatError.readOnly) { try store.execute(AddLine("x")) }
        #expect(throws: ChatError.readOnly) { try store.execute(AdvanceOnboarding(to: .complete)) }
        #expect(try lines(store, 5) == [])
        #expect(try value(store, .place) == nil)
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
        _ = try alice.execute(SetHome(nil, contact.id))
        try alice.reopen()
        #expect(try home() == contact.id)
        #expect(try alice.execute(SetHome(contact.profileID, contact.id)).type == "userProfileNoChange")
        _ = try alice.execute(SetHome(nil, nil))
        #expect(try home() == nil)
        _ = try alice.execute(SetHome(nil, contact.id))
        #expect(changes() == [contact.id, nil, contact.id])

        // Another profile has other contacts.
        _ = try alice.execute(CreateProfile(Profile(displayName: "other")))
        #expect(throws: ChatError.contactNotFound(contact.id)) {
            try alice.execute(SetHome(nil, contact.id))
        }
        // Without the contact there is a list again.
        let chat = ChatTarget.reference(.direct(contact.id))
        _ = try alice.execute(DeleteChat(chat, .full, notifies: false))
        #expect(try home() == nil)
        #expect(changes() == [nil])
    }

    // MARK: - The first steps

    private func stage(_ store: TestStore) throws -> OnboardingStage {
        let stage = try store.execute(ShowOnboarding()).stage
        let shown = try shownStage(store)
        #expect(shown == nil || shown == stage)
        return stage
    }

    /// What the status says.
    private func shownStage(_ store: TestStore) throws -> OnboardingStage? {
        try store.execute(ShowStatus()).onboarding
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

    private func advance(_ store: TestStore, _ stage: OnboardingStage) throws -> OnboardingStage {
        try store.execute(AdvanceOnboarding(to: stage)).stage
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
        #expect(try advance(store, .welcome) == .welcome)
        #expect(try advance(store, .complete) == .profile, "there is no profile")
        _ = try store.execute(CreateProfile(Profile(displayName: "ann")))
        #expect(try stage(store) == .operators)
        #expect(try advance(store, .complete) == .operators, "there is no relay")
        _ = try store.execute(SetServers(ProfileID(1), [ConfiguredServer(address: house.address)]))
        #expect(try stage(store) == .notifications)
        #expect(try advance(store, .complete) == .complete)
        // And never back.
        #expect(try advance(store, .welcome) == .complete)
        _ = try store.execute(SetServers(ProfileID(1), []))
        try store.reopen()
        #expect(try stage(store) == .complete)
    }

    @Test func decidingHowMessagesArriveIsTheLastStep() throws {
        let house = try TestHouse()
        let store = try emptyStore(house)
        _ = try store.execute(AdvanceOnboarding(to: .profile))
        _ = try store.execute(SetSessionValue(.notifyMode, "off"))
        #expect(try stage(store) == .profile, "what comes before is not done")
        _ = try store.execute(CreateProfile(Profile(displayName: "ann")))
        _ = try store.execute(SetServers(ProfileID(1), [ConfiguredServer(address: house.address)]))
        #expect(try stage(store) == .notifications)
        _ = try store.execute(SetSessionValue(.notifyMode, "off"))
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
