public import ChatCore

/// A change of the store by a command, for all sessions but the one that made it.
public struct SessionChange: Sendable {
    public let effect: SessionEffect
    /// The session that made it; nil for a command.
    public let session: ObjectIdentifier?
}
