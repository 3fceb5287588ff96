import AgentProtocol

/// A queue that a relay made, with the short link to it.
struct MadeQueue {
    let queue: ReceiveQueue
    /// Nil if the relay knows no short links.
    let link: OwnedLink?
}
