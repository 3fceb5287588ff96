import ChatProtocol
import JSONCoding

/// Sets whether the active profile allows all its contacts a feature. (`/set voice always|yes|no`, `/set disappear yes|no`)
public struct SetFeature: ChatCommand {
    public var feature: Preferences.Feature
    public var permission: Preferences.Permission

    public init(_ feature: Preferences.Feature, _ permission: Preferences.Permission) {
        self.feature = feature
        self.permission = permission
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Preferences.Feature.allCases.map { feature in
            Form(
                feature == .timedMessages ? "/set disappear" : "/set \(feature.commandWord)",
                .fixed(feature, \.feature), .word(\.permission), make: Self.init)
        })

    public func effect(of response: ProfileUpdate) -> SessionEffect? { response.effect }

    public func perform(on core: isolated LocalCore) async throws -> ProfileUpdate {
        let former = try core.lookup.activeProfile()
        var presented = former.profile
        var preferences = presented.preferences?.object ?? [:]
        preferences[feature.rawValue] = Preferences.preference(permission)
        presented.preferences = .object(preferences)
        return try await core.profiles.update(former, presented)
    }
}
