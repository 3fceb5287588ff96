import AgentProtocol
import ChatProtocol
import Testing

@testable import ChatCore

/// Who may do what: each event about a group, from each role.
@Suite struct MemberRightsTests {
    private static let roles: [GroupRole] = [.observer, .author, .member, .moderator, .admin, .owner]

    /// An event about a member, and what shows that it was accepted.
    struct Right: Sendable, CustomTestStringConvertible {
        let name: String
        /// The lowest role that may do it to a member of a role.
        let least: @Sendable (GroupRole) -> GroupRole
        let event: @Sendable (GroupMember) -> GroupEvent
        let isDone: @Sendable (GroupBench, GroupMember) throws -> Bool

        var testDescription: String { name }
    }

    private static let other = MemberInfo(
        GroupBench.memberID(60), .member, versions: ChatVersion.supported, profile: Profile(displayName: "eve"))

    static let rights: [Right] = [
        Right(
            name: "change a role", least: { max(.admin, $0) },
            event: { .roleChanged($0.memberID, $0.role == .observer ? .author : .observer) },
            isDone: { try $0.member($1.id).role != $1.role }),
        Right(
            name: "make an owner", least: { _ in .owner }, event: { .roleChanged($0.memberID, .owner) },
            isDone: { try $1.role == .owner || $0.member($1.id).role == .owner }),
        Right(
            name: "remove", least: { max(.admin, $0) }, event: { .memberRemoved($0.memberID) },
            isDone: { try $0.member($1.id).status == .removed }),
        Right(
            name: "block for all", least: { max(.moderator, $0) },
            event: { .restrictionChanged($0.memberID, MemberRestrictions(.blocked)) },
            isDone: { try $0.member($1.id).isBlockedForAll }),
        Right(
            name: "bring a member", least: { _ in .admin }, event: { _ in .memberJoined(other) },
            isDone: { team, _ in try team.bench.store.member(other.id, in: team.id) != nil }),
        Right(
            name: "change the profile", least: { _ in .owner },
            event: { _ in .profileChanged(GroupProfile(displayName: "squad")) },
            isDone: { team, _ in try team.group().profile.displayName == "squad" }),
        Right(
            name: "delete the group", least: { _ in .owner }, event: { _ in .groupDeleted },
            isDone: { team, _ in try team.group().membership.status == .deleted }),
    ]

    @Test(arguments: rights) func a_role_that_is_too_low_changes_nothing(right: Right) throws {
        for role in MemberRightsTests.roles {
            for target in MemberRightsTests.roles {
                let team = try GroupBench(), author = try team.member("author", role)
                let subject = try team.member("subject", target)
                if right.name == "make an owner", target == .owner { continue }
                try team.receive(.group(right.event(subject)), from: author)
                let isAllowed = role >= right.least(target)
                #expect(try right.isDone(team, subject) == isAllowed, "\(role.rawValue) to \(target.rawValue)")
                let traces = team.bench.events().compactMap { $0 as? MessageUnusableEvent }
                #expect(traces.isEmpty == isAllowed, "\(role.rawValue) to \(target.rawValue)")
            }
        }
    }

    @Test(arguments: roles) func what_is_done_with_the_user_needs_the_role_too(role: GroupRole) throws {
        for own in MemberRightsTests.roles {
            let team = try GroupBench(role: own), author = try team.member("author", role)
            let id = try team.group().membership.memberID
            // Nobody is told of a restriction of its own.
            try team.receive(.group(.restrictionChanged(id, MemberRestrictions(.blocked))), from: author)
            #expect(try !team.group().membership.isBlockedForAll)
            let next: GroupRole = own == .observer ? .author : .observer
            try team.receive(.group(.roleChanged(id, next)), from: author)
            let isAllowed = role >= max(.admin, own)
            #expect(try (team.group().membership.role == next) == isAllowed)
            try team.receive(.group(.memberRemoved(id)), from: author)
            #expect(try (team.group().membership.status == .removed) == (role >= max(.admin, isAllowed ? next : own)))
        }
    }

    @Test func commands_need_the_role_of_the_user() throws {
        for own in MemberRightsTests.roles {
            let team = try GroupBench(role: own), bob = try team.member("bob", .member)
            let group = try team.group()
            func allows(_ least: GroupRole, _ body: () throws -> Void) {
                do {
                    try body()
                    #expect(own >= least)
                } catch { #expect(own < least, "\(own.rawValue): \(error)") }
            }
            allows(.moderator) { _ = try team.groups.block([bob.id], in: group, true) }
            allows(.admin) { try team.groups.check(group, atLeast: .admin) }
            allows(.admin) { _ = try team.groups.remove([bob.id], from: group, withMessages: false) }
        }
    }
}
