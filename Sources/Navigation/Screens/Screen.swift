public import JSONCoding

/// A screen of the session. The value identifies the displayed object by id; a renderer draws it.
///
/// A new type of screen needs one file and one line in ``ScreenCatalogue``.
public protocol Screen: Hashable, Sendable, JSONObjectCodable {
    /// The permanent name of the type in stored paths, one word.
    static var name: String { get }
    /// The word of the type in an address.
    static var word: String { get }
    /// True if a path has each value at most once: opening it again goes back to it.
    static var isSingleton: Bool { get }
    /// The objects that must exist for the screen, outermost first. The first one determines the profile of the screen;
    /// a screen without subjects belongs to all profiles.
    var subjects: [Subject] { get }
    /// The screen whose address precedes this one, and to which the user returns if this one is gone; nil for the home
    /// of the profile.
    var parent: (any Screen)? { get }
    /// The parts of its address: usually the ``word`` and the name of the object.
    var addressParts: [AddressPart] { get }
    /// Reads its part of an address after that of `parent`, or returns nil without advancing.
    static func read(inside parent: AnyScreen, from reader: inout AddressReader) async throws(AddressError) -> Self?
}

extension Screen {
    /// True if a path has at most one of each value; false by default.
    public static var isSingleton: Bool { false }
    /// The home by default.
    public var parent: (any Screen)? { nil }
    /// The word alone by default.
    public var addressParts: [AddressPart] { [.word(Self.word)] }
}

/// A screen of any type, as an element of a path.
public struct AnyScreen: Hashable, Sendable {
    /// The screen.
    public let value: any Screen

    /// Creates an any screen from its parts.
    public init(_ screen: any Screen) {
        value = screen
    }

    /// The name of the screen's type.
    public var name: String { type(of: value).name }

    /// Returns true if the screen is of this type.
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
