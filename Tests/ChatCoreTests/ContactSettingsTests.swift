import AgentProtocol
import ChatCore
import ChatProtocol
import JSONCoding
import TestSupport
import Testing

/// What is decided about contacts and profiles on one side.
@Suite struct ContactSettingsTests {
    @Test func aContactIsCalledSomethingElse() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        _ = try alice.execute(RenameContact(.name("bob"), name: "Robert Lee"))
        #expect(try alice.contacts().map(\.name) == ["Robert Lee"])
        #expect(throws: ChatError.nameTaken("alice")) {
            try alice.execute(RenameContact(.name("Robert Lee"), name: "alice"))
        }
        #expect(throws: ChatError.invalidName("#", suggestion: nil)) {
            try alice.execute(RenameContact(.name("Robert Lee"), name: "#"))
        }
        _ = try alice.execute(RenameContact(.name("Robert Lee"), name: "bob"))
        try bob.send("hi", to: "alice")
        _ = try bob.fetch()
        _ = try alice.fetch()
        #expect(try alice.texts("bob") == ["hi"])
    }

    @Test func whatABlockedContactSaysIsThrownAway() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        _ = try alice.execute(BlockContact(.name("bob"), true))
        #expect(throws: ChatError.contactBlocked("bob")) { try alice.send("no", to: "bob") }
        let item = try bob.send("spam", to: "alice")
        _ = try bob.fetch()
        #expect(try alice.fetch().received == 0)
        #expect(try alice.items("bob").isEmpty && alice.contacts()[0].unreadCount == 0)
        _ = try bob.fetch()
        #expect(try bob.items("alice").first { $0.id == item.id }?.status == .sendSent)
        _ = try alice.execute(BlockContact(.name("bob"), false))
        try bob.send("sorry", to: "alice")
        _ = try bob.fetch()
        _ = try alice.fetch()
        #expect(try alice.texts("bob") == ["sorry"])
    }

    /// Not even what is unreadable, unknown or about the connection.
    @Test func a_blocked_contact_cannot_fill_the_store() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        _ = try alice.execute(BlockContact(.name("bob"), true))
        let contact = try #require(try bob.contacts().first)
        func rows() throws -> [Int] {
            try alice.counts(["items", "kept_events"])
        }
        let before = try rows()
        for number in Int64(0)..<5 {
            try bob.say(.other(name: "x.unknown", parameters: ["n": .integer(number)]), to: contact.id)
        }
        _ = try bob.execute(SynchronizeRatchet(.name("alice"), isForced: true))
        for store in [bob, alice, bob, alice] { _ = try store.fetch() }
        #expect(try rows() == before)
    }

    @Test func unknown_events_of_a_contact_are_kept_up_to_a_limit() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let contact = try #require(try bob.contacts().first)
        for number in Int64(0)..<120 {
            try bob.say(.other(name: "x.unknown", parameters: ["n": .integer(number)]), to: contact.id)
        }
        for store in [bob, alice] { _ = try store.fetch() }
        #expect(try alice.counts(["kept_events"]) == [100])
    }

    @Test func a_picture_of_a_contact_has_12500_bytes() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let contact = try #require(try bob.contacts().first), prefix = "data:image/jpg;base64,"
        func present(_ size: Int, _ description: String) throws -> Profile {
            var profile = Profile(displayName: "bob")
            profile.shortDescription = description
            profile.image = prefix + String(repeating: "A", count: size - prefix.utf8.count)
            try bob.say(.profile(profile, otherFields: [:]), to: contact.id)
            for store in [bob, alice] { _ = try store.fetch() }
            return try #require(try alice.contacts().first).profile
        }
        let largest = try present(12_500, "one")
        #expect(largest.image?.utf8.count == 12_500 && largest.shortDescription == "one")
        let tooLarge = try present(12_501, "two")
        #expect(tooLarge.image == nil && tooLarge.shortDescription == "two")
    }

    @Test func bothSidesSeeTheSameCode() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let own = try alice.execute(ShowSecurityCode(.name("bob"))).code
        let other = try bob.execute(ShowSecurityCode(.name("alice"))).code
        #expect(own == other && own.text.count > 70)
        let wrong = try alice.execute(VerifySecurityCode(.name("bob"), "12345"))
        #expect(!wrong.isRight && wrong.contact.verification == nil)
        let right = try alice.execute(VerifySecurityCode(.name("bob"), other.text))
        #expect(right.isRight && right.contact.verification?.code == own.text)
        _ = try alice.execute(VerifySecurityCode(.name("bob"), nil))
        #expect(try alice.contacts()[0].verification == nil)
    }

    @Test func aNewRatchetHasToBeComparedAgain() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let before = try bob.execute(ShowSecurityCode(.name("alice"))).code
        _ = try alice.execute(VerifySecurityCode(.name("bob"), before.text))
        _ = try bob.execute(SynchronizeRatchet(.name("alice"), isForced: true))
        for _ in 0..<2 { for store in [bob, alice] { _ = try store.fetch() } }
        #expect(try alice.contacts()[0].verification == nil)
        let after = try bob.execute(ShowSecurityCode(.name("alice"))).code
        let own = try alice.execute(ShowSecurityCode(.name("bob"))).code
        #expect(after != before && after == own)
    }

    @Test(arguments: [ChatDeletion.full, .entity]) func aContactIsDeletedAndTold(mode: ChatDeletion) throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        try bob.send("hi", to: "alice")
        _ = try bob.fetch()
        _ = try alice.fetch()
        _ = try alice.execute(DeleteChat(.name("bob"), mode, notifies: true))
        switch mode {
        case .full, .messages: #expect(try alice.contacts().isEmpty)
        case .entity:
            #expect(try alice.contacts().map(\.status) == [.deletedByUser])
            #expect(try alice.texts("bob") == ["hi"])
        }
        _ = try bob.fetch()
        #expect(try bob.contacts().map(\.status) == [.deleted])
        #expect(throws: ChatError.contactNotActive("alice")) { try bob.send("still there?", to: "alice") }
        // Nothing is left to be done.
        let left = try alice.fetch()
        #expect(left.isComplete && left.waiting == 0)
        // The name is free for who comes next.
        try bob.join(try alice.invite(), name: "again")
        for store in [bob, alice, bob] { _ = try store.fetch() }
        #expect(try alice.contacts().map(\.name).contains(mode == .full ? "bob" : "bob_1"))
    }

    @Test func aProfileIsDeletedWithItsQueues() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        #expect(throws: ChatError.self) {
            _ = try alice.execute(CreateProfile(Profile(displayName: "work")))
            _ = try alice.execute(DeleteProfile(ProfileID(2)))
        }
        _ = try alice.execute(DeleteProfile(ProfileID(1)))
        let profiles = try alice.execute(ListProfiles()).profiles
        #expect(profiles.map(\.name) == ["work"])
        #expect(try alice.fetch().isComplete)
        let item = try bob.send("anybody?", to: "alice")
        _ = try bob.fetch()
        #expect(try bob.items("alice").first { $0.id == item.id }?.status == .sendErrorAuthorization)
        _ = try alice.execute(MuteProfile(ProfileID(2), true))
        let work = try alice.execute(ShowActiveProfile()).profile
        #expect(work.isMuted)
    }

    @Test func receivingEndsWhenTimeIsUp() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        try bob.send("hi", to: "alice")
        _ = try bob.fetch()
        let report = try alice.execute(ReceiveMessages(timeout: .milliseconds(500)))
        #expect(report.received == 1)
    }
}
