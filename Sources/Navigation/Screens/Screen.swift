public import JSONCoding

/// One thing to look at. The value says what is shown, by id; how it looks is for its renderer.
///
/// A new type of screen is one file with the type and one line in ``ScreenCatalogue``.
public protocol Screen: Hashable, Sendable, JSONObjectCodable {
    /// The word for the type in what is stored and said; one word, never changed.
    static var name: String { get }
    /// The word that tells the type in an address.
    static var word: String { get }
    /// Whether a path has at most one of each value: opening it again goes back to it.
    static var isSingleton: Bool { get }
    /// What must be in the store for the screen to show something, the outermost first. The first says which profile the
    /// screen belongs to; a screen without any belongs to all.
    var subjects: [Subject] { get }
    /// The screen whose address comes before that of this one, which is also where the user goes when this one is gone;
    /// nil for the home of the profile.
    var parent: (any Screen)? { get }
    /// Its part of an address: in general the ``word``, and the name of what is shown.
    var addressParts: [AddressPart] { get }
    /// Reads its part of an address if it begins here, behind that of `parent`. Else returns nil and takes nothing.
    static func read(inside parent: AnyScreen, from reader: inout AddressReader) async throws(AddressError) -> Self?
}

extension Screen {
    public static var isSingleton: Bool { false }
    public var parent: (any Screen)? { nil }
    public var addressParts: [AddressPart] { [.word(Self.word)] }
}

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
