/// Whether the ratchets of both sides fit together, and what is done about it. The cases are named after those of the
/// reference implementation.
public enum RatchetSynchronization: Int64, CaseIterable, Hashable, Sendable {
    case ok
    /// A message could not be decrypted; others may.
    case allowed
    /// Nothing can be decrypted any more.
    case required
    /// The own keys for a new ratchet are on their way.
    case started
    /// There is a new ratchet, through which nothing has come yet.
    case agreed

    /// Whether messages of this side can be read by the other.
    public var allowsSending: Bool {
        switch self {
        case .ok, .allowed: true
        case .required, .started, .agreed: false
        }
    }
}
