import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import TestSupport
import Testing

@testable import ChatCore

/// What members of a channel receive through relays (network-7.md 7.3, 7.4, 9).
@Suite struct ChannelReceptionTests {
    private let badSignature = "sent a message with a wrong signature, which was refused"

    // MARK: - Posts

    @Test func a_post_has_no_author_and_counts_once() throws {
        let channel = try ChannelBench()
        try channel.post("news", 1, through: channel.relay)
        try channel.post("news", 1, through: channel.second)
        let item = try #require(try channel.team.items().first)
        #expect(try channel.team.texts() == ["news"])
        #expect(item.group?.author == nil && item.group?.isFromGroup == true)
        #expect(item.group?.forwarder?.id == channel.relay.id)
        #expect(item.json.object?["chatDir"]?.object?["type"]?.string == "channelRcv")
        #expect(item.json.object?["meta"]?.object?["showGroupAsSender"] == .bool(true))
    }

    @Test func a_post_is_edited_gets_reactions_and_is_deleted() throws {
        let channel = try ChannelBench(), id = Workbench.sharedID(1), thumb = try #require(Reaction(emoji: "👍"))
        // The reaction comes before the post.
        try channel.pass(
            channel.message(.reaction(MessageReaction(id, thumb, isAdded: true)), 7), of: channel.owner,
            through: channel.relay)
        try channel.post("first", 1, through: channel.relay)
        #expect(try channel.team.items().first?.reactions.count == 1)
        try channel.pass(
            channel.message(.update(MessageUpdate(id, MessageContent("second"), isFromGroup: true)), 2), of: nil,
            through: channel.second)
        #expect(try channel.team.texts() == ["second"])
        try channel.pass(channel.message(.deletion(MessageDeletion(id)), 3), of: nil, through: channel.relay)
        #expect(try channel.team.items().first?.deletedAt != nil)
    }

    @Test func an_edit_of_an_unknown_post_makes_it() throws {
        let channel = try ChannelBench()
        try channel.pass(
            channel.message(
                .update(MessageUpdate(Workbench.sharedID(1), MessageContent("late"), isFromGroup: true)), 2), of: nil,
            through: channel.relay)
        #expect(try channel.team.texts() == ["late"])
        #expect(try channel.team.items().first?.group?.isFromGroup == true)
    }

    @Test func only_owners_write_as_the_channel() throws {
        let channel = try ChannelBench()
        let bob = try channel.team.member("bob", .admin, .post, status: .announced, isConnected: false)
        let post = ChatMessage.Event.message(MessageContainer(MessageContent("forged"), isFromGroup: true))
        try channel.pass(channel.message(post, 1), of: bob, through: channel.relay)
        #expect(try channel.team.texts() == [])
        try channel.pass(channel.message(post, 2), of: channel.owner, through: channel.relay)
        #expect(try channel.team.items().first?.group?.isFromGroup == true)
    }

    @Test func a_subscriber_writes_nothing_and_a_member_does() throws {
        let channel = try ChannelBench()
        let bob = try channel.team.member("bob", .observer, .post, status: .announced, isConnected: false)
        let cath = try channel.team.member("cath", .member, .post, status: .announced, isConnected: false)
        try channel.pass(channel.message(text("refused"), 1), of: bob, through: channel.relay)
        try channel.pass(channel.message(text("heard"), 2), of: cath, through: channel.relay)
        #expect(try channel.team.texts() == ["heard"])
        #expect(try channel.team.items().first?.group?.author?.id == cath.id)
    }

    // MARK: - Ways

    @Test func only_relays_pass_on() throws {
        let channel = try ChannelBench()
        let bob = try channel.team.member("bob", .owner, .host)
        try channel.post("forged", 1, through: bob)
        try channel.pass(channel.message(text("forged"), 2), of: channel.owner, through: bob)
        #expect(try channel.team.texts() == [])
        #expect(Set(channel.refusals()) == [GroupRefusal.forwarder.rawValue])
    }

    @Test(arguments: [
        ChatMessage.Event.group(.groupDeleted), .group(.memberLeft), .group(.relayAdded(link: "l")),
        .profile(Profile(displayName: "mallory")),
    ]) func the_channel_itself_only_posts(event: ChatMessage.Event) throws {
        let channel = try ChannelBench(), before = try channel.team.group()
        try channel.pass(channel.message(event, 1), of: nil, through: channel.relay)
        #expect(try channel.team.group() == before)
        #expect(try channel.team.member(channel.relay.id).profile.displayName == "relay")
        #expect(channel.refusals() == [GroupRefusal.forwardedEvent.rawValue])
    }

    @Test func an_own_message_that_comes_back_is_ignored() throws {
        let channel = try ChannelBench(role: .member)
        try channel.pass(
            channel.message(text("mine"), 1), of: try channel.team.group().membership, through: channel.relay)
        #expect(try channel.team.texts() == [])
        #expect(channel.refusals() == [])
    }

    // MARK: - Signatures

    private static var changes: [ChatMessage.Event] {
        [
            .group(
                .profileChanged(
                    GroupProfile(
                        displayName: "other", publicGroup: PublicGroup(link: "l", id: ChannelBench.publicID)))),
            .group(.groupDeleted),
        ]
    }

    @Test(arguments: changes) func what_changes_a_channel_is_signed_by_its_owner(event: ChatMessage.Event) throws {
        let channel = try ChannelBench(), before = try channel.team.group()
        let wrong = [
            channel.message(event, 1), channel.signed(event, 2, of: channel.owner, with: ChannelBench.key(2)),
            channel.signed(event, 3, of: channel.relay, with: channel.ownerKey),
            channel.signed(event, 4, of: channel.owner, with: channel.ownerKey, in: [1]),
            ElementSignature(.direct, [Bytes(repeating: 1, count: 64)], of: channel.message(event, 5)).encoded,
        ]
        for (number, element) in wrong.enumerated() {
            try channel.pass(element, of: channel.owner, through: channel.relay)
            #expect(try channel.team.texts() == Array(repeating: badSignature, count: number + 1))
            #expect(try channel.team.group().profile == before.profile)
            #expect(try channel.team.group().membership.status == .connected)
        }
        try channel.pass(
            channel.signed(event, 6, of: channel.owner, with: channel.ownerKey), of: channel.owner,
            through: channel.relay)
        let after = try channel.team.group()
        #expect(after.profile != before.profile || after.membership.status == .deleted)
        #expect(try channel.team.items().last?.group?.signature == .verified)
    }

    @Test func an_unknown_key_suffices_for_content_only() throws {
        let channel = try ChannelBench(), key = ChannelBench.key(3)
        let bob = try channel.team.member("bob", .member, .post, status: .announced, isConnected: false)
        try channel.pass(channel.signed(text("hello"), 1, of: bob, with: key), of: bob, through: channel.relay)
        #expect(try channel.team.items().first?.group?.signature == .noKey)
        let admin = try channel.team.member("admin", .admin, .post, status: .announced, isConnected: false)
        try channel.pass(
            channel.signed(.group(.memberRemoved(bob.memberID)), 2, of: admin, with: key), of: admin,
            through: channel.relay)
        #expect(try channel.team.member(bob.id).status == .announced)
        #expect(try channel.team.texts() == ["hello", badSignature])
        // A subscriber says of itself that it leaves, which other subscribers are not shown.
        let cath = try channel.team.member("cath", .observer, .post, status: .announced, isConnected: false)
        try channel.pass(
            channel.signed(.group(.memberLeft), 3, of: cath, with: key), of: cath, through: channel.relay)
        #expect(try channel.team.member(cath.id).status == .left)
        #expect(try channel.team.texts().count == 2)
    }

    @Test func a_change_of_a_signed_message_is_signed() throws {
        let channel = try ChannelBench(), owner = channel.owner, id = Workbench.sharedID(1)
        try channel.pass(
            channel.signed(text("signed"), 1, of: owner, with: channel.ownerKey), of: owner, through: channel.relay)
        let edit = ChatMessage.Event.update(MessageUpdate(id, MessageContent("forged")))
        try channel.pass(channel.message(edit, 2), of: owner, through: channel.relay)
        try channel.pass(channel.message(.deletion(MessageDeletion(id)), 3), of: owner, through: channel.relay)
        #expect(try channel.team.texts() == ["signed", badSignature, badSignature])
        #expect(try channel.team.items().first?.deletedAt == nil)
        let honest = ChatMessage.Event.update(MessageUpdate(id, MessageContent("edited")))
        try channel.pass(
            channel.signed(honest, 4, of: owner, with: channel.ownerKey), of: owner, through: channel.relay)
        #expect(try channel.team.texts().first == "edited")
    }

    // MARK: - Members

    @Test func a_relay_makes_nobody_more_than_a_subscriber() throws {
        let channel = try ChannelBench(), key = ChannelBench.key(4).publicKey.der
        func info(_ id: UInt8, _ role: GroupRole) -> MemberInfo {
            MemberInfo(
                GroupBench.memberID(id), role, versions: ChatVersion.supported, profile: Profile(displayName: "zoe"),
                publicKey: key)
        }
        for role in [GroupRole.member, .moderator, .admin, .owner] {
            try channel.team.receive(.group(.memberJoined(info(60, role))), from: channel.relay)
            #expect(try channel.team.bench.store.member(GroupBench.memberID(60), in: channel.team.id) == nil)
        }
        try channel.team.receive(.group(.memberIntroduced(info(61, .owner))), from: channel.relay)
        let introduced = try channel.team.bench.store.member(GroupBench.memberID(61), in: channel.team.id)
        #expect(introduced?.role == .observer)
        #expect(introduced?.publicKey == nil)
        try channel.team.receive(.group(.memberJoined(info(62, .observer))), from: channel.relay)
        let joined = try channel.team.bench.store.member(GroupBench.memberID(62), in: channel.team.id)
        #expect(joined?.status == .announced)
        #expect(joined?.publicKey == key)
    }

    @Test func the_owner_of_the_link_is_named_by_a_relay_and_keeps_key_and_role() throws {
        let channel = try ChannelBench(), store = channel.team.bench.store, owner = channel.owner
        let now = channel.team.bench.now
        try store.transaction { try store.update(owner.id, status: .unknown, at: now) }
        let info = MemberInfo(
            owner.memberID, .observer, versions: ChatVersion.supported, profile: Profile(displayName: "alice2"),
            publicKey: ChannelBench.key(5).publicKey.der)
        try channel.team.receive(.group(.memberIntroduced(info)), from: channel.relay)
        let named = try channel.team.member(owner.id)
        #expect(named.profile.displayName == "alice2")
        #expect(named.role == .owner && named.status == .introduced)
        #expect(named.publicKey == channel.ownerKey.publicKey.der)
        #expect(channel.team.bench.events().contains { $0 is MemberUpdatedEvent })
    }

    @Test func a_channel_stays_the_same_channel() throws {
        let channel = try ChannelBench(), before = try channel.team.group().profile
        for publicGroup in [nil, PublicGroup(link: "l", id: [7])] {
            let event = ChatMessage.Event.group(
                .profileChanged(GroupProfile(displayName: "x", publicGroup: publicGroup)))
            try channel.pass(
                channel.signed(event, publicGroup == nil ? 1 : 2, of: channel.owner, with: channel.ownerKey),
                of: channel.owner, through: channel.relay)
            #expect(try channel.team.group().profile == before)
        }
    }

    // MARK: - Sending

    @Test func what_the_user_does_goes_to_relays_and_is_signed() throws {
        let channel = try ChannelBench(role: .member), team = channel.team
        let bob = try team.member("bob", .member, .post)
        try team.send("hello")
        #expect(team.sent(to: bob).isEmpty)
        #expect(team.sent(to: channel.relay).count == 1 && team.sent(to: channel.second).count == 1)
        let group = try team.group()
        let leaving = ChatMessage(id: Workbench.sharedID(9), event: .group(.memberLeft))
        guard let element = ChatPayload.elements(of: try team.conversations.element(leaving, in: group)).first,
            let signature = element.signature
        else {
            Issue.record("no signature")
            return
        }
        let binding = ElementSignature.groupBinding(ChannelBench.publicID, group.membership.memberID)
        #expect(signature.isVerified(by: ChannelBench.key(9).publicKey, binding: binding))
        #expect(signature.text == leaving.encoded)
        let hello = ChatMessage(id: Workbench.sharedID(8), event: text("hello"))
        #expect(try team.conversations.element(hello, in: group) == hello.encoded)
    }

    @Test func a_subscriber_cannot_write_and_a_member_not_as_the_channel() throws {
        let subscriber = try ChannelBench()
        #expect(throws: ChatError.self) { try subscriber.team.send("refused") }
        let member = try ChannelBench(role: .member)
        #expect(throws: ChatError.self) { try member.team.send("refused", to: .channel(member.team.id)) }
        let owner = try ChannelBench(role: .owner)
        let item = try owner.team.send("news", to: .channel(owner.team.id))
        #expect(item.group?.isFromGroup == true)
        guard case .message(let container)? = owner.team.sent(to: owner.relay).last?.event else {
            Issue.record("no post")
            return
        }
        #expect(container.isFromGroup)
    }

    @Test func an_answer_to_a_post_names_no_author() throws {
        let channel = try ChannelBench(role: .member)
        try channel.post("news", 1, through: channel.relay)
        let post = try #require(try channel.team.items().first)
        let answer = try channel.team.send("why?", answering: post.id)
        #expect(answer.quote?.reference.memberID == nil)
        #expect(answer.json.object?["quotedItem"]?.object?["chatDir"]?.object?["type"]?.string == "channelRcv")
    }
}
