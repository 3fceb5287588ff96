public import ByteCoding
public import JSONCoding

/// The list of profiles: the root of every path, and nowhere else in it.
public struct HubScreen: Screen {
    /// The name of the type in stored paths.
    public static let name = "hub"
    /// The word in addresses.
    public static let word = "profiles"
    /// True if a path has the screen once.
    public static let isSingleton = true

    /// Creates a hub screen.
    public init() {}

    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {}

    /// The fields of the JSON form.
    public var fields: JSONObject { [:] }
    /// No subjects: the hub belongs to all profiles.
    public var subjects: [Subject] { [] }

    /// Reads the word at the start of an address.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> HubScreen? {
        (parent.isA(HomeScreen.self) || parent.isA(HubScreen.self)) && reader.skipLast(word) ? HubScreen() : nil
    }
}
