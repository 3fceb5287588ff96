import ByteCoding
import ChatProtocol
import Testing

@Suite struct VersionTests {
    /// What a peer announces at first contact, and what is agreed with `1-19` and with `9-16`.
    @Test(arguments: [
        (VersionRange(1), 1, 1), (VersionRange(1, 8), 8, 8), (VersionRange(1, 16), 16, 16),
        (VersionRange(9, 21), 19, 16),
        (VersionRange(16, 21), 19, 16), (VersionRange(17, 21), 19, 17), (VersionRange(21), 21, 21),
        (VersionRange(2, 9), 9, 9), (VersionRange(9), 9, 9),
    ])
    func firstContact(peer: VersionRange, expected: UInt16, expectedOfNewer: UInt16) {
        #expect(AgreedChatVersion(peer: peer).version == expected)
        #expect(AgreedChatVersion(peer: peer, local: VersionRange(9, 16)).version == expectedOfNewer)
        #expect(AgreedChatVersion(peer: peer).peer == peer)
    }

    /// What was agreed, what the next message announces, what is agreed then.
    @Test(arguments: [
        (VersionRange(1, 8), VersionRange(1, 8), 8, false), (VersionRange(1, 8), VersionRange(1, 16), 16, true),
        (VersionRange(1, 8), VersionRange(9, 21), 19, true), (VersionRange(1, 16), VersionRange(1, 8), 16, true),
        (VersionRange(1, 8), VersionRange(17, 21), 19, true), (VersionRange(17, 21), VersionRange(1, 16), 19, true),
        (VersionRange(1, 8), VersionRange(20, 21), 8, true),
        (VersionRange(1), VersionRange(1), 1, false),
    ])
    func laterMessages(first: VersionRange, next: VersionRange, expected: UInt16, changes: Bool) {
        var agreed = AgreedChatVersion(peer: first)
        let hasChanged = agreed.update(peer: next)
        #expect(hasChanged == changes)
        #expect(agreed.version == expected)
        #expect(agreed.peer == next)
        #expect(agreed == AgreedChatVersion(version: expected, peer: next))
        let hasChangedAgain = agreed.update(peer: next)
        #expect(!hasChangedAgain)
    }

    @Test(arguments: [(1, 1), (4, 1), (5, 8), (7, 8)])
    func beforeTheFirstMessage(agentVersion: UInt16, expected: UInt16) {
        var agreed = AgreedChatVersion(linkAgentVersion: agentVersion)
        #expect(agreed.version == expected)
        #expect(agreed.peer == nil)
        for (peer, version) in [(VersionRange(1), expected), (VersionRange(1, 16), 16)] {
            let hasChanged = agreed.update(peer: peer)
            #expect(hasChanged)
            #expect(agreed.version == version)
        }
    }

    @Test func announced() {
        #expect(ChatMessage(event: .ok).versions.description == "1-19")
    }
}

@Suite struct SecurityCodeTests {
    /// Numbers converted by another program.
    @Test(arguments: [
        (Bytes(repeating: 0, count: 32), "0"),
        (Bytes(repeating: 0, count: 31) + [1], "1"),
        (Bytes(1...32), "45586 73563 20691 21150 99449 77504 40760 33900 36387 14961 91371 64185 18271 47368 11808"),
        (
            Bytes(repeating: 255, count: 32),
            "11579 20892 37316 19542 35709 85008 68790 78532 69984 66564 05640 39457 58400 79131 29639 935"
        ),
    ])
    func digits(hash: Bytes, text: String) throws {
        let code = try SecurityCode(hash: hash)
        #expect(code.text == text)
        #expect(code.matches(text))
        #expect(code.matches(text.filter { $0 != " " }))
        #expect(code.matches("  " + text.map { "\($0)\n" }.joined()))
        for other in [text + "0", "0" + text, String(text.dropLast()), ""] {
            #expect(!code.matches(other))
        }
    }

    @Test func otherSizesAreRefused() {
        for count in [0, 31, 33, 64] {
            #expect(throws: DecodeError.self) { try SecurityCode(hash: Bytes(repeating: 1, count: count)) }
        }
    }
}
