import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Testing

@testable import ChatCore

/// The end of messages.
@Suite struct ExpiryTests {
    private func receive(_ text: String, ttl: Int64? = nil, from contact: Contact, _ bench: Workbench) throws {
        _ = try bench.store.transaction {
            try bench.store.insertReceived(
                .message(MessageContent(text)), from: contact, ttl: ttl, at: bench.now, now: bench.now)
        }
    }

    @Test func a_read_message_disappears_after_its_time() throws {
        let bench = try Workbench(), expiry = bench.expiry(), bob = try bench.contact()
        try receive("stays", from: bob, bench)
        try receive("disappears", ttl: 60, from: bob, bench)
        // Its time begins when it is read.
        try expiry.schedule()
        bench.environment.pass(.seconds(600))
        #expect(try bench.texts(bob) == ["stays", "disappears"])
        try bench.store.transaction { try bench.store.markRead(.direct(bob.id), at: bench.now) }
        try expiry.schedule()
        bench.environment.pass(.seconds(59))
        #expect(try bench.texts(bob).count == 2 && !expiry.hasExpired)
        bench.environment.pass(.seconds(1))
        #expect(try bench.texts(bob) == ["stays"])
        #expect(bench.eventTypes() == [ItemsDeletedEvent.type])
    }

    @Test func a_cancelled_timer_removes_nothing() throws {
        let bench = try Workbench(), expiry = bench.expiry(), bob = try bench.contact()
        try receive("disappears", ttl: 60, from: bob, bench)
        try bench.store.transaction { try bench.store.markRead(.direct(bob.id), at: bench.now) }
        try expiry.schedule()
        expiry.cancel()
        bench.environment.pass(.seconds(600))
        #expect(try bench.texts(bob) == ["disappears"] && expiry.hasExpired)
        // The next start removes it.
        try bench.expiry().removeExpired()
        #expect(try bench.texts(bob).isEmpty)
    }

    @Test func messages_are_kept_as_long_as_the_setting_says() throws {
        let bench = try Workbench(), expiry = bench.expiry(), bob = try bench.contact()
        try receive("old", from: bob, bench)
        bench.environment.pass(.seconds(100))
        try receive("new", from: bob, bench)
        try expiry.keep(.limited(seconds: 50), of: try bench.profile(), in: nil)
        #expect(try bench.texts(bob) == ["new"])
        bench.environment.pass(.seconds(51))
        #expect(try bench.texts(bob).isEmpty)
        #expect(throws: ChatError.commandSyntax) {
            try expiry.keep(.limited(seconds: -1), of: try bench.profile(), in: nil)
        }
    }

    @Test func a_dry_purge_only_counts() throws {
        let bench = try Workbench(), expiry = bench.expiry(), bob = try bench.contact()
        try receive("old", from: bob, bench)
        bench.environment.pass(.seconds(100))
        try receive("new", from: bob, bench)
        let before = Timestamp(milliseconds: bench.now.milliseconds - 50_000), profile = try bench.profile()
        #expect(try expiry.purge(profile, in: nil, before: before, isDry: true).map(\.items.count) == [1])
        #expect(try bench.texts(bob) == ["old", "new"])
        #expect(try expiry.purge(profile, in: nil, before: before, isDry: false).map(\.items.count) == [1])
        #expect(try bench.texts(bob) == ["new"])
    }

    @Test func a_time_is_refused_where_it_would_not_be_kept() throws {
        let bench = try Workbench(), expiry = bench.expiry(), bob = try bench.contact()
        try expiry.checkTTL(60, in: .direct(bob))
        #expect(throws: ChatError.commandSyntax) { try expiry.checkTTL(Expiry.longestTTL + 1, in: .direct(bob)) }
        var silent = Profile(displayName: "bob")
        silent.preferences = .object(["timedMessages": .object(["allow": "no"])])
        try bench.store.transaction { try bench.store.update(bob.id, profile: silent, at: bench.now) }
        let refusing = try bench.context.lookup.contact(bob.id)
        #expect(throws: ChatError.timersOff("bob")) { try expiry.checkTTL(60, in: .direct(refusing)) }
        let message = ChatMessage(id: nil, event: .ok), profile = try bench.profile()
        func accepted(_ ttl: Int64, from contact: Contact) -> Int64? {
            IncomingMessage(message, from: contact, profile, at: bench.now).acceptedTTL(ttl)
        }
        #expect(accepted(60, from: bob) == 60 && accepted(60, from: refusing) == nil)
        #expect(accepted(.max, from: bob) == Expiry.longestTTL)
    }
}
