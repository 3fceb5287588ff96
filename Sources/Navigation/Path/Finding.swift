/// What a ``Directory`` says about a screen. It is asked first and shown then, so that nobody is half way while answers
/// are on their way.
public struct Finding: Hashable, Sendable {
    /// What became of the screen.
    public enum Outcome: Hashable, Sendable {
        /// It can be shown, and belongs to this profile. Nil: to all.
        case found(HomeScreen?)
        /// The first of its subjects that is not there.
        case gone(Subject)
        /// What it shows cannot be shown here.
        case unsupported
    }

    public let screen: AnyScreen
    public let outcome: Outcome

    public init(_ screen: any Screen, _ outcome: Outcome) {
        self.screen = AnyScreen(screen)
        self.outcome = outcome
    }

    /// Asks about everything that a screen shows. A subject of another profile than the first one's counts as gone: it
    /// would be shown in the wrong one.
    public init(about screen: any Screen, in directory: some Directory) async {
        var owner: Int64?
        for subject in screen.subjects {
            let profile = await directory.profile(of: subject)
            guard let profile, owner == nil || owner == profile else {
                self.init(screen, .gone(subject))
                return
            }
            owner = profile
        }
        guard await directory.isSupported(AnyScreen(screen)) else {
            self.init(screen, .unsupported)
            return
        }
        guard let owner else {
            self.init(screen, .found(nil))
            return
        }
        self.init(screen, .found(HomeScreen(profile: owner, kind: await directory.homeKind(of: owner))))
    }
}

/// What navigation asks about the store. Each question is about one thing, by its number: an answer must not take longer
/// when there are more of them.
public protocol Directory {
    /// The number of the profile that a thing belongs to, a profile to itself; nil if the thing is not there.
    func profile(of subject: Subject) async -> Int64?
    /// Whether what a screen shows can be shown here.
    func isSupported(_ screen: AnyScreen) async -> Bool
    /// What the home of a profile shows.
    func homeKind(of profile: Int64) async -> HomeScreen.Kind
}
