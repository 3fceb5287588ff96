import ChatCore
import CommandKit
import TerminalKit

/// `tacit address rotate`
enum AddressRotateCommand {
    static let leaf: Leaf = .init(
        Command(
            "address rotate", "Replace the address with a new one",
            promise: "the new address works, and the old one is deleted or will be by the next fetch", store: .writing,
            options: [AddressCommand.full],
            examples: [Example("tacit address rotate", "Replace an address that strangers use")],
            exits: [67, 68, 69, 75, 76, 78, 79], reports: AddressReport.forms,
            discussion: """
                Contacts, settings and pending requests stay. If the relay cannot be reached, the next fetch deletes the old \
                address.
                """),
        purpose: { _ in "replace the address" },
        body: { session in
            session.progress.start { "creating a queue" }
            let address = try await session.execute(RotateAddress(try await session.profileID())).address
            session.progress.stop()
            let invocation = session.invocation
            try invocation.print(AddressReport(address: address, isFull: invocation[AddressCommand.full]))
            return .ok
        })
}
