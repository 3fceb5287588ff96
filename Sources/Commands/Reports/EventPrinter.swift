import AgentProtocol
import ChatCore
import CommandKit
import TerminalKit

/// Prints events as they happen.
enum EventPrinter {
    /// What is printed; of plain records only messages.
    static let forms = MessageReport.forms + SendReport.forms.map { $0.with(plain: []) } + EventReport.forms

    /// The events about relays that a command reports.
    enum RelayReporting {
        case none
        /// Failures as JSON only: for people, the command ends with an error that says the same.
        case withoutFailures
        case all
    }

    /// Prints one event. That nobody reads any more comes to light when the command ends.
    ///
    /// - Parameters:
    ///   - chats: Whose events are wanted; those of all by default.
    ///   - relays: The events about relays that are wanted.
    static func print(
        _ event: any ChatEvent, _ invocation: Invocation, only chats: Set<ChatReference>? = nil,
        relays: RelayReporting = .none
    ) {
        func isWanted(_ chat: Chat?) -> Bool {
            guard let chats else { return true }
            return chat.map { chats.contains($0.reference) } ?? false
        }
        if let event = event as? NewItemsEvent {
            try? invocation.print(
                list: MessageReport.list(
                    event.visibleItems.filter { isWanted($0.chat) }, withIDs: invocation.showsIDs))
        } else if let event = event as? ItemsUpdatedEvent {
            // Receipts change what a list says of older messages; each on a line of its own would hide the new ones.
            let changed = event.items.filter { !$0.item.status.isConfirmed && isWanted($0.chat) }
            if invocation.format == .plain {
                // Plain records of one command have the same columns.
                try? invocation.print(list: changed.map { MessageReport($0) })
            } else {
                try? invocation.print(list: changed.map { SendReport(chat: $0.chat, item: $0.item) })
            }
        } else if let report = EventReport(event), report.isAboutRelay {
            guard relays != .none else { return }
            if invocation.format == .json, chats == nil { try? invocation.print(report) }
            if relays == .all || event is HostConnectedEvent { note(event, invocation) }
        } else if invocation.format != .plain, isWanted(event.chat), let report = EventReport(event) {
            // Plain records are messages only: those of other things have other fields.
            if invocation.format == .json || !report.isInChat { try? invocation.print(report) }
        }
    }

    /// Says on standard error that a relay cannot be reached, or can be reached again.
    static func note(_ event: any ChatEvent, _ invocation: Invocation) {
        guard let report = EventReport(event), report.isAboutRelay else { return }
        invocation.note(StyledText("relay ", .muted) + report.sentenceWithSubject)
    }
}
