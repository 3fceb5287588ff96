public import ByteCoding
public import JSONCoding

/// The profiles: the root of every path, and nowhere else in it.
public struct HubScreen: Screen {
    public static let name = "hub"
    public static let word = "profiles"
    public static let isSingleton = true

    public init() {}

    public init(from fields: inout JSONFields) throws(DecodeError) {}

    public var fields: JSONObject { [:] }
    public var subjects: [Subject] { [] }

    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> HubScreen? {
        (parent.isA(HomeScreen.self) || parent.isA(HubScreen.self)) && reader.skipLast(word) ? HubScreen() : nil
    }
}
