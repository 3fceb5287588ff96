import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Testing

@testable import ChatCore

/// What the two sides of a contact allow each other.
@Suite struct PreferencesTests {
    private typealias Effect = Preferences.Effect

    /// A profile that allows something.
    private static func profile(_ name: String, _ allowed: JSONObject) -> Profile {
        Profile(displayName: name, preferences: .object(allowed))
    }

    private static func allow(_ permission: String, ttl: Int64? = nil) -> JSONValue {
        var fields: JSONObject = ["allow": .string(permission)]
        fields.set("ttl", ttl)
        return .object(fields)
    }

    private func contents(_ bench: Workbench, _ bob: Contact) throws -> [ChatItem.Content] {
        try bench.store.allItems(in: .direct(bob.id), .last(100)).map(\.content)
    }

    @Test func the_defaults_are_those_of_the_official_clients() {
        #expect(
            JSONValue.object(Preferences.full(of: [:])).line
                == #"{"timedMessages":{"allow":"yes"},"fullDelete":{"allow":"no"},"reactions":{"allow":"yes"},"#
                + #""voice":{"allow":"yes"},"files":{"allow":"always"},"calls":{"allow":"yes"},"#
                + #""sessions":{"allow":"no"},"commands":[]}"#)
    }

    @Test func one_side_may_let_the_other_do_more() {
        #expect(Preferences.effect(.always, .no, of: .fullDelete) == Effect(own: false, other: true))
        #expect(Preferences.effect(.no, .always, of: .fullDelete) == Effect(own: true, other: false))
        #expect(Preferences.effect(.yes, .always, of: .fullDelete) == Effect(own: true, other: true))
        #expect(Preferences.effect(.always, .no, of: .timedMessages) == Effect(own: false, other: false))
        #expect(Preferences.effect(.yes, .no, of: .voice) == Effect(own: false, other: false))
    }

    @Test func a_contact_that_allows_more_is_noted_and_not_shown() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        inbox.handle(
            bench.message(
                .profile(Self.profile("bob", ["fullDelete": Self.allow("always"), "calls": Self.allow("yes")])),
                from: bob))
        let effect = Effect(own: true, other: false)
        #expect(try contents(bench, bob) == [.feature(.fullDelete, effect, seconds: nil)])
        #expect(try bench.items(bob).isEmpty)
        #expect(bench.eventTypes() == [NewItemsEvent.type, ContactUpdatedEvent.type])
        #expect(try Preferences.effect(.fullDelete, with: bench.context.lookup.contact(bob.id)) == effect)
    }

    @Test func an_offer_that_changes_nothing_is_noted_as_one() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        inbox.handle(bench.message(.profile(Self.profile("bob", ["fullDelete": Self.allow("yes")])), from: bob))
        #expect(try contents(bench, bob) == [.preference(.fullDelete, .yes, seconds: nil)])
    }

    @Test func another_name_is_followed_for_programs_only() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        try bench.contact("robert")
        inbox.handle(bench.message(.profile(Profile(displayName: "robert")), from: bob))
        var renamed = try bench.context.lookup.contact(bob.id)
        #expect(renamed.name == "bob" && renamed.fields["localDisplayName"] == "robert_1")
        guard case .profileUpdated(let former, let profile) = try contents(bench, bob).first else {
            Issue.record("it is noted")
            return
        }
        #expect(former.displayName == "bob" && profile.displayName == "robert")
        // It is found by both names.
        #expect(try bench.store.contact(named: "robert_1", of: ProfileID(1))?.id == bob.id)
        // A name that is given up is free, and the first one needs no other.
        inbox.handle(bench.message(.profile(Profile(displayName: "bob")), from: bob))
        renamed = try bench.context.lookup.contact(bob.id)
        #expect(renamed.choices.presentedName == nil && renamed.fields["localDisplayName"] == "bob")
        #expect(try !bench.store.isTaken("robert_1", in: ProfileID(1)))
    }

    @Test func the_timer_of_the_contact_is_adopted() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        inbox.handle(
            bench.message(.profile(Self.profile("bob", ["timedMessages": Self.allow("yes", ttl: 60)])), from: bob))
        var contact = try bench.context.lookup.contact(bob.id)
        #expect(contact.choices.preferences == ["timedMessages": Self.allow("yes", ttl: 60)])
        #expect(try contents(bench, bob) == [.feature(.timedMessages, Effect(own: true, other: true), seconds: 60)])
        #expect(bench.expiry().ttl(nil, in: .direct(contact)) == 60)
        // Nobody waits for longer than a century.
        inbox.handle(
            bench.message(.profile(Self.profile("bob", ["timedMessages": Self.allow("yes", ttl: .max)])), from: bob))
        contact = try bench.context.lookup.contact(bob.id)
        #expect(bench.expiry().ttl(nil, in: .direct(contact)) == Expiry.longestTTL)
        inbox.handle(bench.message(.profile(Self.profile("bob", ["timedMessages": Self.allow("no")])), from: bob))
        contact = try bench.context.lookup.contact(bob.id)
        #expect(bench.expiry().ttl(nil, in: .direct(contact)) == nil)
    }

    @Test func what_a_contact_is_allowed_is_told_to_it_alone() async throws {
        let bench = try Workbench(), connector = bench.connector(), bob = try bench.contact()
        try bench.contact("carol")
        let update = try await connector.setPreferences(["fullDelete": Self.allow("always")], of: bob)
        #expect(update.former == bob && update.contact.choices.preferences["fullDelete"] != nil)
        #expect(bench.agent.sent.count == 1)
        guard case .profile(let told, _) = bench.agent.sent.first?.message.event else {
            Issue.record("the contact is told")
            return
        }
        #expect(told.preferences?.object?["fullDelete"] == Self.allow("always"))
        #expect(told.preferences?.object?["voice"] == Self.allow("yes"))
        #expect(
            try contents(bench, bob) == [.feature(.fullDelete, Effect(own: false, other: true), seconds: nil)])
        // The same again is no change.
        _ = try await connector.setPreferences(["fullDelete": Self.allow("always")], of: update.contact)
        #expect(bench.agent.sent.count == 1)
    }

    @Test func who_knows_an_incognito_profile_learns_nothing_of_the_other() throws {
        let bench = try Workbench(), connector = bench.connector()
        var profile = try bench.profile().profile
        profile.preferences = .object(["voice": Self.allow("no")])
        try bench.store.transaction { try bench.store.update(ProfileID(1), profile: profile, named: "alice") }
        let owner = try bench.profile(), bob = try bench.contact()
        #expect(connector.presentation(of: owner, as: nil, to: bob).preferences?.object?["voice"] == Self.allow("no"))
        let made = Profile(displayName: "QuietFox")
        #expect(connector.presentation(of: owner, as: made).preferences?.object?["voice"] == Self.allow("yes"))
    }

    @Test func voice_that_is_not_allowed_is_not_sent() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        let voice = ComposedMessage(MessageContent("", kind: .voice(seconds: 5)))
        try ConversationPolicy(.direct(bob)).checkPermissions(of: [voice])
        inbox.handle(bench.message(.profile(Self.profile("bob", ["voice": Self.allow("no")])), from: bob))
        let contact = try bench.context.lookup.contact(bob.id)
        #expect(throws: ChatError.notAllowed(.voice, "bob")) {
            try ConversationPolicy(.direct(contact)).checkPermissions(of: [voice])
        }
        try ConversationPolicy(.direct(contact)).checkPermissions(of: [ComposedMessage(MessageContent("hi"))])
    }

    @Test func a_profile_that_allows_less_is_noted_in_conversations() async throws {
        let bench = try Workbench(), profiles = bench.profiles(), bob = try bench.contact()
        var presented = try bench.profile().profile
        presented.preferences = .object(["voice": Self.allow("no")])
        let update = try await profiles.update(try bench.profile(), presented)
        guard case .updated(_, _, told: 1, let changed) = update else {
            Issue.record("one contact is told")
            return
        }
        #expect(changed.map(\.id) == [bob.id])
        #expect(try contents(bench, bob) == [.feature(.voice, Effect(own: false, other: false), seconds: nil)])
    }
}
