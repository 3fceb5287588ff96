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
                Example("tacit address", "Print the short link"),
                Example("tacit address show --qr", "Show the link as a QR code"),
                Example(
                    "tacit address show --json | jq .auto_accept", "Check whether requests are accepted automatically"),
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
