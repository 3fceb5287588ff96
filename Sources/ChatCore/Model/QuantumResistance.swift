/// Whether post-quantum keys protect a conversation (the KEM of the double ratchet), as far as is known from what was sent and
/// received last.
public struct QuantumResistance: Hashable, Sendable {
    /// Whether this side offers and accepts the KEM.
    public var isWanted: Bool
    public var protectsSent: Bool
    public var protectsReceived: Bool

    /// Whether both directions are protected.
    public var isOn: Bool { protectsSent && protectsReceived }
}
