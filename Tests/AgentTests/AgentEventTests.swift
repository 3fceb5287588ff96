import Agent
import AgentProtocol
import ByteCoding
import TestSupport
import Testing

@Suite struct AgentEventTests {
    static let contents: [AgentEvent.Content] = [
        .connection(.conf(information: [1, 2, 3], supportsPostQuantum: false)),
        .connection(.conf(information: [], supportsPostQuantum: true)),
        .connection(.info([], supportsPostQuantum: false)), .connection(.info([4], supportsPostQuantum: true)),
        .connection(.joined), .connection(.qcont), .connection(.con(isPostQuantum: false)),
        .connection(.con(isPostQuantum: true)),
        .connection(.rcvd([MessageReceipt(number: 3, hash: [1]), MessageReceipt(number: 4, hash: [])])),
        .sent(token: [1, 2]), .merr(token: [3], .full), .err(.expired), .unreadable(.outOfSync),
        .link(AddressRecord(isDirect: false, content: [1, 2])), .link(AddressRecord(content: [])),
    ]

    static let integrities: [MessageIntegrity] = [
        .ok, .skipped(from: 3, to: 9), .badNumber(last: 4), .badHash, .duplicate,
    ]

    @Test(arguments: contents)
    func eventsAreReadAsTheyWereWritten(content: AgentEvent.Content) throws {
        #expect(try AgentEvent.Content(decoding: content.encoded) == content)
        Damage.check(content.encoded) { try AgentEvent.Content(decoding: $0) }
    }

    @Test(arguments: integrities, [false, true])
    func messagesAreReadAsTheyWereWritten(integrity: MessageIntegrity, isPostQuantum: Bool) throws {
        let message = ReceivedMessage(
            number: 7, hash: [9, 9], relayTime: Timestamp(milliseconds: 1), integrity: integrity,
            isPostQuantum: isPostQuantum, body: [5])
        let content = AgentEvent.Content.connection(.msg(message))
        #expect(try AgentEvent.Content(decoding: content.encoded) == content)
        Damage.check(content.encoded) { try AgentEvent.Content(decoding: $0) }
    }
}
