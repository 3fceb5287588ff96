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
