public import ByteCoding
import ChatProtocol
public import JSONCoding

/// Shows what the active profile says about its owner. (`/profile`, `/show profile image`)
public struct ShowOwnProfile: ChatCommand {
    /// Whether it is asked for the picture.
    public var isPicture: Bool

    public init(isPicture: Bool = false) {
        self.isPicture = isPicture
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form("/profile", .fixed(false, \.isPicture), make: { Self(isPicture: $0) }),
        Form("/p", .fixed(false, \.isPicture), make: { Self(isPicture: $0) }),
        Form("/show profile image", .fixed(true, \.isPicture), make: { Self(isPicture: $0) }))

    public func perform(on core: isolated LocalCore) async throws -> OwnProfileInfo {
        OwnProfileInfo(profile: try core.lookup.activeProfile(), isPicture: isPicture)
    }
}

/// What a profile says about its owner.
public struct OwnProfileInfo: ChatResponse {
    public let profile: OwnProfile
    /// Whether it was asked for the picture.
    public let isPicture: Bool

    public var type: String { isPicture ? "userProfileImage" : "userProfile" }

    public var fields: JSONObject { ["user": profile.json, "profile": profile.profile.json] }

    init(profile: OwnProfile, isPicture: Bool) {
        self.profile = profile
        self.isPicture = isPicture
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        switch type {
        case "userProfile": isPicture = false
        case "userProfileImage": isPicture = true
        default: throw .invalid("type")
        }
        profile = try fields.required("user")
    }
}
