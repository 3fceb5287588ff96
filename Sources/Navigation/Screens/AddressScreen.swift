/// The address of a profile with its settings.
public struct AddressScreen: ProfileBound {
    /// The name of the type in stored paths.
    public static let name = "address"
    /// The word in addresses.
    public static let word = "address"

    /// The number of the profile.
    public let profile: Int64

    /// Creates an address screen from its parts.
    public init(profile: Int64) {
        self.profile = profile
    }
}
