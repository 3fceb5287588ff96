/// What draws the screens, by their types. What a renderer is decides who draws.
///
/// ```swift
/// var registry = ScreenRegistry<any Renderer>()
/// registry.register(ChatScreen.self) { ChatRenderer(contact: $0.contact) }
/// ```
public struct ScreenRegistry<Renderer>: Sendable {
    private var makers: [ObjectIdentifier: @Sendable (any Screen) -> Renderer?] = [:]

    public init() {}

    /// Says what draws a type of screen. The last one said counts.
    public mutating func register<Value: Screen>(
        _ type: Value.Type, _ make: @escaping @Sendable (Value) -> Renderer
    ) {
        makers[ObjectIdentifier(type)] = { screen in (screen as? Value).map(make) }
    }

    /// What draws a screen. Throws ``NavigationError/unregistered(screen:)`` for a type that nobody registered: a missing
    /// screen must be noticed, which a blank one is not.
    public func renderer(for screen: AnyScreen) throws(NavigationError) -> Renderer {
        guard let renderer = makers[ObjectIdentifier(type(of: screen.value))]?(screen.value) else {
            throw .unregistered(screen: screen.name)
        }
        return renderer
    }

    /// The words for the types of ``ScreenCatalogue`` that nobody registered, for a test.
    public var missing: [String] {
        ScreenCatalogue.all.filter { makers[ObjectIdentifier($0)] == nil }.map { $0.name }
    }
}
