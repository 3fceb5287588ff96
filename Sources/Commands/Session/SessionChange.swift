import ChatCore

/// Something that a person or a program did in the store, for the sessions that did not do it themselves.
struct SessionChange: Sendable {
    let effect: SessionEffect
    /// The session that did it; nil for a command.
    let session: ObjectIdentifier?
}
