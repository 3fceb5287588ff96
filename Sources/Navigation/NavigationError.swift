/// An error of navigating to a screen.
public enum NavigationError: Error, Hashable, Sendable {
    /// The object of the screen does not exist, or was deleted.
    case gone(Subject.Kind)
    /// The screen is known, but its object cannot be shown here.
    case unsupported(screen: String)
    /// The type of the screen has no renderer.
    case unregistered(screen: String)
}
