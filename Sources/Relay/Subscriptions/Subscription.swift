import SMPProtocol

/// That a connection receives the messages of a queue. In memory only: it ends with the connection.
final class Subscription {
    /// What of the queue is on its way to the client.
    enum Delivery: Equatable {
        case none
        /// The first message waits until the client has room.
        case waiting
        /// This message was delivered and not acknowledged yet: the next one waits for that.
        case delivered(EntityID)
    }

    unowned let client: Client
    let queue: Int64
    let recipientID: EntityID
    var delivery = Delivery.none

    init(to queue: Queue, of client: Client) {
        self.client = client
        self.queue = queue.number
        recipientID = queue.recipientID
    }

    var deliveredID: EntityID? {
        if case .delivered(let id) = delivery { id } else { nil }
    }

    /// As INFO shows it.
    var state: QueueState.Subscription {
        delivery == .waiting ? .pending : .none
    }
}
