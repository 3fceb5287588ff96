import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import TestSupport
import Testing

@Suite struct GroupMemberTests {
    // MARK: - Roles

    @Test func roles_are_in_order() {
        let roles: [GroupRole] = [.observer, .author, .member, .moderator, .admin, .owner]
        #expect(roles.map(\.rawValue) == ["observer", "author", "member", "moderator", "admin", "owner"])
        #expect(roles.reversed().sorted() == roles)
        for (lower, higher) in zip(roles, roles.dropFirst()) { #expect(lower < higher && !(higher < lower)) }
        #expect(GroupRole.relay < .observer)
    }

    @Test func unknown_roles_are_lowest_and_kept() throws {
        let unknown = GroupRole(rawValue: "pope"), other = GroupRole(rawValue: "abbot")
        #expect(!unknown.isKnown && GroupRole.relay.isKnown)
        #expect(!GroupRole(rawValue: "commenter").isKnown)
        for role in GroupRole.known { #expect(unknown < role && !(role < unknown) && role != unknown) }
        #expect(other < unknown && !(unknown < other))
        let member = try MemberIDRole(decoding: Bytes(#"{"memberId":"AQ==","memberRole":"pope"}"#.utf8))
        #expect(member.role == unknown && member.fields["memberRole"] == "pope")
    }

    // MARK: - Ids

    @Test func member_ids_have_1_to_255_bytes() {
        for (count, isGood) in [(0, false), (1, true), (255, true), (256, false)] {
            let bytes = Bytes(repeating: 7, count: count)
            #expect((MemberID(bytes)?.bytes == bytes) == isGood)
            let json = #"{"memberId":"\#(Base64URL.encode(bytes))","memberRole":"member"}"#
            #expect((try? MemberIDRole(decoding: Bytes(json.utf8)).id.bytes == bytes) == (isGood ? true : nil))
        }
    }

    @Test func new_member_ids_look_like_those_of_official_clients() {
        let id = MemberID(random: Bytes(0..<12))
        #expect(id.bytes == Bytes("AAECAwQFBgcICQoL".utf8))
        #expect(id.json == "QUFFQ0F3UUZCZ2NJQ1FvTA==")
        #expect(id.placeholderName == "QUFFQ0F")
        #expect(MemberID(checked: [1]).placeholderName == "AQ==")
        let random = SeededRandom(seed: 5)
        #expect(MemberID(random: random.bytes(12)) != MemberID(random: random.bytes(12)))
    }

    // MARK: - Mentions

    @Test func mentions_are_written_in_order() {
        let mentions: Mentions = ["cath": Constructed.cath, "bob": Constructed.bob]
        let container = MessageContainer(MessageContent("@bob @cath"), mentions: mentions)
        let text = #"{"bob":{"memberId":"AQIDBA=="},"cath":{"memberId":"BQYHCA=="}}"#
        #expect(container.fields["mentions"]?.line == text)
        #expect(MessageContainer(MessageContent("a")).fields["mentions"] == nil)
        let empty = #"{"content":{"type":"text","text":"a"},"mentions":{}}"#
        #expect((try? MessageContainer(decoding: Bytes(empty.utf8)))?.mentions.isEmpty == true)
    }

    // MARK: - Profiles

    @Test func members_do_not_get_preferences() {
        var profile = Constructed.alice
        profile.shortDescription = "d"
        profile.contactLink = "https://a/b"
        profile.peerType = .bot
        profile.otherFields = ["secret": 1, "badge": .object(["proof": "x"]), "description": "long"]
        profile.otherFields["contactDomain"] = .object([
            "domain": "alice.simplex", "proof": .object(["signature": "x"]), "new": 1,
        ])
        let expected = Profile(
            displayName: "alice", fullName: "Alice", shortDescription: "d", image: Constructed.image, peerType: .bot,
            otherFields: ["badge": .object(["proof": "x"]), "description": "long"])
        #expect(profile.forMembers() == expected)
        var withLink = expected
        withLink.contactLink = "https://a/b"
        withLink.otherFields["contactDomain"] = .object(["domain": "alice.simplex", "new": 1])
        #expect(profile.forMembers(keepsLink: true) == withLink)
        #expect(withLink.forMembers(keepsLink: true) == withLink)
        let link = "see https://simplex.chat/contact#/?v=2&smp=smp%3A%2F%2FAQ%3D%3D%40a.b%2Fc"
        profile.shortDescription = link
        profile.otherFields["description"] = .string(link)
        #expect(profile.forMembers().shortDescription == nil && profile.forMembers().otherFields["description"] == nil)
        #expect(profile.forMembers(keepsLink: true).shortDescription == link)
        #expect(profile.forMembers(keepsLink: true).otherFields["description"] == .string(link))
    }

    @Test func members_keep_what_a_member_chose_for_them() {
        var profile = Constructed.alice
        profile.contactLink = "https://a/b"
        profile.otherFields = ["later": [1, 2], "contactDomain": .object(["domain": "alice.simplex"])]
        let presented = profile.presentedByMember()
        #expect(presented.otherFields == ["later": [1, 2]])
        #expect(presented.preferences == nil && presented.contactLink == nil)
        #expect(presented.presentedByMember() == presented)
        #expect(profile.presentedByMember(keepsLink: true).otherFields == profile.otherFields)
    }

    @Test func group_profiles_are_checked_like_profiles() throws {
        var group = Constructed.team
        try group.checkForSending()
        group.displayName = "#team"
        #expect(throws: ProfileError.displayName) { try group.checkForSending() }
        group.displayName = "team"
        group.shortDescription = String(repeating: "a", count: 161)
        #expect(throws: ProfileError.shortDescription) { try group.checkForSending() }
        group.shortDescription = nil
        group.image = String(repeating: "a", count: 12_501)
        #expect(throws: ProfileError.image) { try group.checkForSending() }
        #expect(group.withBoundedImage == Constructed.team)
        group.image = Constructed.image
        #expect(group.withBoundedImage == group)
    }

    @Test func admission() throws {
        for (json, requiresReview) in [
            ("{}", false), (#"{"review":"all"}"#, true), (#"{"review":"bots","new":1}"#, true),
        ] {
            let admission = try MemberAdmission(decoding: Bytes(json.utf8))
            #expect(admission.requiresReview == requiresReview)
            #expect(admission.fields == (try JSONValue(decoding: Bytes(json.utf8))).object)
            #expect(GroupProfile(displayName: "a", admission: admission).requiresReview == requiresReview)
        }
        #expect(!GroupProfile(displayName: "a").requiresReview)
    }
}
