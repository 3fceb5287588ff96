import AgentProtocol
import ByteCoding

/// A part of a core that has one subject, such as sending or calls.
///
/// A collaborator is a class of its own with its own state and tests. It gets the ``CoreContext`` and the collaborators below it,
/// never the core. It belongs to the core, and everything in it happens on the core's event loop: it is not `Sendable`, and its
/// asynchronous methods run where they are called.
///
/// From below to above: ``Servers`` and ``Expiry``, ``Conversations``, ``Connector``, ``Groups``, ``Calls`` and ``Profiles``, ``Inbox``,
/// ``Exchange``.
protocol Collaborator: AnyObject {
    var context: CoreContext { get }
}

extension Collaborator {
    var store: ChatStore { context.store }
    var lookup: Lookup { context.lookup }
    var now: Timestamp { context.now }

    /// The agent of a core that may write.
    var agent: any CoreAgent {
        get throws(ChatError) { try context.agent }
    }

    func tell(_ event: any ChatEvent) {
        context.tell(event)
    }
}
