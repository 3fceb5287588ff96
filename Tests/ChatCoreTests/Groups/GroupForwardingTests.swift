import ByteCoding
import ChatProtocol
import Store
import TestSupport
import Testing

@testable import ChatCore

/// Messages that come and go through admins.
@Suite struct GroupForwardingTests {
    @Test func a_forwarded_message_is_one_of_its_author() throws {
        let team = try GroupBench(), host = try team.member("host", .admin)
        let bob = try team.member("bob", .member, .pre, isConnected: false)
        let sentAt = team.bench.now + .seconds(-60)
        try team.receive([team.forward(text("hello"), 1, of: bob.memberID, at: sentAt)], from: host)
        let item = try #require(try team.items().first)
        #expect(item.group?.author?.id == bob.id && item.group?.forwarder?.id == host.id && item.time == sentAt)
        let update = MessageUpdate(Workbench.sharedID(1), MessageContent("hello, all"))
        try team.receive([team.forward(.update(update), 2, of: bob.memberID)], from: host)
        #expect(try team.texts() == ["hello, all"])
    }

    @Test func an_unknown_author_becomes_a_member() throws {
        let team = try GroupBench(), host = try team.member("host", .admin), stranger = GroupBench.memberID(7)
        try team.receive([team.forward(text("hello"), 1, of: stranger, named: "zoe")], from: host)
        let author = try #require(try team.items().first?.group?.author)
        #expect(author.status == .unknown && author.name == "zoe" && author.memberID == stranger)
        try team.receive([team.forward(text("again"), 2, of: stranger)], from: host)
        #expect(try team.bench.store.members(of: team.id).count == 2)
    }

    @Test func only_admins_forward_and_nobody_speaks_for_the_user() throws {
        let team = try GroupBench(), bob = try team.member("bob", .moderator), cath = try team.member("cath")
        let host = try team.member("host", .admin)
        try team.receive([team.forward(text("forged"), 1, of: cath.memberID)], from: bob)
        try team.receive([team.forward(text("forged"), 2, of: GroupBench.memberID(1))], from: host)
        let observer = try team.member("dan", .observer, .pre, isConnected: false)
        try team.receive([team.forward(text("forged"), 3, of: observer.memberID)], from: host)
        let inner = team.forward(text("nested"), 4, of: cath.memberID)
        #expect(try team.items().isEmpty)
        try team.receive([team.forward(inner.event, 5, of: cath.memberID)], from: host)
        #expect(try team.items().map(\.content) == [.undecryptable(.malformed)])
    }

    @Test func a_copy_that_comes_directly_tells_the_host() throws {
        let team = try GroupBench(), host = try team.member("host", .admin), bob = try team.member("bob")
        try team.receive([team.forward(text("hello"), 1, of: bob.memberID)], from: host)
        try team.receive("hello", 1, from: bob)
        #expect(try team.texts() == ["hello"])
        #expect(team.sent(to: host).map(\.event) == [.group(.memberConnected(bob.memberID))])
        try team.receive("later", 2, from: bob)
        try team.receive([team.forward(text("later"), 2, of: bob.memberID)], from: host)
        #expect(try team.items().count == 2 && team.sent(to: host).count == 2)
    }

    /// Whoever removed it may not be connected with it.
    @Test func an_admin_passes_a_removal_on_to_the_member() throws {
        let team = try GroupBench(role: .owner), bob = try team.member("bob", .admin), cath = try team.member("cath")
        try team.receive(.group(.memberRemoved(cath.memberID)), 1, from: bob)
        #expect(try team.member(cath.id).status == .removed)
        let sent = team.sent(to: cath)
        guard sent.count == 1, case .group(.forwarded(let forwarded), _)? = sent.first?.event else {
            Issue.record("nothing was passed on: \(sent)")
            return
        }
        #expect(forwarded.memberID == bob.memberID)
        #expect(try forwarded.message().event == .group(.memberRemoved(cath.memberID)))
        // One that was passed on goes no further.
        let dan = try team.member("dan"), host = try team.member("host", .admin)
        let away = try team.member("away", .admin, .pre, isConnected: false)
        try team.receive([team.forward(.group(.memberRemoved(dan.memberID)), 2, of: away.memberID)], from: host)
        #expect(try team.member(dan.id).status == .removed && team.sent(to: dan).isEmpty)
    }

    @Test func the_host_passes_on_what_a_moderator_writes_to_who_waits() throws {
        let team = try GroupBench(role: .admin), bob = try team.member("bob", .moderator)
        let cath = try team.member("cath", status: .pendingReview)
        try team.bench.store.transaction {
            try team.bench.store.database.run(
                "INSERT INTO introductions (existing_id, newcomer_id, status, updated_at) VALUES (?, ?, 'sent', 0)",
                bob.id.number, cath.id.number)
        }
        try team.receive("for members", 1, from: bob)
        #expect(team.sent(to: cath).isEmpty)
        try team.receive("who are you?", 2, from: bob, scope: .support(cath.memberID))
        #expect(team.sent(to: cath).count == 1)
    }

    /// What belongs to a message of a support chat goes to those who have the message.
    @Test func the_host_passes_on_what_belongs_to_a_message_to_its_conversation() throws {
        let team = try GroupBench(role: .admin), author = try team.member("author"), plain = try team.member("plain")
        let moderator = try team.member("moderator", .moderator)
        try team.bench.store.transaction {
            for other in [plain, moderator] {
                try team.bench.store.insertIntroduction(of: author.id, to: other.id, at: team.bench.now)
            }
        }
        let file = MessageContainer(MessageContent("secret", kind: .file), scope: .support(author.memberID))
            .with(FileInvitation(name: "keys.txt", size: 100))
        try team.receive(.message(file), 1, from: author)
        let id = Workbench.sharedID(1), thumb = try #require(Reaction(emoji: "👍"))
        let events: [ChatMessage.Event] = [
            .fileDescription(FileDescriptionPart(id, DescriptionPart("keys", part: 1, isComplete: true))),
            .reaction(MessageReaction(id, thumb, isAdded: true, of: author.memberID)),
            .update(MessageUpdate(id, MessageContent("more secret", kind: .file))), .fileCancelled(id),
            .deletion(MessageDeletion(id)),
            // Nothing is known of the message.
            .fileDescription(
                FileDescriptionPart(Workbench.sharedID(9), DescriptionPart("x", part: 1, isComplete: true))),
        ]
        for (number, event) in events.enumerated() {
            try team.receive(event, UInt8(10 + number), from: author)
            #expect(team.sent(to: plain).isEmpty, "\(event.name)")
        }
        #expect(team.sent(to: moderator).count == events.count)
        // A message for all has no other conversation, whatever is said of it.
        try team.receive("for all", 2, from: author)
        try team.receive(
            .reaction(
                MessageReaction(
                    Workbench.sharedID(2), thumb, isAdded: true, of: author.memberID, scope: .support(author.memberID))),
            20, from: author)
        #expect(team.sent(to: plain).count == 2)
    }

    /// From then on a forwarded copy would only let the admin act in the name of the author.
    @Test func commands_in_the_name_of_a_connected_member_are_not_taken_from_an_admin() throws {
        let team = try GroupBench(), host = try team.member("host", .admin), owner = try team.member("owner", .owner)
        let bob = try team.member("bob")
        try team.receive("I am here", 99, from: owner)
        _ = team.bench.events()
        let events: [GroupEvent] = [
            .roleChanged(host.memberID, .owner), .memberRemoved(bob.memberID), .memberLeft, .groupDeleted,
            .restrictionChanged(bob.memberID, MemberRestrictions(.blocked)),
            .profileChanged(GroupProfile(displayName: "squad")), .preferencesChanged(.newBusinessChat),
        ]
        for (number, event) in events.enumerated() {
            let before = try team.snapshot()
            let forged = team.forward(.group(event), UInt8(number), of: owner.memberID)
            try team.receive([forged], from: host)
            #expect(try team.snapshot() == before)
            #expect(
                team.bench.events().compactMap { ($0 as? MessageUnusableEvent)?.reason } == [
                    GroupRefusal.connected.rawValue
                ])
        }
        try team.receive([team.forward(.profile(Profile(displayName: "fool")), 20, of: owner.memberID)], from: host)
        #expect(try team.member(owner.id).profile.displayName == "owner")
        // What was refused still comes from the member itself.
        try team.receive(.group(events[0]), 0, from: owner)
        #expect(try team.member(host.id).role == .owner)
        // Before that there is no other way.
        let away = try team.member("away", .owner, .pre, isConnected: false)
        try team.receive([team.forward(.group(.memberRemoved(bob.memberID)), 21, of: away.memberID)], from: host)
        #expect(try team.member(bob.id).status == .removed)
    }

    @Test func who_forwarded_a_message_or_its_edit_is_shown() throws {
        let team = try GroupBench(), host = try team.member("host", .admin), bob = try team.member("bob")
        try team.receive([team.forward(text("forged"), 1, of: bob.memberID)], from: host)
        #expect(try team.items().first?.group?.forwarder?.name == "host")
        try team.receive("genuine", 2, from: bob)
        #expect(try team.items().last?.group?.forwarder == nil)
        let update = ChatMessage.Event.update(MessageUpdate(Workbench.sharedID(2), MessageContent("forged again")))
        try team.receive([team.forward(update, 3, of: bob.memberID)], from: host)
        #expect(try team.items().last?.group?.forwarder?.name == "host")
        try team.receive(.update(MessageUpdate(Workbench.sharedID(2), MessageContent("mine"))), 4, from: bob)
        #expect(try team.items().last?.group?.forwarder == nil)
    }

    /// Only the host, and the member that brought the author, have a reason to forward.
    @Test func other_admins_do_not_forward() throws {
        let team = try GroupBench(), admin = try team.member("admin", .admin, .pre), bob = try team.member("bob")
        try team.receive([team.forward(text("forged"), 1, of: bob.memberID)], from: admin)
        #expect(try team.items().isEmpty)
        try team.bench.store.transaction { try team.bench.store.setInviter(admin.id, of: bob.id) }
        try team.receive([team.forward(text("honest"), 2, of: bob.memberID)], from: admin)
        #expect(try team.texts() == ["honest"])
    }

    @Test func unknown_authors_are_bounded_and_named_fast() throws {
        let team = try GroupBench(), host = try team.member("host", .admin)
        try team.fill(to: Groups.mostMembers - 40, withNames: true)
        let clock = ContinuousClock()
        let time = try clock.measure {
            for number in 0..<50 {
                let id = try #require(MemberID(Bytes("stranger \(number)".utf8)))
                try team.receive([team.forward(text("\(number)"), UInt8(number), of: id, named: "m")], from: host)
            }
        }
        #expect(try team.bench.store.members(of: team.id).count + 1 == Groups.mostMembers)
        #expect(
            team.bench.events().contains {
                ($0 as? MessageUnusableEvent)?.reason == GroupRefusal.tooManyMembers.rawValue
            })
        print("50 messages of unknown authors in a group of \(Groups.mostMembers): \(time)")
    }

    @Test func the_host_passes_on_to_members_it_introduced() throws {
        let team = try GroupBench(role: .admin), bob = try team.member("bob"), cath = try team.member("cath")
        let dan = try team.member("dan")
        try team.bench.store.transaction {
            try team.bench.store.database.run(
                "INSERT INTO introductions (existing_id, newcomer_id, status, updated_at) VALUES (?, ?, 'sent', 0)",
                bob.id.number, cath.id.number)
        }
        try team.receive(
            [
                ChatMessage(id: Workbench.sharedID(1), event: text("one")),
                ChatMessage(id: Workbench.sharedID(2), event: text("two")),
            ], from: cath)
        let forwards = team.sent(to: bob)
        #expect(forwards.count == 2 && team.bench.agent.sent.count == 1 && team.sent(to: dan).isEmpty)
        guard case .group(.forwarded(let forwarded), _) = forwards.first?.event else {
            Issue.record("nothing was passed on")
            return
        }
        #expect(forwarded.memberID == cath.memberID && forwarded.memberName == "cath")
        #expect(try forwarded.message().event == text("one"))
        let most = String(repeating: "x", count: ChatLimit.message - 120)
        try team.receive(most, 3, from: bob)
        #expect(team.sent(to: cath).count == 1)
        try team.bench.store.transaction {
            try team.bench.store.database.run("UPDATE introductions SET status = 'connected'")
        }
        try team.receive("three", 4, from: cath)
        #expect(team.sent(to: bob).count == 2)
    }

    @Test func a_new_member_gets_what_was_said_and_the_welcome() throws {
        let team = try GroupBench(role: .admin), bob = try team.member("bob")
        try team.set(.history, .init(true))
        var group = try team.group(), profile = group.profile
        profile.welcome = "read the rules"
        try team.bench.store.transaction {
            try team.bench.store.update(team.id, profile: profile, name: group.name, at: team.bench.now)
        }
        group = try team.group()
        try team.receive("first", 1, from: bob)
        try team.receive("gone", 2, from: bob)
        try team.receive(.deletion(MessageDeletion(Workbench.sharedID(2))), 3, from: bob)
        team.bench.environment.pass(.seconds(2))
        try team.send("second")
        let cath = try team.member("cath", .member, .invitee)
        let numbers = try team.bench.store.transaction { try team.groups.enqueueHistory(for: cath, of: group) }
        for number in numbers { try team.conversations.handOver(number) }
        let sent = team.sent(to: cath)
        #expect(sent.count == 3 && sent.last?.event == text("read the rules"))
        let texts = try sent.dropLast().map { message in
            guard case .group(.forwarded(let forwarded), _) = message.event else { throw ChatError.internal }
            return "\(forwarded.memberName ?? "") \(try forwarded.message().event == text("first"))"
        }
        #expect(texts == ["bob true", "alice false"])
    }
}
