import ChatCore
import CommandKit

/// `tacit net test`
enum NetTestCommand {
    static let leaf: Leaf = .init(
        Command(
            "net test", "Test all relays in use with the network settings",
            promise: "queues were created, secured and deleted on all relays in use", store: .reading,
            examples: [
                Example("tacit net test", "Test all relays in use"),
                Example("tacit net test -q || echo \"not all: $?\"", "Report a failed test in a script"),
            ],
            exits: [68, 69, 75, 76, 78, 79, 80], reports: ServerTestReport.forms, topics: ["environment"],
            discussion: "Same as tacit server test without an argument."),
        purpose: { _ in "test the relays" },
        run: {
            try StoreOpener($0, isWriting: false, usesNetwork: true).run { try await ServerTestCommand.testAll($0) }
        })
}
