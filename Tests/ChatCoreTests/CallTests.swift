import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import Store
import SystemIO
import TestSupport
import Testing

/// Calls, of which this program only says that they were.
@Suite struct CallTests {
    private static let invitation = CallInvitation(CallType(.audio, canEncrypt: true))

    /// Alice calls bob, and both have fetched.
    private func call(
        _ number: UInt8, _ step: CallMessage.Step = .invitation(invitation), from alice: TestStore, to bob: TestStore
    ) throws {
        let contact = try #require(try alice.contacts().first)
        try alice.say(.call(CallMessage(SharedMessageID([number]), step)), to: contact.id)
        _ = try alice.fetch()
        _ = try bob.fetch()
    }

    private func waiting(_ store: TestStore) throws -> [CallRecord.State?] {
        try store.execute(ListCalls()).calls.map { $0.item.content.call?.state }
    }

    private func states(_ store: TestStore, _ name: String) throws -> [CallRecord.State] {
        try store.items(name).compactMap { $0.content.call?.state }
    }

    private func names(_ events: [any ChatEvent]) -> [String] {
        events.compactMap { event in
            switch event {
            case is CallInvitationEvent: "invitation"
            case is CallEndedEvent: "ended"
            default: nil
            }
        }
    }

    @Test func whoCallsIsListedAndCanBeDeclined() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        try call(1, from: alice, to: bob)
        #expect(try waiting(bob) == [.pending])
        #expect(names(bob.events()) == ["invitation"])
        #expect(try bob.items("alice").last?.content.plainText == "audio call: waiting for an answer")
        // The same invitation again, as after a crash of the caller.
        try call(1, from: alice, to: bob)
        #expect(try states(bob, "alice") == [.pending])
        try bob.reopen()
        #expect(try waiting(bob) == [.pending])

        let rejected = try bob.execute(RejectCall(.name("alice")))
        #expect(rejected.call.item.content.call?.state == .rejected)
        #expect(try waiting(bob) == [])
        #expect(throws: ChatError.noCall("alice")) { try bob.execute(RejectCall(.name("alice"))) }
        #expect(throws: ChatError.noCall("alice")) { try bob.execute(EndCall(.name("alice"))) }
        // The caller hears of it: what ends no call of its own is of no use, and no trouble.
        _ = try bob.fetch()
        _ = try alice.fetch()
        #expect(try states(alice, "bob") == [])
    }

    /// A relay that dates a call into the future does not make it ring for ever.
    @Test func aCallIsNotFromTheFuture() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        try house.restartRelay(ahead: .seconds(3650 * 86_400))
        try call(1, from: alice, to: bob)
        let time = try #require(bob.items("alice").last).time
        #expect(time < Timestamp(milliseconds: SystemClock.milliseconds()) + .seconds(61))
        #expect(try waiting(bob) == [.pending])
    }

    @Test func whoGivesUpHasBeenMissed() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        try call(1, from: alice, to: bob)
        try call(2, .end, from: alice, to: bob)
        #expect(try waiting(bob) == [.pending], "another call")
        try call(1, .end, from: alice, to: bob)
        #expect(try waiting(bob) == [])
        #expect(try states(bob, "alice") == [.missed])
        #expect(names(bob.events()) == ["invitation", "ended"])
        #expect(try bob.items("alice").last?.content.plainText == "missed audio call")
    }

    @Test func whoCallsAgainReplacesTheFormerCall() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        try call(1, from: alice, to: bob)
        try call(2, from: alice, to: bob)
        #expect(try states(bob, "alice") == [.missed, .pending])
        #expect(try waiting(bob).count == 1)
        // What only belongs to calls that were taken up changes nothing.
        let session = CallSession(description: "x", candidates: "y")
        try call(2, .answer(session), from: alice, to: bob)
        try call(2, .extra(candidates: "z"), from: alice, to: bob)
        #expect(try states(bob, "alice") == [.missed, .pending])
        #expect(try bob.execute(EndCall(.name("alice"))).call.item.content.call?.state == .ended)
    }

    private let streams = CallSession(description: "s", candidates: "c")

    private func accept(_ store: TestStore, _ name: String) throws -> LocatedItem {
        let offer = CallOffer(CallType(.audio, canEncrypt: true), streams, key: "k")
        return try store.execute(AcceptCall(.name(name), offer)).call
    }

    @Test func aCallThatIsTakenUpGoesOnUntilOneOfThemEndsIt() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        try call(1, .invitation(CallInvitation(CallType(.audio, canEncrypt: true), key: "dh")), from: alice, to: bob)
        #expect(try bob.items("alice").last?.content.call?.key == "dh")
        #expect(try accept(bob, "alice").item.content.call?.state == .accepted)
        #expect(try waiting(bob) == [], "it is answered")
        #expect(throws: ChatError.callStage(.offerSent, "alice")) { try accept(bob, "alice") }
        #expect(throws: ChatError.callStage(.offerSent, "alice")) { try bob.execute(RejectCall(.name("alice"))) }
        _ = bob.events()
        // An answer to another call is none.
        try call(2, .answer(streams), from: alice, to: bob)
        #expect(try states(bob, "alice") == [.accepted])
        try call(1, .answer(streams), from: alice, to: bob)
        try call(1, .extra(candidates: "more"), from: alice, to: bob)
        #expect(try states(bob, "alice") == [.negotiated])
        let told = bob.events().compactMap { event in
            switch event {
            case let event as CallAnsweredEvent: event.session.description
            case let event as CallCandidatesEvent: event.candidates
            default: nil as String?
            }
        }
        #expect(told == ["s", "more"])
        try bob.reopen()
        let record = try #require(try bob.execute(EndCall(.name("alice"))).call.item.content.call)
        #expect(record.state == .ended)
        #expect(try bob.items("alice").last?.content.plainText == "audio call, \(record.duration) s")
    }

    @Test func thereIsOneCallAtATime() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let carol = try house.person("carol")
        try carol.join(try bob.invite())
        for store in [carol, bob, carol] { _ = try store.fetch() }
        try call(1, from: alice, to: bob)
        try call(3, from: carol, to: bob)
        _ = try accept(bob, "alice")
        #expect(throws: ChatError.callActive("alice")) { try accept(bob, "carol") }
        #expect(try waiting(bob) == [.pending])
        // Who gives a call up that was taken up has ended it.
        try call(1, .end, from: alice, to: bob)
        #expect(try states(bob, "alice") == [.ended])
        #expect(try accept(bob, "carol").item.content.call?.state == .accepted)
    }

    @Test func nobodyWaitsForEver() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        try call(1, from: alice, to: bob)
        bob.close()
        // Three minutes and a second later.
        try Database(bob.folder.path + "/simplex_v1_chat.db", .readWrite)
            .run("UPDATE items SET time = time - 181000 WHERE kind = 'call'")
        try bob.open(.reading)
        #expect(try waiting(bob) == [])
        #expect(try states(bob, "alice") == [.pending], "nothing is written by who reads")
        bob.close()
        try bob.open(.writing)
        #expect(try states(bob, "alice") == [.missed])
        #expect(throws: ChatError.noCall("alice")) { try bob.execute(RejectCall(.name("alice"))) }
    }

    /// A core that stays open notices by itself that time is up, and tells; so it does when a call is declined.
    @Test func whoeverShowsCallsHearsThatTheyAreOver() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        try call(1, from: alice, to: bob)
        bob.close()
        try Database(bob.folder.path + "/simplex_v1_chat.db", .readWrite)
            .run("UPDATE items SET time = time - 179000 WHERE kind = 'call'")
        _ = bob.events()
        try bob.open(.writing)
        _ = try bob.execute(ReceiveMessages(timeout: .seconds(2)))
        #expect(try states(bob, "alice") == [.missed])
        #expect(names(bob.events()) == ["ended"])

        try call(2, from: alice, to: bob)
        _ = try bob.execute(RejectCall(.name("alice")))
        #expect(names(bob.events()) == ["invitation", "ended"])
    }

    @Test func blockedContactsDoNotCall() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        _ = try bob.execute(BlockContact(.name("alice"), true))
        try call(1, from: alice, to: bob)
        #expect(try waiting(bob) == [])
        #expect(try states(bob, "alice") == [])
    }
}
