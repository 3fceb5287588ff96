import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store
import TestSupport
import Testing

@testable import ChatCore

/// Members that lie about who is in a group. Nothing changes, and a line in the log says why.
@Suite struct HostileMembershipTests {
    private func info(
        _ id: MemberID, _ role: GroupRole = .member, named name: String = "eve"
    ) -> MemberInfo {
        MemberInfo(id, role, versions: ChatVersion.supported, profile: Profile(displayName: name))
    }

    private func links(_ bench: Workbench, _ number: UInt8 = 9) -> IntroInvitation {
        IntroInvitation(groupLink: bench.invitationLink(number))
    }

    /// What was recorded of a group, but for the numbers of events.
    private func snapshot(_ team: GroupBench) throws -> [String] {
        let group = try team.group()
        let members = try team.bench.store.members(of: team.id).map { member in
            "\(member.id.number) \(member.role.rawValue) \(member.status) \(member.name) \(member.isBlockedForAll)"
        }
        return members + [
            group.json.line, "\(try team.items().count)", "\(team.bench.agent.sent.count)",
            "\(team.bench.agent.joined.count)",
        ]
    }

    private func expectNothing(
        _ team: GroupBench, _ event: GroupEvent, from member: GroupMember, _ comment: Comment? = nil
    ) throws {
        let before = try snapshot(team)
        _ = team.bench.events()
        try team.receive(.group(event), from: member)
        #expect(try snapshot(team) == before, comment)
        #expect(team.bench.eventTypes() == ["messageError"], comment)
    }

    @Test func nobody_is_introduced_to_oneself() throws {
        let team = try GroupBench(), host = try team.member("host", .owner, .host)
        let own = try team.group().membership.memberID
        try expectNothing(team, .memberIntroduced(info(own)), from: host)
        try expectNothing(team, .memberIntroduced(info(host.memberID)), from: host)
        try expectNothing(team, .memberJoined(info(own)), from: host)
        try expectNothing(team, .memberJoined(info(host.memberID)), from: host)
        try expectNothing(team, .introForwarded(info(own), links(team.bench)), from: host)
        try expectNothing(team, .introForwarded(info(host.memberID), links(team.bench)), from: host)
    }

    @Test func only_the_host_introduces() throws {
        let team = try GroupBench(), other = try team.member("other", .owner, .post)
        try expectNothing(team, .memberIntroduced(info(GroupBench.memberID(60))), from: other)
        try expectNothing(team, .hostProfile(Profile(displayName: "host")), from: other)
    }

    /// The owner makes the host an observer, and the host introduces a second self with the role of an owner.
    @Test func a_demoted_host_brings_no_owner() throws {
        let team = try GroupBench(), host = try team.member("host", .admin, .host)
        let owner = try team.member("owner", .owner, .pre)
        try team.receive(.group(.roleChanged(host.memberID, .observer)), from: owner)
        let fake = GroupBench.memberID(60)
        for role in GroupRole.known {
            try expectNothing(team, .memberIntroduced(info(fake, role)), from: try team.member(host.id))
            try expectNothing(team, .memberJoined(info(fake, role)), from: try team.member(host.id))
            try expectNothing(
                team, .introForwarded(info(fake, role), links(team.bench)), from: try team.member(host.id))
        }
        #expect(try team.bench.store.member(fake, in: team.id) == nil)
    }

    /// The first members that a host introduces may be owners, which the host is not.
    @Test func a_host_brings_no_owner_beside_one_that_is_connected() throws {
        let team = try GroupBench(), host = try team.member("host", .admin, .host)
        try team.receive(.group(.memberIntroduced(info(GroupBench.memberID(60), .owner, named: "olga"))), from: host)
        let olga = try #require(try team.bench.store.member(GroupBench.memberID(60), in: team.id))
        #expect(olga.role == .owner)
        try team.receive(.group(.memberIntroduced(info(GroupBench.memberID(61), .owner, named: "otto"))), from: host)
        #expect(try team.bench.store.member(GroupBench.memberID(61), in: team.id)?.role == .owner)
        try team.bench.store.transaction {
            try team.bench.store.update(olga.id, status: .connected, at: team.bench.now)
        }
        try expectNothing(team, .memberIntroduced(info(GroupBench.memberID(62), .owner)), from: host)
        try team.receive(.group(.memberIntroduced(info(GroupBench.memberID(62), .admin))), from: host)
        #expect(try team.bench.store.member(GroupBench.memberID(62), in: team.id)?.role == .admin)
        // One who is known is not introduced again, in whatever role.
        try team.receive(.group(.memberIntroduced(info(GroupBench.memberID(62), .owner))), from: host)
        #expect(try team.bench.store.member(GroupBench.memberID(62), in: team.id)?.role == .admin)
    }

    /// Another admin could put itself in the place of a newcomer.
    @Test func only_the_inviter_passes_on_the_link_of_a_newcomer() throws {
        let team = try GroupBench(), host = try team.member("host", .admin, .pre),
            other = try team.member("other", .admin, .pre)
        let bob = info(GroupBench.memberID(60), named: "bob")
        try team.receive(.group(.memberJoined(bob)), from: host)
        try expectNothing(team, .introForwarded(bob, links(team.bench)), from: other)
        try team.receive(.group(.introForwarded(bob, links(team.bench))), from: host)
        #expect(team.bench.agent.joined.count == 1)
    }

    @Test func own_links_are_not_joined() throws {
        let team = try GroupBench(), host = try team.member("host", .owner, .host)
        let link = team.bench.invitationLink(9)
        _ = try team.bench.store.transaction { try team.bench.connection(.new, link: link) }
        let eve = info(GroupBench.memberID(60))
        try expectNothing(team, .introForwarded(eve, IntroInvitation(groupLink: link)), from: host)
        try expectNothing(
            team, .contactInvitation(MemberContactInvitation(connectionLink: link, content: nil)), from: host)
        for text in ["", "nonsense", "https://simplex.chat/", team.bench.link().description] {
            try expectNothing(team, .introForwarded(eve, IntroInvitation(groupLink: text)), from: host, "\(text)")
        }
    }

    @Test func links_for_members_that_were_not_introduced_are_not_passed_on() throws {
        let team = try GroupBench(role: .owner), bob = try team.member("bob", .member, .invitee)
        let cath = try team.member("cath", .member, .invitee)
        try expectNothing(team, .introInvitation(cath.memberID, links(team.bench)), from: bob)
        try expectNothing(team, .introInvitation(bob.memberID, links(team.bench)), from: bob)
        try expectNothing(team, .introInvitation(GroupBench.memberID(60), links(team.bench)), from: bob)
        // One that was introduced gets one link, however many come.
        try team.bench.store.transaction {
            try team.bench.store.insertIntroduction(of: bob.id, to: cath.id, at: team.bench.now)
        }
        for number in 1...5 {
            try team.receive(.group(.introInvitation(cath.memberID, links(team.bench, UInt8(number)))), from: bob)
        }
        #expect(team.sent(to: cath).count == 1)
    }

    @Test func forged_events_about_unknown_members_change_nothing() throws {
        let team = try GroupBench(), owner = try team.member("owner", .owner, .post)
        let unknown = GroupBench.memberID(60), own = try team.group().membership.memberID
        try expectNothing(team, .roleChanged(unknown, .admin), from: owner)
        try expectNothing(team, .memberRemoved(unknown), from: owner)
        try expectNothing(team, .restrictionChanged(unknown, MemberRestrictions(.blocked)), from: owner)
        try expectNothing(team, .restrictionChanged(own, MemberRestrictions(.blocked)), from: owner)
        try expectNothing(team, .memberConnected(unknown), from: owner)
        try expectNothing(team, .admission(.accepted, role: .member, unknown), from: owner)
        try expectNothing(team, .memberJoined(info(unknown), scope: .support(own)), from: owner)
    }

    @Test func steps_of_handshakes_are_no_messages() throws {
        let team = try GroupBench(), bob = try team.member("bob", .owner)
        let own = try team.group().membership.memberID
        let invitation = GroupInvitation(
            from: MemberIDRole(bob.memberID, .owner), to: MemberIDRole(own, .owner),
            connectionLink: team.bench.invitationLink(9), groupProfile: GroupProfile(displayName: "loop"))
        let events: [GroupEvent] = [
            .invitation(invitation), .invitationAccepted(bob.memberID), .allConnected(bob.memberID),
            .memberPresented(own, Profile(displayName: "alice")),
            .linkInvitation(
                GroupLinkInvitation(
                    from: MemberIDRole(bob.memberID, .owner), named: "bob", to: MemberIDRole(own, .owner),
                    groupProfile: GroupProfile(displayName: "loop"))),
            .linkRejection(
                GroupLinkRejection(
                    from: MemberIDRole(bob.memberID, .owner), to: MemberIDRole(own, .owner),
                    groupProfile: GroupProfile(displayName: "loop"), reason: .blockedName)),
        ]
        for event in events { try expectNothing(team, event, from: bob) }
    }

    @Test func a_group_does_not_grow_without_bound() throws {
        let team = try GroupBench(), host = try team.member("host", .owner, .host)
        try team.fill(to: Groups.mostMembers)
        try expectNothing(team, .memberIntroduced(info(GroupBench.memberID(60))), from: host)
        try expectNothing(team, .memberJoined(info(GroupBench.memberID(60))), from: host)
    }

    @Test func invitations_of_one_contact_are_bounded_and_no_loops() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact("bob")
        func invite(_ link: String, host: UInt8 = 1, invited: UInt8 = 2, as role: GroupRole = .member) {
            let invitation = GroupInvitation(
                from: MemberIDRole(GroupBench.memberID(host), .admin),
                to: MemberIDRole(GroupBench.memberID(invited), role), connectionLink: link,
                groupProfile: GroupProfile(displayName: "loop"))
            inbox.handle(bench.message(.group(.invitation(invitation)), from: bob))
        }
        func groupCount() throws -> Int { try bench.store.groups(of: ProfileID(1)).count }
        // The host as the one who is invited, a role above that of the host, and a link of the user.
        invite(bench.invitationLink(1), host: 3, invited: 3)
        invite(bench.invitationLink(1), as: .owner)
        let own = bench.invitationLink(2)
        _ = try bench.store.transaction { try bench.connection(.new, link: own) }
        invite(own)
        #expect(try groupCount() == 0)
        #expect(bench.eventTypes() == ["messageError", "messageError", "messageError"])
        // The same invitation is one group; another one in its name is none.
        invite(bench.invitationLink(3))
        invite(bench.invitationLink(3))
        invite(bench.invitationLink(3), invited: 4)
        #expect(try groupCount() == 1)
        for number in 0..<120 { invite(bench.invitationLink(UInt8(10 + number))) }
        #expect(try groupCount() == Groups.mostInvitations)
    }

    @Test func who_left_says_nothing_any_more() throws {
        let team = try GroupBench(role: .member), gone = try team.member("gone", .owner, status: .removed)
        let bob = try team.member("bob"), before = try snapshot(team)
        for event: GroupEvent in [
            .roleChanged(bob.memberID, .admin), .memberRemoved(bob.memberID), .groupDeleted, .memberLeft,
            .memberJoined(info(GroupBench.memberID(60))), .profileChanged(GroupProfile(displayName: "squad")),
        ] { try team.receive(.group(event), from: gone) }
        #expect(try snapshot(team) == before)
    }

    @Test func early_events_of_one_member_are_bounded() throws {
        let team = try GroupBench(), bob = try team.member("bob"), cath = try team.member("cath")
        let thumb = try #require(Reaction(emoji: "👍"))
        for number in 0..<(ChatStore.mostEarlyEvents + 50) {
            let id = SharedMessageID(Bytes("message \(number)".utf8))
            try team.receive(
                .reaction(MessageReaction(id, thumb, isAdded: true, of: cath.memberID)), from: bob)
        }
        let count = try team.bench.store.database.first("SELECT count(*) FROM early_events") {
            row throws(StoreError) in try row.int()
        }
        #expect(count == ChatStore.mostEarlyEvents)
    }
}
