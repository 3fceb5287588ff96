import ChatCore
import CommandKit
import TerminalKit

/// `tacit address rotate`
enum AddressRotateCommand {
    static let leaf: Leaf = .init(
        Command(
            "address rotate", "Replace the address by a new one",
            promise: "the new address can be used, and the old one leads nowhere", store: .writing,
            options: [AddressCommand.full],
            examples: [Example("tacit address rotate", "When the old one has come into wrong hands")],
            exits: [67, 68, 69, 75, 76, 78, 79], reports: AddressReport.forms,
            discussion: """
                Contacts and settings stay, and so do requests that have come already. If the relay cannot be reached, the old \
                address is deleted with the next fetch.
                """),
        purpose: { _ in "replace the address" },
        body: { session in
            session.progress.start { "making a queue" }
            let address = try await session.execute(RotateAddress(try await session.profileID())).address
            session.progress.stop()
            let invocation = session.invocation
            try invocation.print(AddressReport(address: address, isFull: invocation[AddressCommand.full]))
            return .ok
        })
}
