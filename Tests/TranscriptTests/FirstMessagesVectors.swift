import TestSupport
import Testing

/// `e2e-message.json`: the first messages of a connection through all layers, from the text to what the relay delivers,
/// and all the way back.
@Suite struct FirstMessagesVectors {
    @Test(arguments: VectorFile.cases("e2e-message"))
    func everyLayer(recording: Vector) throws {
        var messages = try FirstMessages(recording)
        let steps = recording["steps"].list
        #expect(steps.map { $0["from"].text } == ["bob", "alice", "alice"])
        for step in steps {
            let delivered = try messages.send(step)
            try messages.receive(delivered, step)
        }
    }
}
