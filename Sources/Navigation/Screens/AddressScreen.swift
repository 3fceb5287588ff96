/// The address of a profile, and what happens to those who use it.
public struct AddressScreen: ProfileBound {
    public static let name = "address"
    public static let word = "address"

    public let profile: Int64

    public init(profile: Int64) {
        self.profile = profile
    }
}
