import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store
import TestSupport
import Testing

@testable import ChatCore

/// Fields of later versions that a store keeps, and sends on with a change of what it knows.
@Suite struct UnknownFieldTests {
    private static let objects: [JSONObject] = [
        [:], ["later": .null], ["badge": .object(["proof": "x", "badgeKeyIdx": 1]), "": ""],
        ["later": [1, .object(["a": [.bool(false), .null]])], "x": 9_223_372_036_854_775_807],
        ["\u{1f600}\u{0}\u{7f}": "\u{1f600}\u{0}\"\\", "comments": .object(["enable": "on", "duration": 5])],
    ]

    @Test(arguments: objects)
    func the_profile_of_a_group_keeps_them(others: JSONObject) async throws {
        let team = try GroupBench(role: .owner), bob = try team.member("bob")
        let owner = try team.member("owner", .owner)
        var profile = try team.group().profile
        profile.otherFields = others
        profile.preferences = GroupPreferences(["support": .object(["enable": "off", "new": 1]), "later": 7])
        try team.receive(.group(.profileChanged(profile)), 1, from: owner)
        #expect(try team.group().profile == profile)
        var changed = try team.group().profile
        changed.welcome = "hello"
        changed.preferences?[.voice] = GroupPreferences.Setting(false)
        _ = try await team.groups.update(try team.group(), changed)
        guard case .group(.profileChanged(let told), _)? = team.sent(to: bob).last?.event else {
            Issue.record("no change was sent")
            return
        }
        #expect(told.otherFields == others && told.welcome == "hello")
        #expect(told.preferences?.fields["support"] == .object(["enable": "off", "new": 1]))
        #expect(told.preferences?.fields["later"] == 7)
    }

    @Test(arguments: objects)
    func the_profile_of_a_member_keeps_them(others: JSONObject) throws {
        let team = try GroupBench(role: .admin), bob = try team.member("bob")
        try team.receive(
            .profile(Profile(displayName: "robert", otherFields: others)), 1, from: bob)
        #expect(try team.member(bob.id).profile.otherFields == others)
        #expect(try Groups.info(team.member(bob.id)).profile.otherFields == others)
    }

    @Test func what_a_contact_has_beside_is_not_for_members() throws {
        let team = try GroupBench(role: .admin), bob = try team.member("bob")
        try team.bench.store.transaction {
            let contact = try team.bench.store.insertContact(
                Profile(displayName: "robert"), named: "robert", of: ProfileID(1), at: team.bench.now)
            try team.bench.store.database.run(
                "UPDATE group_members SET contact_id = ?, profile = ? WHERE group_member_id = ?", contact.number,
                Profile(displayName: "robert", otherFields: ["badge": 1, "secret": 2]).json.line, bob.id.number)
        }
        #expect(try Groups.info(team.member(bob.id)).profile.otherFields == ["badge": 1])
    }

    @Test func a_profile_of_a_channel_is_refused_in_a_group() throws {
        let team = try GroupBench(), owner = try team.member("owner", .owner)
        var profile = try team.group().profile
        profile.welcome = "taken over"
        profile.publicGroup = PublicGroup(link: "l", id: Bytes(repeating: 1, count: 32))
        try team.receive(.group(.profileChanged(profile)), 1, from: owner)
        #expect(try team.group().profile.welcome == nil)
    }
}
