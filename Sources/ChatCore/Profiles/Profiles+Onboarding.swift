/// Onboarding: the first steps with a store.
extension Profiles {
    /// The stage that the first steps have reached. Where none is stored, as in stores of former versions, it follows from the
    /// content of the store.
    func onboardingStage() throws -> OnboardingStage {
        if let word = try store.sessionValue("onboarding"), let stage = OnboardingStage(rawValue: word) { return stage }
        let reached = try reachedStage()
        return reached == .notifications ? .complete : reached
    }

    /// Returns how far the first steps have come if they ever began.
    func begunOnboardingStage() throws -> OnboardingStage? {
        guard try store.sessionValue("onboarding") != nil else { return nil }
        let stage = try onboardingStage()
        let hasBegun = try stage != .complete || store.sessionValue(Profiles.begun) != nil
        return hasBegun ? stage : nil
    }

    /// The session value that is set when a session shows the steps, or will at its next start.
    private static let begun = "onboarding-begun"

    /// Advances the first steps to a stage, if the stages before it are done. They never go back.
    func advanceOnboarding(to stage: OnboardingStage) throws -> OnboardingStage {
        try store.transaction {
            let reached = try reachedStage()
            let isKnown = try store.sessionValue("onboarding") != nil
            let goal = reached < .notifications ? min(stage, reached) : stage
            // The first word may be the welcome, although all of it could be done by a script.
            try setStage(isKnown ? max(goal, onboardingStage()) : goal)
            if try onboardingStage() != .complete { try store.setSessionValue(Profiles.begun, "yes") }
        }
        return try onboardingStage()
    }

    /// Notes what a command has done for the first steps. Must be called within its transaction.
    func noteOnboarding() throws {
        guard try onboardingStage() < .notifications else { return }
        try setStage(max(try reachedStage(), onboardingStage()))
    }

    /// Notes that the last of the first steps is done. Must be called within the transaction of what has done it.
    func noteDecision() throws {
        if try onboardingStage() == .notifications { try setStage(.complete) }
    }

    /// The stage that the content of the store has reached.
    private func reachedStage() throws -> OnboardingStage {
        let profiles = try store.profiles()
        guard !profiles.isEmpty else { return .profile }
        return try profiles.contains { try !servers.choice(for: $0.id).servers.isEmpty } ? .notifications : .operators
    }

    private func setStage(_ stage: OnboardingStage) throws {
        try store.setSessionValue("onboarding", stage.rawValue)
    }
}
