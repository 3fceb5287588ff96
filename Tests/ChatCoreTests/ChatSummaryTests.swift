import AgentProtocol
import ByteCoding
import ChatProtocol
import TestSupport
import Testing

@testable import ChatCore

extension ChatSummary {
    /// What a list shows of chats.
    static func list(_ chats: [ChatPreview]) -> [ChatSummary] {
        chats.filter { !$0.chat.isNotes || $0.lastItem != nil }.map { ChatSummary($0.chat, $0.lastItem) }
    }
}

extension ChatStore {
    /// Checks that lists of chats show what the chats have, whatever happened to them.
    func checkSummaries() throws {
        let profile = ProfileID(1), chats = try recentChats(of: profile, .last(.max))
        let items = try lastItems(of: chats.map(\.reference), of: profile)
        let expected = ChatSummary.list(chats.map { ChatPreview(chat: $0, lastItem: items[$0.reference]) })
        #expect(try summaries(of: profile, nil) == expected)
    }
}

/// What lists show of chats is copied by the database itself. Many other tests compare the copies too, see
/// ``ChatStore/checkSummaries()``.
@Suite struct ChatSummaryTests {
    private func summaries(_ bench: Workbench) throws -> [ChatSummary] {
        try bench.store.checkSummaries()
        return try bench.store.summaries(of: ProfileID(1), nil)
    }

    @Test func lists_begin_with_the_chat_that_was_active_last() throws {
        let bench = try Workbench(), bob = try bench.contact(), cath = try bench.contact("cath")
        #expect(try Set(summaries(bench).map(\.name)) == ["bob", "cath"])
        #expect(try summaries(bench).allSatisfy { $0.lastEntry == nil && $0.state == .contact(.connected) })
        bench.environment.pass(.seconds(1))
        bench.inbox().handle(bench.text("one", 1, from: cath))
        bench.environment.pass(.seconds(1))
        bench.inbox().handle(bench.text("two", 2, from: bob))
        let found = try summaries(bench)
        #expect(found.map(\.name) == ["bob", "cath"] && found.map(\.unreadCount) == [1, 1])
        #expect(found.compactMap(\.lastEntry?.text) == ["two", "one"])
        #expect(try bench.store.summaries(of: ProfileID(1), 1).map(\.name) == ["bob"])
        #expect(try bench.store.summaries(of: ProfileID(1), 0).isEmpty)
    }

    /// Only the beginnings of long messages would be in a list, but other programs get all of them.
    @Test(arguments: [1, 400, 499, 500, 501, 5000])
    func long_messages_are_whole(count: Int) throws {
        let bench = try Workbench(), bob = try bench.contact(), text = String(repeating: "é", count: count)
        bench.inbox().handle(bench.text(text, 1, from: bob))
        #expect(try summaries(bench).map(\.lastEntry?.text) == [text])
    }

    @Test func what_happens_to_the_newest_entry_is_shown() throws {
        let team = try GroupBench(), bob = try team.member("bob"), store = team.bench.store
        try team.receive("one", 1, from: bob)
        try team.receive("two", 2, from: bob)
        func entry() throws -> ChatSummary.Entry { try #require(try summaries(team.bench).first?.lastEntry) }
        #expect(try entry().text == "two" && entry().author == "bob" && !entry().isDeleted)
        let id = try entry().id, item = try #require(try store.item(id))

        try store.transaction { try store.update(id, status: .receivedRead) }
        #expect(try entry().status == .receivedRead)
        try store.transaction {
            try store.update(bob.id, profile: bob.profile, name: "robert", at: team.bench.now)
        }
        #expect(try entry().author == "robert")
        try store.transaction { try store.mark(item, .moderated, by: nil, at: team.bench.now) }
        #expect(try entry().removal == .moderated && entry().isDeleted)
        try store.transaction { try store.removeItems([id], of: .group(team.id)) }
        #expect(try entry().text == "one")
        try store.transaction { try store.removeMember(bob.id) }
        try store.transaction { try store.recount(.group(team.id)) }
        #expect(try summaries(team.bench).map(\.lastEntry) == [nil])
    }
}
