import ChatCore
import CommandKit
import TerminalKit

/// `tacit address create`
enum AddressCreateCommand {
    static let leaf: Leaf = .init(
        Command(
            "address create", "Create a contact address", promise: "the address works and is on disk", store: .writing,
            options: [AddressCommand.full],
            examples: [Example("tacit address create | tee address.txt", "Create an address and save its link")],
            exits: [68, 69, 73, 75, 76, 78, 79], reports: AddressReport.forms,
            discussion: """
                Unlike an invitation, an address can be shared publicly and works until it is deleted. Its users send contact \
                requests: see tacit accept. A profile has one address.
                """),
        purpose: { _ in "create an address" },
        body: { session in
            session.progress.start { "creating a queue" }
            let address = try await session.execute(CreateAddress(try await session.profileID())).address
            session.progress.stop()
            let invocation = session.invocation
            try invocation.print(AddressReport(address: address, isFull: invocation[AddressCommand.full]))
            invocation.note("tacit fetch receives contact requests")
            return .ok
        })
}
