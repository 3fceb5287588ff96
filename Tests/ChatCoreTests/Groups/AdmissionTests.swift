import AgentProtocol
import ChatProtocol
import JSONCoding
import Store
import TestSupport
import Testing

@testable import ChatCore

/// Who is let into a group, and by whom.
@Suite struct AdmissionTests {
    private var reviewed: GroupProfile {
        GroupProfile(displayName: "team", preferences: .newGroup, admission: MemberAdmission(review: .all))
    }

    @Test func a_moderator_lets_in_who_joined_through_another_host() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob"), cath = try house.person("cath")
        let link = try house.linkedGroup(of: alice, reviewed)
        try bob.join(link)
        try house.settle([bob, alice]) { try bob.status() == .pendingReview }
        _ = try alice.execute(AcceptMember(.id(try alice.group().id), .name("bob"), as: .moderator))
        try house.settle([alice, bob], rounds: 3)
        #expect(try bob.group().membership.role == .moderator && bob.group().membership.status == .connected)
        try cath.join(link)
        try house.settle([cath, alice, bob], rounds: 8) {
            try cath.status() == .pendingReview && bob.known("cath")?.status == .pendingReview
                && cath.known("bob")?.connection?.status == .ready
        }
        #expect(try cath.group().membership.status == .pendingReview)
        _ = try bob.execute(AcceptMember(.id(try bob.group().id), .name("cath"), as: .observer))
        let seen = try house.settle([bob, alice, cath], rounds: 6) {
            try cath.status() == .connected && alice.known("cath")?.status == .connected
        }
        #expect(seen[1].contains("memberAcceptedByOther") && seen[2].contains("userJoinedGroup"))
        #expect(try cath.group().membership.role == .observer && alice.member("cath").role == .observer)
        #expect(throws: ChatError.self) { try cath.say("an observer") }
    }

    @Test func who_waits_is_turned_away() throws {
        let house = try TestHouse(), alice = try house.person("alice"), bob = try house.person("bob")
        try bob.join(try house.linkedGroup(of: alice, reviewed))
        try house.settle([bob, alice]) { try bob.status() == .pendingReview }
        _ = try alice.execute(RemoveMembers(.id(try alice.group().id), .name("bob")))
        #expect(try house.settle([alice, bob], rounds: 2)[1].contains("deletedMemberUser"))
        #expect(try bob.group().membership.status == .removed)
        #expect(throws: ChatError.self) {
            try alice.execute(AcceptMember(.id(try alice.group().id), .name("bob"), as: .member))
        }
    }

    @Test func who_waits_survives_restarts() throws {
        let house = try TestHouse(), alice = try house.person("alice"), bob = try house.person("bob")
        try bob.join(try house.linkedGroup(of: alice, reviewed))
        try house.settle([bob, alice]) { try bob.status() == .pendingReview }
        try alice.reopen()
        try bob.reopen()
        _ = try alice.execute(AcceptMember(.id(try alice.group().id), .name("bob"), as: .member))
        try alice.reopen()
        try house.settle([alice, bob], rounds: 4) { try bob.isInGroup(with: 1) && alice.isInGroup(with: 1) }
        #expect(try bob.isInGroup(with: 1) && alice.isInGroup(with: 1))
    }

    @Test func names_that_no_client_makes_are_rejected() throws {
        let long = Profile(displayName: String(repeating: "x", count: 51))
        #expect(Groups.rejection(of: long) == .longName)
        #expect(Groups.rejection(of: Profile(displayName: "@@@")) == .blockedName)
        #expect(Groups.rejection(of: Profile(displayName: "")) == .blockedName)
        #expect(Groups.rejection(of: Profile(displayName: "bob")) == nil)
        #expect(Groups.rejection(of: Profile(displayName: String(repeating: "x", count: 50))) == nil)
    }

    @Test func the_rejected_one_is_told_why_and_forgotten() throws {
        let house = try TestHouse(), alice = try house.person("alice"), bob = try house.person("bob")
        // No command makes such a name.
        try bob.pretend(Profile(displayName: String(repeating: "x", count: 60)))
        try bob.join(try house.linkedGroup(of: alice))
        let seen = try house.settle([bob, alice], rounds: 5)
        #expect(try bob.group().membership.status == .rejected && seen[0].contains("groupLinkConnecting"))
        #expect(try alice.members().isEmpty)
        #expect(throws: ChatError.self) { try bob.say("hello") }
    }
}

extension TestStore {
    /// Writes a profile that no command allows.
    fileprivate func pretend(_ profile: Profile) throws {
        close()
        do {
            let database = try Database(folder.path + "/simplex_v1_chat.db", .readWrite)
            try database.run("UPDATE profiles SET profile = ?", profile.json.line)
        }
        try open(.writing)
    }
}
