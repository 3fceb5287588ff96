import AgentProtocol
import ChatProtocol
import SMPProtocol
import Testing

@testable import ChatCore

/// What changes in a profile.
@Suite struct ProfilesTests {
    @Test func a_changed_profile_is_stored_and_told() async throws {
        let bench = try Workbench(), profiles = bench.profiles()
        try bench.contact("bob")
        let update = try await profiles.update(try bench.profile(), Profile(displayName: "alicia"))
        guard case .updated(_, let profile, let told, _) = update else {
            Issue.record("nothing was changed")
            return
        }
        #expect(profile.name == "alicia" && told == 1)
        #expect(bench.agent.sent.map(\.message.event.name) == ["x.info"])
        // The former name is free.
        #expect(try bench.store.freeName("alice", in: ProfileID(1)) == "alice")
    }

    @Test func a_name_that_is_taken_changes_nothing() async throws {
        let bench = try Workbench(), profiles = bench.profiles()
        try bench.contact("bob")
        await #expect(throws: ChatError.nameTaken("bob")) {
            try await profiles.update(try bench.profile(), Profile(displayName: "bob"))
        }
        let same = try bench.profile()
        guard case .unchanged = try await profiles.update(same, same.profile) else {
            Issue.record("it was changed")
            return
        }
        #expect(bench.agent.sent.isEmpty)
    }

    @Test func a_home_is_told_once_and_goes_with_its_contact() async throws {
        let bench = try Workbench(), profiles = bench.profiles(), bob = try bench.contact()
        for _ in 0..<2 { _ = try profiles.setHome(bob.id, of: try bench.profile()) }
        #expect(try bench.profile().home == bob.id && bench.eventTypes() == [HomeChangedEvent.type])
        try await bench.connector().delete(bob, keepingMessages: false, notifies: false)
        #expect(try bench.profile().home == nil && bench.eventTypes() == [HomeChangedEvent.type])
        #expect(throws: ChatError.contactNotFound(ContactID(77))) {
            try profiles.setHome(ContactID(77), of: try bench.profile())
        }
    }

    @Test func notes_are_made_once() throws {
        let bench = try Workbench(), profiles = bench.profiles()
        #expect(throws: ChatError.contactNotFoundByName("notes")) { try profiles.notes(of: try bench.profile()) }
        let notes = try profiles.openNotes(of: try bench.profile())
        #expect(try profiles.openNotes(of: try bench.profile()).id == notes.id)
        #expect(try profiles.notes(of: try bench.profile()).id == notes.id)
    }

    @Test func onboarding_goes_no_further_than_what_is_done() throws {
        let bench = try Workbench(), profiles = bench.profiles()
        #expect(try profiles.begunOnboardingStage() == nil)
        let servers = try bench.store.servers(of: ProfileID(1))
        try bench.store.transaction { for server in servers { try bench.store.removeServer(try #require(server.id)) } }
        #expect(try profiles.advanceOnboarding(to: .complete) == .operators)
        try bench.store.transaction {
            try bench.store.insert(ProfileServer(ConfiguredServer(address: Workbench.server)), of: ProfileID(1))
            try profiles.noteOnboarding()
        }
        #expect(try profiles.begunOnboardingStage() == .notifications)
        try bench.store.transaction { try profiles.noteDecision() }
        #expect(try profiles.onboardingStage() == .complete)
        // The steps never go back.
        #expect(try profiles.advanceOnboarding(to: .welcome) == .complete)
    }
}
