import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import Testing

@testable import ChatCore

/// A chat relay takes the rosters of owners, and serves them.
@Suite struct RelayRosterTests {
    @Test func aRosterGivesRolesAndIsAcknowledged() throws {
        let bench = try RelayBench(), bob = try bench.subscriber("bob")
        try bench.receiveRoster(0, [try bench.entry(of: bob, .member)], 1)
        #expect(try bench.house.member(bob.id).role == .member)
        #expect(bench.got(bench.owner) == ["x.grp.roster.ack"])
        #expect(try bench.house.group().channel?.ownStatus == .acknowledgedRoster)
        #expect(try bench.house.group().channel?.rosterVersion == 0)
    }

    @Test func whoIsNotNamedAnyMoreIsASubscriberAgain() throws {
        let bench = try RelayBench(), bob = try bench.subscriber("bob")
        try bench.receiveRoster(1, [try bench.entry(of: bob, .admin)], 1)
        try bench.receiveRoster(2, [], 2)
        #expect(try bench.house.member(bob.id).role == .observer)
    }

    @Test func anOlderRosterAndAnOlderChangeAreIgnored() throws {
        let bench = try RelayBench(), bob = try bench.subscriber("bob")
        try bench.receiveRoster(5, [], 1)
        try bench.receiveRoster(4, [try bench.entry(of: bob, .admin)], 2)
        let change = ChatMessage.Event.group(
            .roleChanged(bob.memberID, .admin), otherFields: RosterChange(version: 4).fields)
        try bench.receive([bench.element(change, 3, signedBy: bench.owner)], from: bench.owner)
        #expect(try bench.house.member(bob.id).role == .observer)
        #expect(try bench.house.group().channel?.rosterGate == 5)
    }

    @Test func aChangedFileIsRefused() throws {
        let bench = try RelayBench(), bob = try bench.subscriber("bob")
        let forged = Roster([try bench.entry(of: bob, .admin)]).encoded
        let named = [try bench.entry(of: bob, .member)]
        #expect(forged.count == Roster(named).encoded.count - 1)
        try bench.receiveRoster(1, named, 1, blob: forged + [0])
        #expect(try bench.house.member(bob.id).role == .observer)
        guard case .success(.message(let message))? = bench.elements(to: bench.owner).last?.content,
            case .group(.rosterAcknowledged(let version, let error), _) = message.event
        else {
            Issue.record("the owner was not told")
            return
        }
        #expect(version == 1 && error == "relay could not verify the roster blob")
    }

    @Test func theFirstKeyOfAMemberStays() throws {
        let bench = try RelayBench(), bob = try bench.subscriber("bob"), cath = try bench.subscriber("cath")
        let other = Roster.Entry(bob.memberID, key: try bench.entry(of: cath, .admin).key, role: .admin)
        let key = try bench.store.publicKey(of: bob.id)
        try bench.receiveRoster(1, [other], 1)
        #expect(try bench.house.member(bob.id).role == .observer)
        #expect(try bench.store.publicKey(of: bob.id) == key)
    }

    @Test func aRosterWithoutTheSignatureOfAnOwnerIsRefused() throws {
        let bench = try RelayBench(), bob = try bench.subscriber("bob")
        let file = Roster([try bench.entry(of: bob, .admin)]).encoded
        let event = ChatMessage.Event.group(
            .roster(version: 1, RosterFile(size: Int64(file.count), digest: SHA512.hash(file))))
        for (number, author) in [(1, nil), (2, bob)] as [(UInt8, GroupMember?)] {
            try bench.receive([bench.element(event, number, signedBy: author)], from: author ?? bench.owner)
            let chunk = FileChunk(messageID: Workbench.sharedID(number), .data(number: 1, file))
            try bench.house.receive(payload: chunk.encoded, from: author ?? bench.owner)
        }
        #expect(try bench.house.member(bob.id).role == .observer)
        #expect(try bench.store.roster(of: bench.house.id) == nil)
    }

    @Test func aNewcomerGetsOwnersThenTheRosterThenTheOthersThenTheHistory() throws {
        let bench = try RelayBench(GroupPreferences.historyOn)
        let mona = try bench.subscriber("mona")
        try bench.receiveRoster(1, [try bench.entry(of: mona, .moderator)], 1)
        try bench.receive([bench.element(bench.post("from before"), 2)], from: bench.owner)
        let bob = try bench.subscriber("bob")
        try bench.house.groups.commit(bench.house.bench.profile()) { consequences in
            try bench.house.groups.admitToChannel(bob, bench.house.group(), &consequences)
        }
        #expect(
            bench.got(bob) == [
                "x.grp.mem.intro", "olga: x.grp.roster", "chunk", "x.grp.mem.intro", "C: from before",
            ])
        #expect(bench.got(bench.owner).suffix(1) == ["new bob"])
        #expect(bench.got(mona).suffix(1) == ["new bob"])
        // It has the roster, and does not get it twice.
        try bench.receive([bench.element(.group(.rosterRequested(since: 0)), 3)], from: bob)
        #expect(bench.got(bob).count == 5)
        try bench.receiveRoster(2, [], 4)
        try bench.receive([bench.element(.group(.rosterRequested(since: 0)), 5)], from: bob)
        #expect(bench.got(bob).suffix(2) == ["olga: x.grp.roster", "chunk"])
    }
}

extension GroupPreferences {
    fileprivate static var historyOn: GroupPreferences {
        var preferences = GroupPreferences()
        preferences[.history] = Setting(true)
        return preferences
    }
}
