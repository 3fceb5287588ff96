import ChatProtocol

/// Changes the name of the active profile and the text about its owner. (`/profile NAME [TEXT]`, `/p NAME [TEXT]`)
public struct DescribeProfile: ChatCommand {
    public var name: String
    public var about: String?

    public init(name: String, about: String?) {
        self.name = name
        self.about = about
    }

    public static let access = Access.write
    public static let syntax = Syntax(form("/profile"), form("/p"))

    private static func form(_ words: String) -> Form<Self> {
        let name: Argument<Self, String> = .name(\.name),
            about: Argument<Self, String?> = .optionalWords("text", \.about)
        return Form(words, name, about, make: { Self(name: $0, about: $1) })
    }

    public func effect(of response: ProfileUpdate) -> SessionEffect? { response.effect }

    public func perform(on core: isolated LocalCore) async throws -> ProfileUpdate {
        let former = try core.lookup.activeProfile()
        var presented = former.profile
        (presented.displayName, presented.fullName, presented.shortDescription) = (name, "", about)
        return try await core.profiles.update(former, presented)
    }
}
