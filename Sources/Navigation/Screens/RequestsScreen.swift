public import ByteCoding
public import JSONCoding

/// The requests to the address of a profile that wait for an answer.
public struct RequestsScreen: Screen {
    public static let name = "requests"
    public static let word = "requests"
    public static let isSingleton = true

    /// The number of the profile.
    public let profile: Int64

    public init(profile: Int64) {
        self.profile = profile
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.integer("profile")
    }

    public var fields: JSONObject { ["profile": .integer(profile)] }
    public var subjects: [Subject] { [.profile(profile)] }

    /// `requests`
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> RequestsScreen? {
        guard let home = parent.value as? HomeScreen, reader.skip(word) else { return nil }
        return RequestsScreen(profile: home.profile)
    }
}
