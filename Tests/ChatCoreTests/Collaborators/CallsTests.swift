import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import Store
import TestSupport
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

    @Test func a_call_that_is_made_here_goes_through_its_stages() throws {
        let bench = try Workbench(), calls = bench.calls(), bob = try bench.contact()
        let chat = ChatTarget.reference(.direct(bob.id)), type = CallType(.video, canEncrypt: true)
        _ = try calls.invite(chat, type)
        #expect(bench.eventTypes() == [NewItemsEvent.type])
        #expect(try states(bob, bench) == [.pending] && calls.waiting(of: ProfileID(1)).isEmpty)
        guard case .call(let message) = try #require(bench.agent.sent.first).message.event,
            case .invitation(let invitation) = message.step, invitation.type == type
        else {
            Issue.record("no invitation was sent")
            return
        }
        let own = try X25519.PublicKey(der: Base64URL.decode(try #require(invitation.key)))
        let key = X25519.PrivateKey(random: SeededRandom(seed: 5))
        let session = CallSession(description: "d", candidates: "c")
        #expect(throws: ChatError.callStage(.invitationSent, "bob")) { try calls.answer(chat, session) }
        func receive(_ step: CallMessage.Step) throws -> (any ChatEvent)? {
            try bench.store.transaction {
                var items: [LocatedItem] = []
                return try calls.record(
                    CallMessage(message.id, step), from: bob, try bench.profile(), at: bench.now, &items)
            }
        }
        #expect(try receive(.answer(session)) == nil, "only who is called gets an answer")
        let offer = CallOffer(
            CallType(.video, canEncrypt: false), session, key: Base64URL.encode(key.publicKey.der))
        let offered = try #require(try receive(.offer(offer)) as? CallOfferedEvent)
        #expect(offered.asksConfirmation && offered.session == session)
        #expect(offered.sharedKey == Base64URL.encode(try key.agree(with: own).copyBytes()))
        #expect(try states(bob, bench) == [.accepted])
        _ = try calls.answer(chat, session)
        _ = try calls.addCandidates(chat, "more")
        _ = try calls.setStatus(.connected, of: chat)
        bench.environment.pass(.seconds(65))
        #expect(try states(bob, bench) == [.progress])
        // The other side is told of the end only.
        _ = try calls.setStatus(.disconnected, of: chat)
        #expect(try states(bob, bench) == [.ended])
        #expect(try bench.items(bob).first?.content.itemText(.sent) == "outgoing call: ended (01:05)")
        _ = try calls.finish(chat, as: .ended)
        #expect(
            bench.agent.sent.map(\.message.event.name)
                == ["x.call.inv", "x.call.answer", "x.call.extra", "x.call.end"])
        #expect(throws: ChatError.noCall("bob")) { try calls.finish(chat, as: .ended) }
        let keys = try bench.store.database.first("SELECT count(*) FROM call_keys") { row throws(StoreError) in
            try row.int()
        }
        #expect(keys == 0)
    }

    @Test func both_sides_of_a_call_agree_on_a_key() throws {
        let bench = try Workbench(), calls = bench.calls(), bob = try bench.contact()
        let key = X25519.PrivateKey(random: SeededRandom(seed: 5))
        let invitation = CallInvitation(
            CallType(.audio, canEncrypt: true), key: Base64URL.encode(key.publicKey.der))
        let event = try record(.invitation(invitation), from: bob, calls, bench) as? CallInvitationEvent
        let agreement = try #require(event).agreement
        #expect(try calls.agreements(of: calls.waiting(of: ProfileID(1))).values.first == agreement)
        _ = try calls.accept(.reference(.direct(bob.id)), CallsTests.offer)
        guard case .call(let message) = try #require(bench.agent.sent.first).message.event,
            case .offer(let offer) = message.step
        else {
            Issue.record("no offer was sent")
            return
        }
        let other = try X25519.PublicKey(der: Base64URL.decode(try #require(offer.key)))
        #expect(agreement.sharedKey == Base64URL.encode(try key.agree(with: other).copyBytes()))
        #expect(agreement.uuid.utf8.count == 36)
    }

    @Test func a_call_may_be_rejected_without_a_word() throws {
        let bench = try Workbench(), calls = bench.calls(), bob = try bench.contact()
        let chat = ChatTarget.reference(.direct(bob.id))
        try record(CallsTests.invitation, from: bob, calls, bench)
        _ = try calls.finish(chat, as: .rejected, tells: false)
        #expect(try bench.agent.sent.isEmpty && states(bob, bench) == [.rejected])
        #expect(throws: ChatError.noCall("bob")) { try calls.finish(chat, as: .ended) }
        #expect(throws: ChatError.noCall("bob")) { try calls.addCandidates(chat, "c") }
        // Who gives up before an answer has not reached anybody.
        _ = try calls.invite(chat, CallType(.audio, canEncrypt: false))
        _ = try calls.finish(chat, as: .ended)
        #expect(try states(bob, bench) == [.rejected, .missed])
    }

    @Test func nobody_is_called_who_does_not_allow_it() throws {
        let bench = try Workbench(), calls = bench.calls(), bob = try bench.contact()
        let profile = try Profile(
            decoding: Bytes(
                #"{"displayName":"bob","fullName":"","preferences":{"calls":{"allow":"no"}}}"#.utf8))
        try bench.store.transaction { try bench.store.update(bob.id, profile: profile, at: bench.now) }
        #expect(throws: ChatError.notAllowed(.calls, "bob")) {
            try calls.invite(.reference(.direct(bob.id)), CallType(.audio, canEncrypt: true))
        }
        #expect(try bench.agent.sent.isEmpty && states(bob, bench) == [])
    }

    @Test func a_second_call_ends_the_first_of_the_same_contact() throws {
        let bench = try Workbench(), calls = bench.calls(), bob = try bench.contact()
        try record(CallsTests.invitation, 1, from: bob, calls, bench)
        try record(CallsTests.invitation, 2, from: bob, calls, bench)
        #expect(try states(bob, bench) == [.missed, .pending])
    }
}
