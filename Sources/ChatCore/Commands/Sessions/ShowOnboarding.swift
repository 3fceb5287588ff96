public import ByteCoding
public import JSONCoding

/// Shows the first onboarding step that is not done. (`/_onboarding`)
public struct ShowOnboarding: ChatCommand {
    public init() {}

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_onboarding", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> Onboarding {
        Onboarding(try core.profiles.onboardingStage())
    }
}

/// The state of onboarding.
public struct Onboarding: SimpleResponse {
    /// The first step that is not done.
    public let stage: OnboardingStage

    public static let type = "onboarding"

    init(_ stage: OnboardingStage) {
        self.stage = stage
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        stage = try fields.word("stage", OnboardingStage.init(rawValue:))
    }

    public var fields: JSONObject { ["stage": .string(stage.rawValue)] }
}
