import AgentProtocol
import ByteCoding
import ChatProtocol
import Testing

@testable import ChatCore

/// Calls and their ends.
@Suite struct CallsTests {
    private static let invitation = CallMessage.Step.invitation(CallInvitation(CallType(.audio, canEncrypt: true)))
    private static let offer = CallOffer(
        CallType(.audio, canEncrypt: true), CallSession(description: "d", candidates: "c"))

    /// Records a step of a call as an inbox does.
    @discardableResult
    private func record(
        _ step: CallMessage.Step, _ number: UInt8 = 1, from contact: Contact, _ calls: Calls, _ bench: Workbench,
        at time: Timestamp? = nil
    ) throws -> (any ChatEvent)? {
        try bench.store.transaction {
            var items: [LocatedItem] = []
            return try calls.record(
                CallMessage(Workbench.sharedID(number), step), from: contact, try bench.profile(),
                at: time ?? bench.now, &items)
        }
    }

    private func states(_ contact: Contact, _ bench: Workbench) throws -> [CallRecord.State] {
        try bench.items(contact).compactMap { $0.content.call?.state }
    }

    @Test func a_call_that_is_not_answered_in_time_is_missed() throws {
        let bench = try Workbench(), calls = bench.calls(), bob = try bench.contact()
        #expect(try record(CallsTests.invitation, from: bob, calls, bench) is CallInvitationEvent)
        #expect(try calls.waiting(of: ProfileID(1)).count == 1)
        bench.environment.pass(.seconds(181))
        #expect(try states(bob, bench) == [.missed] && calls.waiting(of: ProfileID(1)).isEmpty)
        #expect(bench.eventTypes() == [CallEndedEvent.type] && !bench.environment.hasTimer)
    }

    @Test func a_call_that_arrives_late_is_missed_at_once() throws {
        let bench = try Workbench(), calls = bench.calls(), bob = try bench.contact()
        let before = bench.now
        bench.environment.pass(.seconds(600))
        #expect(try record(CallsTests.invitation, from: bob, calls, bench, at: before) == nil)
        #expect(try states(bob, bench) == [.missed] && !bench.environment.hasTimer)
    }

    @Test func an_accepted_call_sends_an_offer_and_goes_on_with_the_answer() throws {
        let bench = try Workbench(), calls = bench.calls(), bob = try bench.contact()
        try record(CallsTests.invitation, from: bob, calls, bench)
        _ = try calls.accept(.reference(.direct(bob.id)), CallsTests.offer)
        #expect(bench.agent.sent.map(\.message.event.name) == ["x.call.offer"])
        let answer = CallMessage.Step.answer(CallSession(description: "d", candidates: "c"))
        #expect(try record(answer, from: bob, calls, bench) is CallAnsweredEvent)
        bench.environment.pass(.seconds(3600))
        #expect(try states(bob, bench) == [.negotiated])
        #expect(try record(.end, from: bob, calls, bench) is CallEndedEvent)
        #expect(try bench.items(bob).first?.content.call?.duration == 3600)
    }

    @Test func only_one_call_is_active() throws {
        let bench = try Workbench(), calls = bench.calls()
        let bob = try bench.contact("bob"), carol = try bench.contact("carol")
        try record(CallsTests.invitation, 1, from: bob, calls, bench)
        try record(CallsTests.invitation, 2, from: carol, calls, bench)
        _ = try calls.accept(.reference(.direct(bob.id)), CallsTests.offer)
        #expect(throws: ChatError.callActive("bob")) {
            try calls.accept(.reference(.direct(carol.id)), CallsTests.offer)
        }
    }

    @Test func a_rejected_call_tells_its_caller() throws {
        let bench = try Workbench(), calls = bench.calls(), bob = try bench.contact()
        try record(CallsTests.invitation, from: bob, calls, bench)
        _ = try calls.finish(.reference(.direct(bob.id)), as: .rejected)
        #expect(bench.agent.sent.map(\.message.event.name) == ["x.call.end"])
        #expect(try states(bob, bench) == [.rejected])
        #expect(throws: ChatError.noCall("bob")) { try calls.finish(.reference(.direct(bob.id)), as: .rejected) }
    }

    @Test func a_second_call_ends_the_first_of_the_same_contact() throws {
        let bench = try Workbench(), calls = bench.calls(), bob = try bench.contact()
        try record(CallsTests.invitation, 1, from: bob, calls, bench)
        try record(CallsTests.invitation, 2, from: bob, calls, bench)
        #expect(try states(bob, bench) == [.missed, .pending])
    }
}
