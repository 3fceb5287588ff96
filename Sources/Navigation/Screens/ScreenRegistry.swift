/// The renderers of screens, by type. The caller chooses the type of renderer.
///
/// ```swift
/// var registry = ScreenRegistry<any Renderer>()
/// registry.register(ChatScreen.self) { ChatRenderer(contact: $0.contact) }
/// ```
public struct ScreenRegistry<Renderer>: Sendable {
    private var makers: [ObjectIdentifier: @Sendable (any Screen) -> Renderer?] = [:]

    /// Creates a screen registry.
    public init() {}

    /// Registers the renderer of a type of screen, replacing an earlier one.
    public mutating func register<Value: Screen>(
        _ type: Value.Type, _ make: @escaping @Sendable (Value) -> Renderer
    ) {
        makers[ObjectIdentifier(type)] = { screen in (screen as? Value).map(make) }
    }

    /// Returns the renderer of a screen.
    ///
    /// - Throws: ``NavigationError/unregistered(screen:)`` for a type without one: a missing renderer must be noticed,
    ///   unlike a blank screen.
    public func renderer(for screen: AnyScreen) throws(NavigationError) -> Renderer {
        guard let renderer = makers[ObjectIdentifier(type(of: screen.value))]?(screen.value) else {
            throw .unregistered(screen: screen.name)
        }
        return renderer
    }

    /// The names of the types of ``ScreenCatalogue`` without a renderer, for a test.
    public var missing: [String] {
        ScreenCatalogue.all.filter { makers[ObjectIdentifier($0)] == nil }.map { $0.name }
    }
}
