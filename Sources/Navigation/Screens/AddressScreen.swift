public import ByteCoding
public import JSONCoding

/// The address of a profile, and what happens to those who use it.
public struct AddressScreen: Screen {
    public static let name = "address"
    public static let word = "address"
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

    /// `address`
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> AddressScreen? {
        guard let home = parent.value as? HomeScreen, reader.skip(word) else { return nil }
        return AddressScreen(profile: home.profile)
    }
}
