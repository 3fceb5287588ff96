import ChatCore
import CommandKit
import TerminalKit

/// `tacit address delete`
enum AddressDeleteCommand {
    static let leaf: Leaf = .init(
        Command(
            "address delete", "Delete the address",
            promise: "the address accepts no requests; its queue is deleted on the relay now or with the next fetch",
            store: .writing, examples: [Example("tacit address delete", "Delete the address, keep the contacts")],
            exits: [67, 78],
            reports: AddressDeletedReport.forms),
        purpose: { _ in "delete the address" },
        body: { session in
            session.progress.start { "deleting the queue" }
            _ = try await session.execute(DeleteAddress(try await session.profileID()))
            session.progress.stop()
            try session.invocation.print(done: AddressDeletedReport())
            return .ok
        })
}
