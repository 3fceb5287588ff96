import AgentProtocol
import ChatProtocol
import Testing

@testable import ChatCore

/// Positions of programs that read.
@Suite struct CursorsTests {
    private func fill(_ bench: Workbench, _ texts: [String]) throws -> [ChatItem] {
        let inbox = bench.inbox(), bob = try bench.contact()
        for text in texts { inbox.handle(bench.text(text, from: bob)) }
        return try bench.items(bob)
    }

    @Test func a_cursor_counts_what_is_behind_it() throws {
        let bench = try Workbench(), cursors = Cursors(bench.context), items = try fill(bench, ["one", "two", "three"])
        let profile = try bench.profile()
        #expect(try cursors.move("bot", of: profile, in: nil, .start).waiting == 3)
        #expect(try cursors.move("bot", of: profile, in: nil, .past(items[1].id)).waiting == 1)
        #expect(try cursors.move("bot", of: profile, in: nil, .end).waiting == 0)
        #expect(try cursors.list(of: profile).map(\.name) == ["bot"])
    }

    @Test func a_cursor_goes_back_only_when_it_is_told() throws {
        let bench = try Workbench(), cursors = Cursors(bench.context), items = try fill(bench, ["one", "two"])
        let profile = try bench.profile()
        _ = try cursors.move("bot", of: profile, in: nil, .end)
        #expect(try cursors.move("bot", of: profile, in: nil, .past(items[0].id)).place == items[1].id)
        #expect(try cursors.move("bot", of: profile, in: nil, .to(items[0].id)).place == items[0].id)
    }

    @Test func a_cursor_stays_in_its_chat() throws {
        let bench = try Workbench(), cursors = Cursors(bench.context), items = try fill(bench, ["one"])
        let profile = try bench.profile(), carol = try bench.contact("carol")
        _ = try cursors.move("bot", of: profile, in: items[0].chat, .end)
        #expect(throws: ChatError.cursorElsewhere("bot")) {
            try cursors.move("bot", of: profile, in: .direct(carol.id), .end)
        }
        #expect(throws: ChatError.itemNotFound(ChatItemID(77))) {
            try cursors.move("bot", of: profile, in: nil, .to(ChatItemID(77)))
        }
        #expect(throws: ChatError.cursorNotFound("other")) { try cursors.named("other", of: profile) }
    }
}
