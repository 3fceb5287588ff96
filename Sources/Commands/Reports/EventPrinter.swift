import ChatCore
import TerminalKit

/// Prints events as they happen.
enum EventPrinter {
    /// What is printed.
    static let forms = MessageReport.forms + SendReport.forms + EventReport.forms

    /// Prints one event. That nobody reads any more comes to light when the command ends.
    static func print(_ event: ChatEvent, _ invocation: Invocation) {
        switch event {
        case .newItems(_, let items): try? invocation.print(list: items.map { MessageReport($0) })
        case .itemsUpdated(_, let items):
            // Receipts change what a list says of older messages; each on a line of its own would hide the new ones.
            let reports = items.filter { !$0.item.status.isConfirmed }
                .map { SendReport(contact: $0.contact, item: $0.item) }
            try? invocation.print(list: reports)
        default:
            // Plain records are messages only: those of other things have other fields.
            guard invocation.format != .plain, let report = EventReport(event) else { return }
            try? invocation.print(report)
        }
    }
}
