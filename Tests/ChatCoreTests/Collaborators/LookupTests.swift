import AgentProtocol
import ChatProtocol
import Testing

@testable import ChatCore

/// What commands find.
@Suite struct LookupTests {
    @Test func a_hidden_profile_is_found_by_callers_that_opened_it() throws {
        let bench = try Workbench(), lookup = bench.context.lookup, bob = try bench.contact()
        try bench.hideProfile()
        #expect(throws: ChatError.profileNotFound(ProfileID(1))) { try lookup.profile(ProfileID(1)) }
        #expect(throws: ChatError.chatNotFound(.direct(bob.id))) { try lookup.chat(.reference(.direct(bob.id))) }
        #expect(try lookup.visibleProfiles().map(\.name) == ["other"])
        // Events have their owner all the same.
        #expect(try lookup.owner(ProfileID(1)).name == "alice")
        let names = try OpenedProfiles.$ids.withValue([ProfileID(1)]) {
            [try lookup.profile(ProfileID(1)).name, try lookup.chat(.reference(.direct(bob.id))).name]
        }
        #expect(names == ["alice", "bob"])
    }

    @Test func items_of_a_hidden_profile_do_not_exist() throws {
        let bench = try Workbench(), lookup = bench.context.lookup, bob = try bench.contact()
        bench.inbox().handle(bench.text("hello", from: bob))
        let item = try #require(try bench.items(bob).first)
        #expect(try lookup.visibleItem(item.id).item == item)
        try bench.hideProfile()
        #expect(throws: ChatError.itemNotFound(item.id)) { try lookup.visibleItem(item.id) }
    }

    @Test func what_is_not_there_has_an_error_of_its_own() throws {
        let bench = try Workbench(), lookup = bench.context.lookup
        #expect(throws: ChatError.contactNotFoundByName("bob")) { try lookup.chat(.name("bob")) }
        #expect(throws: ChatError.chatNotFound(.direct(ContactID(7)))) {
            try lookup.chat(.reference(.direct(ContactID(7))))
        }
        #expect(throws: ChatError.itemNotFound(ChatItemID(7))) { try lookup.item(ChatItemID(7)) }
        #expect(throws: ChatError.connectionNotFound(ConnectionID(7))) { try lookup.connection(ConnectionID(7)) }
        #expect(throws: ChatError.requestNotFound(RequestID(7))) { try lookup.request(.id(RequestID(7))) }
        #expect(throws: ChatError.noAddress) { try lookup.address(of: try bench.profile()) }
    }

    @Test func a_connection_is_found_while_it_can_be_used() throws {
        let bench = try Workbench(), lookup = bench.context.lookup
        let bob = try bench.contact("bob"), failed = try bench.contact("failed", status: .failed)
        #expect(try lookup.connected(.reference(.direct(bob.id))).2 == bob.connection?.id)
        #expect(throws: ChatError.contactNotActive("failed")) {
            try lookup.connected(.reference(.direct(failed.id)))
        }
    }
}
