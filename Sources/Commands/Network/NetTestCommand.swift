import ChatCore
import CommandKit

/// `tacit net test`
enum NetTestCommand {
    static let leaf: Leaf = .init(
        Command(
            "net test", "Find out whether the relays can be used, by the way that is set",
            promise: "queues were made, secured and deleted at all relays that are used", store: .reading,
            examples: [
                Example("tacit net test", "All relays"),
                Example("tacit net test -q || echo \"not all: $?\"", "In a script"),
            ],
            exits: [68, 69, 75, 76, 78, 79, 80], reports: ServerTestReport.forms, topics: ["environment"],
            discussion: "The same as tacit server test without a name."),
        purpose: { _ in "test the relays" },
        run: {
            try StoreAccess($0, isWriting: false, usesNetwork: true).run { try await ServerTestCommand.testAll($0) }
        })
}
