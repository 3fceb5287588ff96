/// How far the first steps with a store have come: the first of them that is not done.
public enum OnboardingStage: String, CaseIterable, Hashable, Comparable, Sendable {
    case welcome
    /// There is no profile.
    case profile
    /// There is no server: no conditions were accepted, and no own server was added.
    case operators
    /// It is not decided yet how messages are received.
    case notifications
    case complete

    public static func < (left: OnboardingStage, right: OnboardingStage) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
}
