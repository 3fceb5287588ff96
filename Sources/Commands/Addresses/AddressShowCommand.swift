import ChatCore
import CommandKit
import TerminalKit

/// `tacit address show`
enum AddressShowCommand {
    static let leaf: Leaf = .init(
        Command(
            "address show", "Print the address", promise: "the address was printed", store: .reading,
            options: [AddressCommand.full, LinkPicture.option],
            examples: [
                Example("tacit address", "The short form"),
                Example("tacit address show --qr", "For the camera of a phone"),
                Example("tacit address show --json | jq .auto_accept", "Whether requests are accepted"),
            ],
            exits: [67, 78], reports: AddressReport.forms, discussion: LinkPicture.discussion),
        purpose: { _ in "show the address" },
        body: { session in
            let address = try await session.execute(ShowAddress(try await session.profileID())).address
            let invocation = session.invocation
            let report = AddressReport(address: address, isFull: invocation[AddressCommand.full])
            try LinkPicture.show(report.link, invocation)
            try invocation.print(report)
            return .ok
        })
}
