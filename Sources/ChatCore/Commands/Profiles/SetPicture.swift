import ChatProtocol

/// Sets the picture of the active profile, or removes it. (`/set profile image data:...`, `/delete profile image`)
public struct SetPicture: ChatCommand {
    /// A data URI; nil for none.
    public var image: String?

    public init(_ image: String?) {
        self.image = image
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/delete profile image", .absent(\.image), make: Self.init),
        Form("/set profile image", .optionalWords("image", \.image), make: Self.init))

    public func effect(of response: ProfileUpdate) -> SessionEffect? { response.effect }

    public func perform(on core: isolated LocalCore) async throws -> ProfileUpdate {
        let former = try core.lookup.activeProfile()
        var presented = former.profile
        presented.image = image
        return try await core.profiles.update(former, presented)
    }
}
