public import JSONCoding

/// One thing to look at. The value says what is shown, by id; how it looks is for its renderer.
///
/// A new type of screen is one file with the type and one line in ``ScreenCatalogue``.
public protocol Screen: Hashable, Sendable, JSONObjectCodable {
    /// The word for the type in what is stored and said; one word, never changed.
    static var name: String { get }
    /// Whether a path has at most one of each value: opening it again goes back to it.
    static var isSingleton: Bool { get }
    /// What must be in the store for the screen to show something, the outermost first. The first says which profile the
    /// screen belongs to; a screen without any belongs to all.
    var subjects: [Subject] { get }
}

extension Screen {
    public static var isSingleton: Bool { false }
}
