import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit channel test`
enum ChannelTestCommand {
    static let address = Positional<String>("ADDRESS", "Address of a chat relay", .text("ADDRESS"))

    static let leaf: Leaf = .init(
        Command(
            "channel test", "Test whether a chat relay answers", promise: "the chat relay answered with its key",
            store: .writing, positionals: [address],
            examples: [
                Example(
                    "tacit channel test 'https://smp.example.com/r#...'",
                    "Test before you create a channel")
            ],
            exits: [64, 65, 68, 69, 75, 76, 79], reports: ChatRelayTestReport.forms,
            discussion: """
                The report names the failed step: getLink, decodeLink (the address is not that of a chat relay), connect, \
                waitResponse (no answer within 40 seconds) or verify (an answer without the key of the address).
                """),
        purpose: { "test the chat relay \(UntrustedText($0[address]).quoted)" },
        run: { try StoreOpener($0, isWriting: true).run { try await test($0) } })

    private static func test(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation, address = try ShortLink(ofChatRelay: invocation[address])
        session.progress.start { "testing the chat relay" }
        let result = try await session.execute(TestChatRelay(try await session.profileID(), address))
        session.progress.stop()
        try invocation.print(done: ChatRelayTestReport(result, address))
        guard let failure = result.failure else { return .ok }
        return invocation.report(Reason(failure.error).failure(during: "use the chat relay"))
    }
}

/// The result of a test of a chat relay.
struct ChatRelayTestReport: Report {
    let result: ChatRelayTestResult
    let address: ShortLink

    init(_ result: ChatRelayTestResult, _ address: ShortLink) {
        self.result = result
        self.address = address
    }

    static let forms = [
        ReportForm(
            "chat-relay-test", "Result of a test of a chat relay", plain: ["name", "state", "step"],
            [
                .sometimes("name", .text, "Name of the chat relay; missing if its address cannot be read"),
                .always("address", .text, "Address of the chat relay"),
                .always("state", .word(["passed", "failed"]), "Result of the test"),
                .sometimes(
                    "step", .word(ChatRelayTestFailure.Step.allCases.map(\.rawValue)), "Step that failed"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "chat-relay-test")
        json.set("name", result.relay?.displayName)
        json.set("address", address.description)
        json.set("state", result.failure == nil ? "passed" : "failed")
        json.set("step", result.failure?.step.rawValue)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let name = StyledText(result.relay?.displayName ?? address.description, .name)
        guard let failure = result.failure else { return [StyledText("passed ") + name] }
        return [StyledText("failed ", .warning) + name + StyledText(" at the step \(failure.step.rawValue)")]
    }
}
