/// How far the first steps with a store have come.
extension Profiles {
    /// How far the first steps have come. A store of a former version, or one that nobody was led through, says it by what
    /// is in it.
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

    /// What is set when somebody is led through the steps, or will be at the next start of a session.
    private static let begun = "onboarding-begun"

    /// Says that the first steps have come to a stage, as far as what is before it is done. They never go back.
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

    /// What is done, whoever did it.
    private func reachedStage() throws -> OnboardingStage {
        let profiles = try store.profiles()
        guard !profiles.isEmpty else { return .profile }
        return try profiles.contains { try !servers.choice(for: $0.id).servers.isEmpty } ? .notifications : .operators
    }

    private func setStage(_ stage: OnboardingStage) throws {
        try store.setSessionValue("onboarding", stage.rawValue)
    }
}
