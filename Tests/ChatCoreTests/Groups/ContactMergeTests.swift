import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import Store
import Testing

@testable import ChatCore

/// Contacts that are the same person, which clients before 5.3 tell by probes.
@Suite struct ContactMergeTests {
    private let team: GroupBench
    private let bench: Workbench
    private let inbox: Inbox
    private let older: Contact
    private let newer: Contact
    private let probe = Bytes("a random probe".utf8)
    private var hash: Bytes { SHA256.hash(probe) }

    /// Two contacts with the same profile.
    init() throws {
        team = try GroupBench()
        bench = team.bench
        inbox = team.inbox
        older = try bench.contact("bob")
        let other = try bench.contact("bob_1")
        try bench.store.transaction { [bench] in
            try bench.store.update(other.id, profile: Profile(displayName: "bob"), at: bench.now)
        }
        newer = try bench.context.lookup.contact(other.id)
    }

    private func say(_ message: ProbeMessage, _ contact: Contact) {
        inbox.handle(bench.message(.probe(message), from: contact))
    }

    private func write(_ text: String, _ id: UInt8, _ contact: Contact) {
        inbox.handle(bench.text(text, id, from: contact))
    }

    private func change(_ body: (ChatStore) throws -> Void) throws {
        try bench.store.transaction { try body(bench.store) }
    }

    private func probes(_ contact: Contact) -> [ProbeMessage] {
        bench.agent.sent.filter { $0.connection == contact.connection?.id }.flatMap(\.messages).compactMap { message in
            if case .probe(let probe, _) = message.event { probe } else { nil }
        }
    }

    private func contacts() throws -> [Contact] { try bench.store.contacts(of: ProfileID(1)) }

    private func texts() throws -> [String] {
        try bench.store.items(in: .direct(older.id), .last(100)).compactMap {
            if case .message(let content) = $0.content { content.text } else { nil }
        }
    }

    @Test(arguments: [true, false], [true, false]) func a_probe_and_its_hash_make_one_contact_of_two(
        probesFirst: Bool, olderProbes: Bool
    ) throws {
        let (prober, checker) = olderProbes ? (older, newer) : (newer, older)
        write("one", 1, older)
        write("two", 2, newer)
        write("three", 3, older)
        if probesFirst { say(.probe(probe), prober) }
        say(.check(hash: hash), checker)
        if !probesFirst { say(.probe(probe), prober) }
        // The proof goes through the connection of the hash, and through no other.
        #expect(probes(checker) == [.confirmation(probe)] && probes(prober).isEmpty)
        let merged = try #require(try contacts().first)
        #expect(try contacts().count == 1 && merged.id == older.id && merged.name == "bob" && merged.unreadCount == 3)
        #expect(try texts() == ["one", "two", "three"])
        #expect(try bench.store.freeName("bob", in: ProfileID(1)) == "bob_1")
        #expect(bench.eventTypes().filter { $0 == "contactsMerged" }.count == 1)
        // Either connection brings messages of the one contact.
        write("four", 4, older)
        write("five", 5, newer)
        #expect(try texts().suffix(2) == ["four", "five"])
        #expect(try bench.context.lookup.contact(older.id).connection?.id == newer.connection?.id)
        // A step that comes again changes nothing.
        say(.check(hash: hash), checker)
        say(.confirmation(probe), checker)
        #expect(try contacts().count == 1 && !bench.eventTypes().contains("contactsMerged"))
        #expect(bench.context.failure == nil)
    }

    @Test func a_confirmation_of_an_own_probe_makes_one_contact_of_two() throws {
        try change {
            let number = try $0.insertProbe(probe, sentTo: .contact(older), at: bench.now)
            try $0.insertCheck(of: number, sentTo: .contact(newer))
        }
        say(.confirmation(probe), newer)
        #expect(try contacts().map(\.id) == [older.id])
    }

    @Test func what_both_have_stays() throws {
        let chats = (ChatReference.direct(older.id), ChatReference.direct(newer.id))
        let member = try team.member("bob_2").id
        try change {
            try $0.setContact(newer.id, of: member)
            try $0.setDraft(Draft(text: "half a line"), of: chats.1, at: bench.now)
            try $0.setFavorite(true, chats.1)
            try $0.setAlias("the baker", newer.id)
            try $0.owe(ChatMessage(id: Workbench.sharedID(9), event: .ok), to: newer.id)
            try $0.setCursor("script", of: ProfileID(1), in: chats.1, past: nil, at: bench.now)
        }
        say(.probe(probe), older)
        say(.check(hash: hash), newer)
        let merged = try bench.context.lookup.contact(older.id)
        #expect(merged.marks.isFavorite && merged.choices.alias == "the baker")
        #expect(try bench.store.draft(of: chats.0)?.text == "half a line")
        #expect(try bench.store.cursors(of: ProfileID(1)).count == 1)
        #expect(try bench.store.member(member)?.contactID == older.id && bench.store.member(member)?.name == "bob")
        #expect(try bench.store.owedEvents().isEmpty)
        #expect(
            bench.agent.sent.contains {
                $0.connection == newer.connection?.id && $0.messages.contains { $0.event == .ok }
            })
    }

    @Test func a_name_of_the_user_stays() throws {
        try change {
            try $0.free(newer.name, in: ProfileID(1))
            try $0.take("baker", in: ProfileID(1))
            try $0.rename(newer.id, "baker", at: bench.now)
        }
        say(.probe(probe), older)
        say(.check(hash: hash), newer)
        #expect(try contacts().map(\.name) == ["baker"])
        #expect(try bench.store.freeName("bob", in: ProfileID(1)) == "bob")
    }

    /// The contact that both become, after the code of one was compared.
    private func merge(verifying contact: Contact, _ verification: Contact.Verification) throws -> Contact {
        try change { try $0.setVerification(verification, contact.id) }
        say(.probe(probe), older)
        say(.check(hash: hash), newer)
        return try bench.context.lookup.contact(older.id)
    }

    @Test func a_compared_code_is_that_of_the_current_connection() throws {
        let merged = try merge(verifying: older, Contact.Verification(code: "12345", verifiedAt: bench.now))
        #expect(merged.verification == nil && merged.codeChangedAt != nil)
        let items = try bench.store.items(in: .direct(older.id), .last(10))
        #expect(items.contains { $0.content == .securityCodeChanged })
    }

    @Test func a_compared_code_of_the_newer_connection_stays() throws {
        let verification = Contact.Verification(code: "12345", verifiedAt: bench.now)
        let merged = try merge(verifying: newer, verification)
        #expect(merged.verification == verification && merged.codeChangedAt == nil)
    }

    @Test func a_message_behind_the_probe_is_stored() throws {
        say(.check(hash: hash), older)
        let messages = [
            ChatMessage(id: nil, event: .probe(.probe(probe))),
            ChatMessage(
                id: Workbench.sharedID(7), event: .message(MessageContainer(MessageContent("and one more thing")))),
        ]
        for case .payload(let body, _) in ChatPayload.batches(messages.map(\.encoded)) {
            let received = ReceivedMessage(
                number: 1, hash: [], relayTime: bench.now, integrity: .ok, isPostQuantum: false, body: body)
            inbox.handle(bench.event(try #require(newer.connection).id, .connection(.msg(received))))
        }
        #expect(try contacts().count == 1 && texts() == ["and one more thing"])
    }

    enum Obstacle: CaseIterable { case profile, blocked, incognito, deleted, failed, otherHash, sameContact }

    @Test(arguments: Obstacle.allCases) func others_stay_two(_ obstacle: Obstacle) throws {
        var checker = newer, sent = hash
        switch obstacle {
        case .profile: try change { try $0.update(newer.id, profile: Profile(displayName: "rob"), at: bench.now) }
        case .blocked: try change { try $0.setBlocked(true, older.id) }
        case .incognito:
            let connection = try #require(newer.connection)
            try change { try $0.update(connection.id, as: Profile(displayName: "masked"), at: bench.now) }
        case .deleted: try change { try $0.update(older.id, status: .deleted, at: bench.now) }
        case .failed:
            let connection = try #require(older.connection)
            try change { try $0.update(connection.id, status: .failed, at: bench.now) }
        case .otherHash: sent = SHA256.hash(Bytes("another".utf8))
        case .sameContact: checker = older
        }
        say(.probe(probe), older)
        say(.check(hash: sent), checker)
        say(.confirmation(probe), checker)
        #expect(try contacts().count == 2 && probes(older).isEmpty && probes(newer).isEmpty)
        #expect(!bench.eventTypes().contains("contactsMerged"))
    }

    @Test func three_contacts_become_one() throws {
        let last = try bench.contact("bob_2")
        try change { try $0.update(last.id, profile: Profile(displayName: "bob"), at: bench.now) }
        say(.check(hash: hash), newer)
        say(.check(hash: hash), last)
        say(.probe(probe), older)
        #expect(try contacts().map(\.name) == ["bob"])
        #expect(bench.eventTypes().filter { $0 == "contactsMerged" }.count == 2)
        for (id, contact) in [older, newer, last].enumerated() { write("\(id)", UInt8(id + 1), contact) }
        #expect(try texts() == ["0", "1", "2"])
    }
}
