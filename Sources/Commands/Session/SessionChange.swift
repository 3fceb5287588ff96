import ChatCore

/// A change of the store by a command, for all sessions but the one that made it.
struct SessionChange: Sendable {
    let effect: SessionEffect
    /// The session that made it; nil for a command.
    let session: ObjectIdentifier?
}
