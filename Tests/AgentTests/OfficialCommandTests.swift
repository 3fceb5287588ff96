import ByteCoding
import SMPProtocol
import Testing

@testable import Agent

/// Commands that the official agent has not finished, as its database has them.
@Suite struct OfficialCommandTests {
    private func read(_ text: String) -> OfficialCommand? { OfficialCommand(Bytes(text.utf8)) }

    @Test func acknowledgement_has_a_number_and_perhaps_a_receipt() {
        guard case .acknowledge(12, confirms: false)? = read("CLIENT ACK 12") else {
            Issue.record("no acknowledgement")
            return
        }
        guard case .acknowledge(12, confirms: true)? = read("CLIENT ACK 12 0\n") else {
            Issue.record("no receipt")
            return
        }
        #expect(read("CLIENT ACK twelve") == nil)
        #expect(read("CLIENT ACK 12 5\nabc") == nil)
    }

    @Test func information_has_its_length_in_front() {
        guard case .allow(let information)? = read("CLIENT LET abcd 5\nhello") else {
            Issue.record("no permission")
            return
        }
        #expect(information == Bytes("hello".utf8))
        for text in ["CLIENT LET abcd 6\nhello", "CLIENT LET abcd 5 hello", "CLIENT LET", "CLIENT LET abcd -1\n"] {
            #expect(read(text) == nil, "\(text)")
        }
    }

    @Test(arguments: [
        "", "CLIENT", "INTERNAL", "INTERNAL EVIL", "CLIENT EVIL", "INTERNAL QSECURE x AAAA", "CLIENT JOIN T x",
    ])
    func unknown_commands_are_damage(text: String) {
        #expect(read(text) == nil)
    }

    @Test func what_the_queues_say_too_is_passed_over() {
        for text in ["INTERNAL ACK abcd efgh", "INTERNAL DELETE_CONN", "INTERNAL ALLOW_SECURE abcd efgh"] {
            guard case .other? = read(text) else {
                Issue.record("\(text)")
                continue
            }
        }
        guard case .switchQueue? = read("CLIENT SWCH"), case .delete? = read("CLIENT DEL") else {
            Issue.record("no change")
            return
        }
    }
}
