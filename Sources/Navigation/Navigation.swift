/// Where the user is: the path of screens, the sheets over it, and the rules by which both change.
///
/// - ``Screen`` is a hashable value that names what it shows by id. It holds no name, no place in a list and nothing that
///   was looked up, so that nothing that happens to other conversations can move anybody.
/// - ``NavigationPath`` is the screens from the hub to what is shown, with its operations and their edges.
/// - ``NavigationState`` adds the ``Sheet``s, shows what was checked (``Finding``), and says what the caller has to do
///   (``NavigationAction``): switch the profile, store the place.
/// - ``ScreenRegistry`` finds what draws a screen; it is the caller's, and so is everything that is drawn.
///
/// Nothing here waits, reads a clock or opens a file. What exists is asked of a ``Directory``.
///
/// ```swift
/// let finding = await Finding(about: ChatScreen(contact: 4), in: directory)
/// for action in try state.show(finding) { ... }
/// let renderer = try registry.renderer(for: state.path.top)
/// ```
public enum NavigationError: Error, Hashable, Sendable {
    /// What the screen shows is not in the store, or not any more.
    case gone(Subject.Kind)
    /// The screen is known, but what it shows cannot be shown here.
    case unsupported(screen: String)
    /// Nobody registered what draws screens of this type.
    case unregistered(screen: String)
}
