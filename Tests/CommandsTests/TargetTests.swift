import AgentProtocol
import ChatCore
import CommandKit
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
        ("@\"Ann Lee\" and @'bob'", ["Ann Lee", "bob"]),
        ("@\"ann", []), ("@\"Ann Lee'", []), ("@\"ann\"@bob", ["ann", "bob"]),
    ])
    func mentionsAreFound(text: String, names: [String]) {
        let mentions = MentionedNames(in: text, among: ["ann", "anna", "bob", "Ann Lee"])
        #expect(mentions.found == Set(names))
        #expect(mentions.text == text.replacing("\"Ann Lee\"", with: "'Ann Lee'").replacing("@\"ann\"", with: "@'ann'"))
    }

    @Test(arguments: [
        ("@bno hello", ["@bno"], []), ("@Ann Lee", ["@Ann"], ["@'Ann Lee'", "@ann"]),
        ("@annn", ["@annn"], ["@ann", "@anna"]),
        ("@'Ann Le'", ["@'Ann Le'"], ["@'Ann Lee'"]), ("@me and @ann", [], []), ("mail a@b.org", [], []),
        ("@ 5, @! @", [], []), ("@x @x", ["@x"], []),
    ])
    func mentionsOfNoMemberAreFound(text: String, words: [String], suggestions: [String]) {
        let mentions = MentionedNames(in: text, among: ["ann", "anna", "Ann Lee"], own: "me")
        #expect(mentions.unknown.map(\.word) == words)
        #expect(mentions.unknown.flatMap(\.suggestions) == suggestions)
        #expect(mentions.text == text)
    }

    @Test(arguments: ["m12", "last"])
    func messageIsWrittenAsItIsRead(word: String) {
        #expect(MessageName(word)?.word == word)
    }

    @Test(arguments: ["", "m0", "12", "Last", "last ", "first"])
    func isNoMessage(word: String) {
        #expect(MessageName(word) == nil)
    }

    @Test(arguments: CommonWords.lines)
    func commonWordLeadsToACommand(line: String) {
        let words = line.split(separator: " ").map(String.init)
        let paths = (1...words.count).map { Array(words.prefix($0)) }
        #expect(paths.contains { CommandTree.tacit.command(at: $0).map { !$0.isNoun } == true } || words[0] == "list")
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
