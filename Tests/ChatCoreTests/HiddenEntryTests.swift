import AgentProtocol
import ByteCoding
import ChatProtocol
import Testing

@testable import ChatCore

/// Entries that only other programs see.
@Suite struct HiddenEntryTests {
    private static let beginning: [ChatItem.Content] = [
        .banner, .encryption(isPostQuantum: true),
        .feature(.voice, Preferences.Effect(own: true, other: false), seconds: nil),
    ]

    private func begun(_ bench: Workbench, _ bob: Contact) throws {
        for content in HiddenEntryTests.beginning {
            _ = try bench.store.insertNotice(
                content, .received, in: .direct(bob.id), isUnread: true, at: bench.now)
        }
    }

    @Test func people_do_not_see_them_and_their_numbers_have_no_gaps() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact(),
            chat = ChatReference.direct(bob.id)
        try begun(bench, bob)
        inbox.handle(bench.text("hello", 1, from: bob))
        try begun(bench, bob)
        inbox.handle(bench.text("again", 2, from: bob))
        #expect(try bench.items(bob).map(\.id.number) == [1, 2])
        #expect(try bench.store.items(of: ProfileID(1), .before(ChatItemID(2), 9)).map(\.id.number) == [1])
        #expect(try bench.store.countItems(of: ProfileID(1), in: chat, after: nil) == 2)
        #expect(try bench.store.chat(chat)?.unreadCount == 2)
        let last = try bench.store.lastItems(of: ProfileID(1), 1)
        #expect(last[chat]?.id == ChatItemID(2))
        try bench.store.transaction { try bench.store.recount(chat) }
        #expect(try bench.store.lastItems(of: ProfileID(1), 1)[chat]?.id == ChatItemID(2))
    }

    @Test func programs_see_them_where_they_were_made() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact(),
            chat = ChatReference.direct(bob.id)
        try begun(bench, bob)
        inbox.handle(bench.text("hello", 1, from: bob))
        bench.environment.pass(.seconds(5))
        try begun(bench, bob)
        bench.environment.pass(.seconds(5))
        inbox.handle(bench.text("again", 2, from: bob))
        func numbers(_ range: ItemRange) throws -> [Int64] {
            try bench.store.allItems(in: chat, range).map(\.id.number)
        }
        #expect(try numbers(.last(100)) == [-1, -2, -3, 1, -4, -5, -6, 2])
        #expect(try numbers(.last(3)) == [-5, -6, 2])
        #expect(try numbers(.before(ChatItemID(2), 2)) == [-5, -6])
        #expect(try numbers(.before(ChatItemID(-5), 3)) == [-3, 1, -4])
        #expect(try numbers(.after(ChatItemID(1), 2)) == [-4, -5])
        #expect(try numbers(.after(ChatItemID(-5), 9)) == [-6, 2])
        #expect(try bench.store.allItems(in: chat, .last(100)).prefix(3).map(\.content) == HiddenEntryTests.beginning)
        #expect(try bench.store.allItems(in: chat, .last(1)).first?.status == .receivedNew)
        #expect(try bench.store.item(ChatItemID(-1))?.status == .receivedRead)
    }
}
