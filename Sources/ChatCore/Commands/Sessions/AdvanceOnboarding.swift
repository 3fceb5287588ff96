/// Advances onboarding to a step, as far as the steps before it are done. (`/_onboarding complete`)
public struct AdvanceOnboarding: ChatCommand {
    public var stage: OnboardingStage

    public init(to stage: OnboardingStage) {
        self.stage = stage
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_onboarding", .word(\.stage), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> Onboarding {
        Onboarding(try core.profiles.advanceOnboarding(to: stage))
    }
}
