/// What the caller has to do after a change, in this order.
public enum NavigationAction: Hashable, Sendable {
    /// Make the profile with this number the active one.
    case switchProfile(Int64)
    /// Store the path, so that the next session finds it.
    case store(NavigationPath)
}
