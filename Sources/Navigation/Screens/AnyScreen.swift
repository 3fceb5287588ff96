/// A screen of any type, as the element of a path.
public struct AnyScreen: Hashable, Sendable {
    /// The screen.
    public let value: any Screen

    public init(_ screen: any Screen) {
        value = screen
    }

    /// The word for the type of the screen.
    public var name: String { type(of: value).name }

    /// Whether the screen is of this type.
    public func isA<Value: Screen>(_ type: Value.Type) -> Bool { value is Value }

    public static func == (left: AnyScreen, right: AnyScreen) -> Bool {
        isEqual(left.value, right.value)
    }

    private static func isEqual<Value: Screen>(_ left: Value, _ right: any Screen) -> Bool {
        left == right as? Value
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type(of: value)))
        value.hash(into: &hasher)
    }
}
