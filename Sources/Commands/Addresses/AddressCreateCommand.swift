import ChatCore
import CommandKit
import TerminalKit

/// `tacit address create`
enum AddressCreateCommand {
    static let leaf: Leaf = .init(
        Command(
            "address create", "Make an address", promise: "the address can be used and is on disk", store: .writing,
            options: [AddressCommand.full],
            examples: [Example("tacit address create | tee address.txt", "Only the link is on standard output")],
            exits: [68, 69, 73, 75, 76, 78, 79], reports: AddressReport.forms,
            discussion: """
                Other than an invitation an address may be given to everybody, and for as long as one likes. Who uses it asks \
                to be a contact: see tacit accept. A profile has one address.
                """),
        purpose: { _ in "make an address" },
        body: { session in
            session.progress.start { "making a queue" }
            let address = try await session.execute(CreateAddress(try await session.profileID())).address
            session.progress.stop()
            let invocation = session.invocation
            try invocation.print(AddressReport(address: address, isFull: invocation[AddressCommand.full]))
            invocation.note("requests come with tacit fetch")
            return .ok
        })
}
