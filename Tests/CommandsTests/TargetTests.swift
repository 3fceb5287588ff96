import AgentProtocol
import ChatCore
import Testing

@testable import Commands

/// How people and their ids are written.
@Suite struct TargetTests {
    @Test(arguments: [
        ("@alice", Target.contact("alice")), ("@Ann Lee", .contact("Ann Lee")), ("@@alice", .contact("@alice")),
        ("@id:c3", .contact("id:c3")), ("+team", .group("team")), ("#team", .group("team")), ("alice", .bare("alice")),
        (" ", .bare(" ")), ("ID:c3", .bare("ID:c3")), ("-", .bare("-")), ("é", .bare("é")),
        ("id:c3", .contactID(ContactID(3))), ("id:c9223372036854775807", .contactID(ContactID(.max))),
        ("id:g3", .groupID(GroupID(3))), ("+id:g3", .group("id:g3")),
        ("+team/@bob", .member(.name(group: "team", member: "bob"))),
        ("+team/bob", .group("team/bob")),
    ])
    func isRead(word: String, target: Target) {
        #expect(Target(word) == target)
    }

    @Test(arguments: ["@alice", "+team", "alice", "id:c3", "id:g3", "@id:c3", "@Ann Lee", "+team/@bob"])
    func isWrittenAsItIsRead(word: String) {
        #expect(Target(word)?.word == word)
    }

    @Test(arguments: [
        "", "@", "+", "#", "id:", "id:3", "id:c", "id:c0", "id:c-1", "id:cx", "id:c3 ", "id:m3", "id:p1", "id:C3",
        "id:c9223372036854775808", "id:g", "id:g0", "id:u3",
    ])
    func isNoTarget(word: String) {
        #expect(Target(word) == nil)
    }

    @Test(arguments: [
        ("+team/@bob", MemberName.name(group: "team", member: "bob")),
        ("#team/@bob", .name(group: "team", member: "bob")),
        ("+a/b/@Ann Lee", .name(group: "a/b", member: "Ann Lee")),
        ("+team/@bob/@c", .name(group: "team", member: "bob/@c")), ("id:u3", .memberID(GroupMemberID(3))),
    ])
    func memberIsRead(word: String, target: MemberName) {
        #expect(MemberName(word) == target)
        #expect(MemberName(target.word) == target)
    }

    @Test(arguments: [
        "", "+team", "+team/", "+team/@", "+/@bob", "+team/bob", "@team/@bob", "team/@bob", "id:g3", "id:u0",
    ])
    func isNoMember(word: String) {
        #expect(MemberName(word) == nil)
    }

    @Test(arguments: [
        ("@ann hello", ["ann"]), ("hello @ann", ["ann"]), ("hello @ann, @bob!", ["ann", "bob"]), ("@anna", ["anna"]),
        ("@annabel", []), ("mail ann@bob", []), ("@'Ann Lee' and @'bob'", ["Ann Lee", "bob"]), ("@Ann Lee", []),
        ("@@ann", ["ann"]), ("@", []), ("@'ann", []), ("(@bob)", ["bob"]),
    ])
    func mentionsAreFound(text: String, names: [String]) {
        #expect(MentionedNames.mentioned(in: text, among: ["ann", "anna", "bob", "Ann Lee"]) == Set(names))
    }

    @Test(arguments: ["files=off", "files=on", "links=admin", "disappearing=7d", "disappearing=off", "history=on"])
    func featureIsWrittenAsItIsRead(word: String) {
        #expect(FeatureChange(word)?.word == word)
    }

    @Test(arguments: [
        "", "files", "files=", "file=on", "files=7d", "history=admin", "disappearing=admin", "sessions=on",
    ])
    func isNoFeature(word: String) {
        #expect(FeatureChange(word) == nil)
    }

    @Test func idsTellKindsApart() {
        let texts = [
            ObjectID.text(ContactID(7)), ObjectID.text(ChatItemID(7)), ObjectID.text(ProfileID(7)),
            ObjectID.text(ConnectionID(7)),
        ]
        #expect(texts == ["c7", "m7", "p7", "i7"])
        #expect(texts.map { ObjectID.contact(from: $0) } == [ContactID(7), nil, nil, nil])
    }
}
