/// How long the messages of a conversation are kept here.
public enum Retention: Hashable, Sendable {
    /// As the profile has it.
    case standard
    /// Until somebody deletes them.
    case unlimited
    /// Removed this many seconds after they were written or received.
    case limited(seconds: Int64)

    /// The longest time, in seconds: a century.
    public static let longest: Int64 = 100 * 365 * 24 * 3600

    /// The words of the API: `default`, `none` or seconds.
    var text: String {
        switch self {
        case .standard: "default"
        case .unlimited: "none"
        case .limited(let seconds): "\(seconds)"
        }
    }
}
