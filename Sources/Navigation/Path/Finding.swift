/// The result of looking up a screen in a ``Directory``. The look-up precedes the navigation, so that the path never
/// changes during a query.
public struct Finding: Hashable, Sendable {
    /// The result.
    public enum Outcome: Hashable, Sendable {
        /// The screen can be shown and belongs to this profile; nil for all profiles.
        case found(HomeScreen?)
        /// The first missing subject.
        case gone(Subject)
        /// The object cannot be shown here.
        case unsupported
    }

    /// The screen.
    public let screen: AnyScreen
    /// The result.
    public let outcome: Outcome

    /// Creates a finding from its parts.
    public init(_ screen: any Screen, _ outcome: Outcome) {
        self.screen = AnyScreen(screen)
        self.outcome = outcome
    }

    /// Looks up all subjects of a screen. A subject of another profile than the first one's counts as missing, because
    /// it would be shown in the wrong profile.
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

/// A directory of the objects in the store. Each query is for one object by number, and its time must not depend on the
/// number of objects.
public protocol Directory {
    /// Returns the profile of an object, or nil for a missing object. A profile belongs to itself.
    func profile(of subject: Subject) async -> Int64?
    /// Returns true if the object of a screen can be shown here.
    func isSupported(_ screen: AnyScreen) async -> Bool
    /// Returns the kind of a profile's home.
    func homeKind(of profile: Int64) async -> HomeScreen.Kind
}
