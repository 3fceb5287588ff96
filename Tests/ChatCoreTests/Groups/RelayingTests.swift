import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import Store
import Testing

@testable import ChatCore

/// A chat relay passes on what members of a channel write.
@Suite struct RelayingTests {
    @Test func aPostOfTheChannelReachesAllButItsAuthor() throws {
        let bench = try RelayBench()
        let bob = try bench.subscriber("bob"), cath = try bench.subscriber("cath")
        try bench.receive([bench.element(bench.post("hello"), 1)], from: bench.owner)
        for subscriber in [bob, cath] { #expect(bench.got(subscriber) == ["C: hello"]) }
        #expect(bench.got(bench.owner) == [])
    }

    @Test func whatAnOwnerWritesInItsOwnNameHasTheName() throws {
        let bench = try RelayBench()
        let bob = try bench.subscriber("bob")
        try bench.receive([bench.element(bench.post("it is me", asChannel: false), 1)], from: bench.owner)
        #expect(bench.got(bob) == ["olga: it is me"])
    }

    @Test func anElementKeepsTheBytesAndTheSignatureOfItsAuthor() throws {
        let bench = try RelayBench()
        let bob = try bench.subscriber("bob")
        let original = bench.element(bench.post("signed"), 1, signedBy: bench.owner)
        try bench.receive([original], from: bench.owner)
        guard case .success(.forwarded(let forwarded, _))? = bench.elements(to: bob).first?.content else {
            Issue.record("nothing was passed on")
            return
        }
        #expect(forwarded.original == original)
    }

    @Test func whatComesTogetherIsPassedOnTogetherAndInOrder() throws {
        let bench = try RelayBench()
        let bob = try bench.subscriber("bob")
        for number in 0..<5 {
            try bench.receive(
                [bench.element(bench.post("post \(number)"), UInt8(number))], from: bench.owner, andRelay: false)
        }
        #expect(bench.got(bob) == [])
        bench.house.bench.environment.pass(.seconds(1))
        #expect(bench.got(bob) == (0..<5).map { "C: post \($0)" })
        #expect(bench.house.bench.agent.payloads.count == 1)
    }

    @Test func aMemberIsIntroducedOnceToThoseWhoDoNotKnowIt() throws {
        let bench = try RelayBench()
        let dan = try bench.subscriber("dan", .member), bob = try bench.subscriber("bob")
        try bench.receive([bench.element(bench.post("first", asChannel: false), 1)], from: dan)
        #expect(bench.got(bob) == ["new dan", "dan: first"])
        #expect(bench.got(bench.owner) == ["new dan", "dan: first"])
        #expect(bench.got(dan) == [])
        try bench.receive([bench.element(bench.post("second", asChannel: false), 2)], from: dan)
        #expect(bench.got(bob) == ["new dan", "dan: first", "dan: second"])
        let late = try bench.subscriber("late")
        try bench.receive([bench.element(bench.post("third", asChannel: false), 3)], from: dan)
        #expect(bench.got(late) == ["new dan", "dan: third"])
        #expect(bench.got(bob).suffix(1) == ["dan: third"])
    }

    @Test func aSupportChatReachesItsMemberAndTheModerators() throws {
        let bench = try RelayBench()
        let bob = try bench.subscriber("bob"), cath = try bench.subscriber("cath")
        let mona = try bench.subscriber("mona", .moderator)
        let question = ChatMessage.Event.message(
            MessageContainer(MessageContent("help"), scope: .support(bob.memberID)))
        try bench.receive([bench.element(question, 1)], from: bob)
        #expect(bench.got(bench.owner) == ["bob: help"])
        #expect(bench.got(mona) == ["bob: help"])
        #expect(bench.got(cath) == [] && bench.got(bob) == [])
        let answer = ChatMessage.Event.message(
            MessageContainer(MessageContent("here"), scope: .support(bob.memberID)))
        try bench.receive([bench.element(answer, 2)], from: mona)
        #expect(bench.got(bob) == ["mona: here"])
        #expect(bench.got(cath) == [])
    }

    @Test func whatASubscriberMayNotWriteIsNotPassedOn() throws {
        let bench = try RelayBench()
        let bob = try bench.subscriber("bob"), cath = try bench.subscriber("cath")
        try bench.receive([bench.element(bench.post("me too", asChannel: false), 1)], from: bob)
        try bench.receive([bench.element(bench.post("as the channel"), 2)], from: bob)
        #expect(bench.got(cath) == [])
    }

    @Test func aWrongSignatureIsNotPassedOn() throws {
        let bench = try RelayBench()
        let bob = try bench.subscriber("bob"), cath = try bench.subscriber("cath")
        let stolen = bench.element(bench.post("forged"), 1, signedBy: cath)
        try bench.receive([stolen], from: bench.owner)
        #expect(bench.got(bob) == [])
    }

    @Test func whoseQueueIsFullGetsTheRestInOrder() throws {
        let bench = try RelayBench()
        let bob = try bench.subscriber("bob")
        let connection = try #require(bob.connection?.id)
        try bench.store.transaction { try bench.store.setInactive(connection) }
        for number in 0..<3 {
            try bench.receive([bench.element(bench.post("post \(number)"), UInt8(number))], from: bench.owner)
        }
        #expect(bench.got(bob) == [])
        bench.house.inbox.handle(bench.house.bench.event(connection, .connection(.qcont)))
        #expect(bench.got(bob) == (0..<3).map { "C: post \($0)" })
    }

    @Test func theEndOfTheChannelIsPassedOnBeforeItsConnectionsEnd() throws {
        let bench = try RelayBench()
        let bob = try bench.subscriber("bob")
        try bench.receive([bench.element(bench.post("last"), 1)], from: bench.owner, andRelay: false)
        try bench.receive(
            [bench.element(.group(.groupDeleted), 2, signedBy: bench.owner)], from: bench.owner, andRelay: false)
        #expect(bench.house.bench.agent.deleted.isEmpty)
        bench.house.bench.environment.pass(.seconds(1))
        #expect(bench.got(bob) == ["olga: x.grp.del"])
        #expect(Set(bench.house.bench.agent.deleted) == Set([bob, bench.owner].compactMap(\.connection?.id)))
    }

    /// The process ends at any call to the agent, before or after it is done. The next one passes on what is missing, and nothing
    /// twice: the agent takes a token for a connection only once.
    @Test(arguments: 1...12, [false, true])
    func nothingIsLostOrComesTwiceWhenTheProcessEnds(call: Int, isDone: Bool) throws {
        let bench = try RelayBench()
        let subscribers = try (0..<3).map { try bench.subscriber("s\($0)") }
        let dan = try bench.subscriber("dan", .member)
        let agent = bench.house.bench.agent
        for number in 0..<3 {
            try bench.receive(
                [bench.element(bench.post("post \(number)"), UInt8(number))], from: bench.owner, andRelay: false)
            try bench.receive(
                [bench.element(bench.post("word \(number)", asChannel: false), UInt8(number + 10))], from: dan,
                andRelay: false)
        }
        agent.crash = FakeAgent.Crash(calls: call, isDone: isDone)
        do { try bench.house.groups.relayAll() } catch {}
        agent.crash = nil
        try bench.house.groups.relayAll()
        let wanted = ["new dan"] + (0..<3).flatMap { ["C: post \($0)", "dan: word \($0)"] }
        for subscriber in subscribers { #expect(bench.got(subscriber) == wanted) }
        #expect(try bench.store.nextRelayJob() == nil)
        #expect(try bench.store.nextRelayTasks(1).isEmpty)
    }

    @Test func manyMembersGetAPayloadInPages() throws {
        let bench = try RelayBench()
        let subscribers = try (0..<150).map { try bench.subscriber("s\($0)") }
        try bench.receive([bench.element(bench.post("to all"), 1)], from: bench.owner)
        #expect(subscribers.allSatisfy { bench.got($0) == ["C: to all"] })
        #expect(bench.house.bench.agent.payloads.count == 150)
    }

    @Test func aMemberWhoseRatchetDoesNotFitGetsLaterWhatItMissed() throws {
        let bench = try RelayBench()
        let bob = try bench.subscriber("bob"), cath = try bench.subscriber("cath")
        let connection = try #require(bob.connection).id
        bench.house.bench.agent.outOfStep = [connection]
        try bench.receive([bench.element(bench.post("first"), 1)], from: bench.owner)
        try bench.receive([bench.element(bench.post("second"), 2)], from: bench.owner)
        #expect(bench.got(bob) == [])
        #expect(bench.got(cath) == ["C: first", "C: second"])
        bench.house.bench.agent.outOfStep = []
        // What comes meanwhile does not overtake it.
        try bench.receive([bench.element(bench.post("third"), 3)], from: bench.owner)
        #expect(bench.got(bob) == [])
        bench.house.inbox.handle(bench.house.bench.event(connection, .connection(.rsync(.ok))))
        #expect(bench.got(bob) == ["C: first", "C: second", "C: third"])
        try bench.receive([bench.element(bench.post("fourth"), 4)], from: bench.owner)
        #expect(bench.got(bob).last == "C: fourth")
    }

    @Test func whatTheOperatorCountsIsCounted() throws {
        let bench = try RelayBench()
        _ = try bench.subscriber("bob")
        _ = try bench.subscriber("cath")
        try bench.receive([bench.element(bench.post("hello"), 1)], from: bench.owner)
        #expect(bench.house.inbox.groups.relayActivity.messages == 1)
        #expect(bench.house.inbox.groups.relayActivity.deliveries == 2)
    }

    @Test func aNewcomerGetsWhatTheAuthorOfAPostSigned() throws {
        var preferences = GroupPreferences()
        preferences[.history] = GroupPreferences.Setting(true)
        let bench = try RelayBench(preferences)
        let post = bench.element(bench.post("signed", asChannel: false), 1, signedBy: bench.owner)
        let changed = ChatMessage.Event.update(MessageUpdate(Workbench.sharedID(1), MessageContent("changed")))
        let edit = bench.element(changed, 2, signedBy: bench.owner)
        func history(of name: String) throws -> [Bytes] {
            let newcomer = try bench.subscriber(name)
            try bench.house.groups.commit(bench.house.bench.profile()) { consequences in
                try bench.house.groups.admitToChannel(newcomer, bench.house.group(), &consequences)
            }
            return bench.elements(to: newcomer).compactMap { element in
                guard case .success(.forwarded(let forwarded, _)) = element.content else { return nil }
                return forwarded.original
            }
        }
        try bench.receive([post], from: bench.owner)
        #expect(try history(of: "bob") == [post])
        try bench.receive([edit], from: bench.owner)
        #expect(try history(of: "cath") == [edit])
        // Posts without a signature are written again.
        try bench.receive([bench.element(bench.post("unsigned"), 3)], from: bench.owner)
        #expect(try history(of: "dan").count == 2)
    }
}

@Suite struct MemberSetTests {
    @Test func aSetHasOneBitForAMember() {
        var set = MemberSet(from: GroupMemberID(100))
        #expect(set.bytes.isEmpty)
        for number: Int64 in [100, 107, 108, 1000] { set.insert(GroupMemberID(number)) }
        #expect(set.bytes.count == 113 && set.bytes.prefix(2) == [0x81, 0x01])
        for number: Int64 in 90...1010 {
            #expect(set.contains(GroupMemberID(number)) == [100, 107, 108, 1000].contains(number))
        }
    }

    @Test func numbersThatAreTooFarAwayAreLeftOut() {
        var set = MemberSet([0xff], from: GroupMemberID(5))
        for number in [Int64.min, -1, 4, .max, 5 + 1 << 24] { set.insert(GroupMemberID(number)) }
        #expect(set.bytes == [0xff])
        #expect(!set.contains(GroupMemberID(.min)) && !set.contains(GroupMemberID(.max)))
        #expect(set.contains(GroupMemberID(12)) && !set.contains(GroupMemberID(13)))
    }
}
