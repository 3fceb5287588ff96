import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import Store
import TestSupport
import Testing

@testable import ChatCore

/// Contacts and members that are the same person.
@Suite struct MemberProbeTests {
    private let probe = Bytes("a random probe".utf8)
    private var hash: Bytes { SHA256.hash(probe) }

    /// A contact and a member with the same profile.
    private func twins(
        _ category: GroupMember.Category = .post, picture: String? = nil
    ) throws -> (GroupBench, Contact, GroupMember) {
        let team = try GroupBench(), contact = try team.bench.contact("bob")
        let member = try team.member("bob_1", .member, category)
        try team.bench.store.transaction {
            try team.bench.store.update(
                member.id, profile: Profile(displayName: "bob", image: picture), name: "bob_1", at: team.bench.now)
        }
        return (team, contact, try team.member(member.id))
    }

    private func say(_ message: ProbeMessage, _ contact: Contact, in team: GroupBench) {
        team.inbox.handle(team.bench.message(.probe(message), from: contact))
    }

    private func probes(_ connection: ContactConnection?, _ team: GroupBench) -> [ProbeMessage] {
        team.bench.agent.sent.filter { $0.connection == connection?.id }.flatMap(\.messages).compactMap { message in
            if case .probe(let probe, _) = message.event { probe } else { nil }
        }
    }

    @Test(arguments: [true, false]) func a_probe_and_its_hash_show_who_a_member_is(probesFirst: Bool) throws {
        let (team, contact, member) = try twins()
        if probesFirst { try team.receive(.probe(.probe(probe)), from: member) }
        say(.check(hash: hash), contact, in: team)
        if !probesFirst { try team.receive(.probe(.probe(probe)), from: member) }
        #expect(probes(contact.connection, team) == [.confirmation(probe)])
        let known = try team.member(member.id)
        #expect(known.contactID == contact.id && known.name == "bob")
        let events = team.bench.events().filter { type(of: $0).type == "contactAndMemberAssociated" }
        #expect(events.count == 1)
        // The name with the number is free again.
        #expect(try team.bench.store.freeName("bob", in: ProfileID(1)) == "bob_1")
    }

    @Test func the_contact_may_probe_and_the_member_check() throws {
        let (team, contact, member) = try twins()
        say(.probe(probe), contact, in: team)
        try team.receive(.probe(.check(hash: hash)), from: member)
        #expect(probes(member.connection, team) == [.confirmation(probe)])
        #expect(try team.member(member.id).contactID == contact.id)
    }

    @Test func a_member_that_was_there_before_is_probed() throws {
        let (team, contact, member) = try twins(.pre)
        let connection = try #require(member.connection)
        team.inbox.handle(team.bench.event(connection.id, .connection(.con(isPostQuantum: false))))
        guard case .probe(let sent)? = probes(member.connection, team).first else {
            Issue.record("no probe")
            return
        }
        #expect(sent.count == 44)
        #expect(probes(contact.connection, team) == [.check(hash: SHA256.hash(sent))])
        // Others know neither the probe nor that the contact was asked.
        say(.confirmation(probe), contact, in: team)
        let stranger = try team.bench.contact("eve")
        say(.confirmation(sent), stranger, in: team)
        #expect(try team.member(member.id).contactID == nil)
        #expect(team.bench.eventTypes().filter { $0 == "messageError" }.count == 2)
        say(.confirmation(sent), contact, in: team)
        #expect(try team.member(member.id).contactID == contact.id)
        // Once more changes nothing.
        say(.confirmation(sent), contact, in: team)
        #expect(try team.member(member.id).contactID == contact.id)
    }

    @Test func other_hashes_and_other_profiles_say_nothing() throws {
        let (team, contact, member) = try twins()
        try team.receive(.probe(.probe(probe)), from: member)
        say(.check(hash: SHA256.hash(Bytes("another".utf8))), contact, in: team)
        say(.confirmation(probe), contact, in: team)
        #expect(try team.member(member.id).contactID == nil && probes(contact.connection, team).isEmpty)

        let (others, friend, double) = try twins(picture: "data:image/png;base64,AA==")
        try others.receive(.probe(.probe(probe)), from: double)
        say(.check(hash: hash), friend, in: others)
        #expect(try others.member(double.id).contactID == nil && probes(friend.connection, others).isEmpty)
    }

    @Test func two_members_are_never_taken_for_one() throws {
        let (team, contact, member) = try twins()
        let other = try team.member("bob_2")
        try team.receive(.probe(.probe(probe)), from: member)
        try team.receive(.probe(.check(hash: hash)), from: other)
        #expect(probes(other.connection, team).isEmpty)
        // Who left is nobody's contact.
        try team.bench.store.transaction {
            try team.bench.store.update(member.id, status: .left, at: team.bench.now)
        }
        say(.check(hash: hash), contact, in: team)
        #expect(try team.member(member.id).contactID == nil)
    }

    @Test func an_incognito_user_recognizes_nobody() throws {
        let (team, contact, member) = try twins()
        let connection = try #require(member.connection)
        try team.bench.store.transaction {
            try team.bench.store.update(connection.id, as: Profile(displayName: "masked"), at: team.bench.now)
        }
        try team.receive(.probe(.probe(probe)), from: member)
        say(.check(hash: hash), contact, in: team)
        #expect(try team.member(member.id).contactID == nil && probes(contact.connection, team).isEmpty)
    }

    @Test func probes_of_one_sender_are_bounded() throws {
        let (team, contact, _) = try twins()
        for number in 0..<200 { say(.check(hash: SHA256.hash([UInt8(number)])), contact, in: team) }
        let count = try team.bench.store.database.first("SELECT count(*) FROM received_probes") {
            row throws(StoreError) in try row.int()
        }
        #expect(try #require(count) <= 51)
    }

    @Test func contacts_recognize_each_other_in_a_group() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob"), cath = try house.person("cath")
        try cath.join(try bob.invite())
        try house.settle([cath, bob], rounds: 3)
        let link = try house.linkedGroup(of: alice)
        try bob.join(link)
        try house.settle([alice, bob]) { try bob.isInGroup(with: 1) && alice.isInGroup(with: 1) }
        try cath.join(link)
        try house.settle([alice, bob, cath], rounds: 12) {
            try bob.known("cath")?.contactID != nil && cath.known("bob")?.contactID != nil
        }
        #expect(try bob.member("cath").name == "cath" && cath.member("bob").name == "bob")
        _ = try bob.send("only for you", to: "cath")
        try house.settle([bob, cath], rounds: 2)
        #expect(try cath.texts("bob") == ["only for you"])
        // A new picture goes to the contact, and to the others with the next message.
        let picture = "data:image/png;base64,iVBORw0KGgo="
        _ = try bob.execute(UpdateProfile(ProfileID(1), Profile(displayName: "bob", image: picture)))
        try house.settle([bob, cath, alice], rounds: 2)
        #expect(try cath.member("bob").profile.image == picture && alice.member("bob").profile.image == nil)
        try bob.say("how do I look?")
        #expect(try house.settle([bob, cath, alice], rounds: 2)[2].contains("groupMemberUpdated"))
        #expect(try alice.member("bob").profile.image == picture)
    }
}
