import AgentProtocol
import ChatCore
import ChatProtocol
import SMPProtocol
import Testing

/// A profile that changes: contacts hear of it, and own links show it.
@Suite struct PresentationTests {
    private func update(_ store: TestStore, _ profile: Profile) throws -> Int {
        guard case .updated(_, let changed, let told, _) = try store.execute(UpdateProfile(ProfileID(1), profile))
        else {
            throw ChatError.internal
        }
        #expect(changed.profile == profile && changed.name == profile.displayName)
        return told
    }

    /// Who is behind a link, for somebody who has not opened it yet.
    private func shown(_ link: String, to store: TestStore) throws -> Profile? {
        try store.execute(PlanConnection(nil, link: link)).plan.content?.profile
    }

    @Test func contactsAndLinksFollow() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let carol = try house.person("carol")
        let address = try alice.createAddress().preferred, invitation = try alice.invite()
        let profile = Profile(displayName: "alix", fullName: "Alix Lee", shortDescription: "another name")
        #expect(try update(alice, profile) == 1)
        for link in [address, invitation] {
            let shown = try shown(link, to: carol)
            #expect(shown?.displayName == "alix" && shown?.shortDescription == "another name")
        }
        _ = try bob.fetch()
        let contact = try #require(try bob.contacts().first)
        // The name that bob knows alice by stays.
        #expect(contact.name == "alice" && contact.profile.displayName == "alix")
        #expect(contact.profile.fullName == "Alix Lee" && contact.profile.preferences != nil)
        guard case .unchanged = try alice.execute(UpdateProfile(ProfileID(1), profile)) else {
            Issue.record("nothing has changed")
            return
        }
        #expect(throws: ChatError.nameTaken("bob")) { try update(alice, Profile(displayName: "bob")) }
        #expect(throws: ChatError.self) { try update(alice, Profile(displayName: "")) }
    }

    @Test func theNameAloneLeavesTheRest() throws {
        let house = try TestHouse()
        let alice = try house.person("alice")
        _ = try update(alice, Profile(displayName: "alice", fullName: "Alice Lee", image: "data:image/png;base64,AA=="))
        guard
            case .updated(_, let changed, told: 0, changed: _) = try alice.execute(
                DescribeProfile(name: "al", about: "hi"))
        else {
            Issue.record("the profile changes")
            return
        }
        #expect(changed.profile.image == "data:image/png;base64,AA==" && changed.profile.shortDescription == "hi")
        // The name before is free again.
        _ = try update(alice, Profile(displayName: "alice"))
    }

    /// Neither a relay that is gone nor an end of the process loses what has to be told.
    @Test func whatCannotBeToldNowIsToldLater() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let carol = try house.person("carol")
        let address = try alice.createAddress().preferred
        let invitation = try alice.invite()
        try carol.join(invitation)
        _ = try carol.fetch()
        house.stopRelay()
        _ = try update(alice, Profile(displayName: "alix"))
        try alice.reopen()
        try house.startRelay()
        // carol is in the middle of the handshake: she is told when it is done.
        for store in [alice, bob, carol, alice, carol, alice, carol, alice, carol] { _ = try store.fetch() }
        #expect(try bob.contacts().map(\.profile.displayName) == ["alix"])
        #expect(try carol.contacts().map(\.profile.displayName) == ["alix"])
        #expect(try shown(address, to: bob)?.displayName == "alix")
    }
}
