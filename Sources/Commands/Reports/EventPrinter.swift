import AgentProtocol
import ChatCore
import CommandKit
import TerminalKit

/// Prints events as they happen.
enum EventPrinter {
    /// What is printed; of plain records only messages.
    static let forms = MessageReport.forms + SendReport.forms.map { $0.with(plain: []) } + EventReport.forms

    /// Prints one event. That nobody reads any more comes to light when the command ends.
    ///
    /// - Parameter contacts: Whose events are wanted; everybody's by default.
    static func print(_ event: ChatEvent, _ invocation: Invocation, only contacts: Set<ContactID>? = nil) {
        func isWanted(_ contact: Contact?) -> Bool {
            guard let contacts else { return true }
            return contact.map { contacts.contains($0.id) } ?? false
        }
        switch event {
        case .newItems(_, let items):
            try? invocation.print(list: items.filter { isWanted($0.contact) }.map { MessageReport($0) })
        case .itemsUpdated(_, let items):
            // Receipts change what a list says of older messages; each on a line of its own would hide the new ones.
            let changed = items.filter { !$0.item.status.isConfirmed && isWanted($0.contact) }
            if invocation.format == .plain {
                // Plain records of one command have the same columns.
                try? invocation.print(list: changed.map { MessageReport($0) })
            } else {
                try? invocation.print(list: changed.map { SendReport(contact: $0.contact, item: $0.item) })
            }
        default:
            // Plain records are messages only: those of other things have other fields.
            guard invocation.format != .plain, let report = EventReport(event), isWanted(report.contact) else { return }
            try? invocation.print(report)
        }
    }
}
