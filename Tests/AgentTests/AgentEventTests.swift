import Agent
import AgentProtocol
import ByteCoding
import TestSupport
import Testing

@Suite struct AgentEventTests {
    static let contents: [AgentEvent.Content] = [
        .connection(.conf(information: [1, 2, 3])), .connection(.info([])), .connection(.joined),
        .connection(.con),
        .connection(.rcvd([MessageReceipt(number: 3, hash: [1]), MessageReceipt(number: 4, hash: [])])),
        .sent(token: [1, 2]), .merr(token: [3], .full), .err(.expired), .unreadable(.outOfSync),
    ]

    static let integrities: [MessageIntegrity] = [
        .ok, .skipped(from: 3, to: 9), .badNumber(last: 4), .badHash, .duplicate,
    ]

    @Test(arguments: contents)
    func eventsAreReadAsTheyWereWritten(content: AgentEvent.Content) throws {
        #expect(try AgentEvent.Content(decoding: content.encoded) == content)
        Damage.check(content.encoded) { try AgentEvent.Content(decoding: $0) }
    }

    @Test(arguments: integrities)
    func messagesAreReadAsTheyWereWritten(integrity: MessageIntegrity) throws {
        let message = ReceivedMessage(
            number: 7, hash: [9, 9], relayTime: Timestamp(milliseconds: 1), integrity: integrity, body: [5])
        let content = AgentEvent.Content.connection(.msg(message))
        #expect(try AgentEvent.Content(decoding: content.encoded) == content)
        Damage.check(content.encoded) { try AgentEvent.Content(decoding: $0) }
    }
}
