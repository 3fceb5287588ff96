import AgentProtocol
import ChatCore
import Commands
import Testing

/// How people and their ids are written.
@Suite struct TargetTests {
    @Test(arguments: [
        ("@alice", Target.contact("alice")), ("@Ann Lee", .contact("Ann Lee")), ("@@alice", .contact("@alice")),
        ("@id:c3", .contact("id:c3")), ("+team", .group("team")), ("#team", .group("team")), ("alice", .bare("alice")),
        (" ", .bare(" ")), ("ID:c3", .bare("ID:c3")), ("-", .bare("-")), ("é", .bare("é")),
        ("id:c3", .contactID(ContactID(3))), ("id:c9223372036854775807", .contactID(ContactID(.max))),
    ])
    func isRead(word: String, target: Target) {
        #expect(Target(word) == target)
    }

    @Test(arguments: ["@alice", "+team", "alice", "id:c3", "@id:c3", "@Ann Lee"])
    func isWrittenAsItIsRead(word: String) {
        #expect(Target(word)?.word == word)
    }

    @Test(arguments: [
        "", "@", "+", "#", "id:", "id:3", "id:c", "id:c0", "id:c-1", "id:cx", "id:c3 ", "id:m3", "id:p1", "id:C3",
        "id:c9223372036854775808",
    ])
    func isNoTarget(word: String) {
        #expect(Target(word) == nil)
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
