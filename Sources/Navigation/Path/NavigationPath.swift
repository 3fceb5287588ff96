/// The screens from the hub to the visible one.
///
/// Invariants:
/// - The hub is at index 0 and nowhere else. A home is at index 1 or nowhere. Without a home no profile is open, and
///   the path should contain only screens of all profiles, which ``NavigationState/show(_:isAbove:)`` ensures.
/// - No two neighbours are equal: going back always changes the screen.
/// - There are at most ``maximumCount`` screens; the oldest above the home are dropped first.
///
/// Invalid operations leave the path unchanged.
public struct NavigationPath: Hashable, Sendable {
    /// The largest number of screens; the path is stored on every change.
    public static let maximumCount = 64

    /// The screens, the hub first.
    public private(set) var screens: [AnyScreen]

    private static let hub = AnyScreen(HubScreen())

    /// Creates a path with the hub alone.
    public init() {
        screens = [NavigationPath.hub]
    }

    /// Creates a path with the hub and the home of a profile.
    public init(home: HomeScreen) {
        screens = [NavigationPath.hub, AnyScreen(home)]
    }

    /// The number of screens.
    public var count: Int { screens.count }

    /// The visible screen.
    public var top: AnyScreen { screens.last ?? NavigationPath.hub }

    /// The home, if a profile is open.
    public var home: HomeScreen? {
        screens.dropFirst().first?.value as? HomeScreen
    }

    /// The number of fixed screens at the bottom: the hub and the home.
    private var fixedCount: Int { home == nil ? 1 : 2 }

    // MARK: - Queries

    /// Returns true if the path contains a screen.
    public func contains(_ screen: any Screen) -> Bool {
        index(of: screen) != nil
    }

    /// Returns the index of a screen, counted from the hub; the last one of several.
    public func index(of screen: any Screen) -> Int? {
        screens.lastIndex(of: AnyScreen(screen))
    }

    // MARK: - Forward

    /// Pushes a screen. The hub and a home are gone back to instead; another home replaces the current one and drops
    /// the screens above it. The visible screen is not pushed again.
    public mutating func push(_ screen: any Screen) {
        if screen is HubScreen { return popToRoot() }
        if let home = screen as? HomeScreen {
            if self.home != home { self = NavigationPath(home: home) }
            return popToFirstOpened()
        }
        let screen = AnyScreen(screen)
        if top != screen { screens.append(screen) }
        shorten()
    }

    /// Goes back to a screen in the path, or pushes it.
    public mutating func openOnce(_ screen: any Screen) {
        if !popTo(screen) { push(screen) }
    }

    /// Replaces the top by a screen. The hub and a home keep their places and get the screen on top, except that a home
    /// replaces a home.
    public mutating func replaceLast(with screen: any Screen) {
        let isPlaced = screen is HubScreen || screen is HomeScreen
        if count > fixedCount, !isPlaced { screens.removeLast() }
        push(screen)
    }

    // MARK: - Back

    /// Removes the top and returns it. The root stays.
    @discardableResult
    public mutating func pop() -> AnyScreen? {
        count > 1 ? screens.removeLast() : nil
    }

    /// Goes back to the hub.
    public mutating func popToRoot() {
        keep(1)
    }

    /// Goes back to the first screen above the hub, usually the home. Has no effect on the hub.
    public mutating func popToFirstOpened() {
        keep(2)
    }

    /// Goes back to a screen, the last one of several. Returns true if the path contains it.
    @discardableResult
    public mutating func popTo(_ screen: any Screen) -> Bool {
        guard let index = index(of: screen) else { return false }
        keep(index + 1)
        return true
    }

    // MARK: - Inserting and removing

    /// Inserts a screen below others, at an index above the hub and the home, up to the count. Returns false, without
    /// effect, for other indices, for the hub and homes, and next to an equal screen.
    @discardableResult
    public mutating func insert(_ screen: any Screen, at index: Int) -> Bool {
        guard index >= fixedCount, index <= count, !(screen is HubScreen), !(screen is HomeScreen) else { return false }
        let screen = AnyScreen(screen)
        let neighbours = screens[max(index - 1, 0)..<min(index + 1, count)]
        guard !neighbours.contains(screen) else { return false }
        screens.insert(screen, at: index)
        shorten()
        return true
    }

    /// Removes a screen everywhere except the hub and the home. Returns the number of removed screens.
    @discardableResult
    public mutating func remove(_ screen: any Screen) -> Int {
        removeAll { $0 == AnyScreen(screen) }
    }

    /// Removes all screens above the hub and the home that satisfy a condition, and returns their number.
    @discardableResult
    public mutating func removeAll(where condition: (AnyScreen) -> Bool) -> Int {
        let before = count
        let kept = screens.dropFirst(fixedCount).filter { !condition($0) }
        let removed = before - fixedCount - kept.count
        keep(fixedCount)
        // Neighbours that have become equal are joined.
        for screen in kept where top != screen { screens.append(screen) }
        return removed
    }

    // MARK: - The home

    /// Updates the home after its kind changed, also in another process, without moving the user. A user in the only
    /// conversation of a one-to-one profile stays in it when the home becomes a list, and vice versa. A home of another
    /// profile is not changed.
    public mutating func correctHome(_ home: HomeScreen) {
        guard let old = self.home, old.profile == home.profile, old != home else { return }
        screens[1] = AnyScreen(home)
        if let chat = old.chat { insert(ChatScreen(chat), at: 2) }
        if let chat = home.chat, count > 2, screens[2] == AnyScreen(ChatScreen(chat)) {
            screens.remove(at: 2)
        }
    }

    // MARK: - Length

    private mutating func keep(_ number: Int) {
        if count > number { screens.removeLast(count - number) }
    }

    private mutating func shorten() {
        let surplus = count - NavigationPath.maximumCount
        if surplus > 0 { screens.removeSubrange(fixedCount..<fixedCount + surplus) }
    }
}
