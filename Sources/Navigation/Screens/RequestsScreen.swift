/// The open contact requests of a profile.
public struct RequestsScreen: ProfileBound {
    /// The name of the type in stored paths.
    public static let name = "requests"
    /// The word in addresses.
    public static let word = "requests"

    /// The number of the profile.
    public let profile: Int64

    /// Creates a requests screen from its parts.
    public init(profile: Int64) {
        self.profile = profile
    }
}
