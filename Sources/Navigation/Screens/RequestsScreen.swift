/// The requests to the address of a profile that wait for an answer.
public struct RequestsScreen: ProfileBound {
    public static let name = "requests"
    public static let word = "requests"

    public let profile: Int64

    public init(profile: Int64) {
        self.profile = profile
    }
}
