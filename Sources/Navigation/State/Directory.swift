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
