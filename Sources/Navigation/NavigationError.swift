/// An error of a step to a screen.
public enum NavigationError: Error, Hashable, Sendable {
    /// What the screen shows is not in the store, or not any more.
    case gone(Subject.Kind)
    /// The screen is known, but what it shows cannot be shown here.
    case unsupported(screen: String)
    /// Nobody registered what draws screens of this type.
    case unregistered(screen: String)
}
