/// The screens from the hub to the one that is shown.
///
/// Always true, whatever is done to it:
/// - The hub is at index 0 and nowhere else. A home is at index 1 or nowhere: then no profile is open, and there should
///   only be screens that belong to all, which ``NavigationState/show(_:isAbove:)`` sees to.
/// - No two neighbours are equal: going back always changes something.
/// - There are at most ``maximumCount`` screens: the oldest above the home go first.
///
/// Operations that cannot be done leave the path as it is.
public struct NavigationPath: Hashable, Sendable {
    /// More than anybody goes back; the path is stored on every change.
    public static let maximumCount = 64

    /// The screens, the hub first.
    public private(set) var screens: [AnyScreen]

    private static let hub = AnyScreen(HubScreen())

    /// The hub alone.
    public init() {
        screens = [NavigationPath.hub]
    }

    /// The hub and the home of a profile.
    public init(home: HomeScreen) {
        screens = [NavigationPath.hub, AnyScreen(home)]
    }

    public var count: Int { screens.count }

    /// The screen that is shown.
    public var top: AnyScreen { screens.last ?? NavigationPath.hub }

    /// The home, if a profile is open.
    public var home: HomeScreen? {
        screens.dropFirst().first?.value as? HomeScreen
    }

    /// How many screens at the bottom are no other's business: the hub, and the home.
    private var fixedCount: Int { home == nil ? 1 : 2 }

    // MARK: - Looking

    public func contains(_ screen: any Screen) -> Bool {
        index(of: screen) != nil
    }

    /// Where a screen is, counted from the hub; of several the last.
    public func index(of screen: any Screen) -> Int? {
        screens.lastIndex(of: AnyScreen(screen))
    }

    // MARK: - Going on

    /// Puts a screen on top. The hub and a home are gone back to instead, since they are in their places or nowhere: a
    /// home in place of another clears what was opened from that. The screen on top is not put there twice.
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

    /// Goes back to a screen if it is in the path, else puts it on top.
    public mutating func openOnce(_ screen: any Screen) {
        if !popTo(screen) { push(screen) }
    }

    /// Puts a screen in the place of the top. The hub and a home keep their places and get it on top, except that a home
    /// takes the place of a home.
    public mutating func replaceLast(with screen: any Screen) {
        let isPlaced = screen is HubScreen || screen is HomeScreen
        if count > fixedCount, !isPlaced { screens.removeLast() }
        push(screen)
    }

    // MARK: - Going back

    /// Takes the top away and returns it. The root stays.
    @discardableResult
    public mutating func pop() -> AnyScreen? {
        count > 1 ? screens.removeLast() : nil
    }

    /// Goes back to the hub.
    public mutating func popToRoot() {
        keep(1)
    }

    /// Goes back to what was opened first from the hub, in general the home. On the hub it stays there.
    public mutating func popToFirstOpened() {
        keep(2)
    }

    /// Goes back to a screen, of several to the last. Returns whether it is in the path.
    @discardableResult
    public mutating func popTo(_ screen: any Screen) -> Bool {
        guard let index = index(of: screen) else { return false }
        keep(index + 1)
        return true
    }

    // MARK: - Changing what is below

    /// Puts a screen below others, at an index above the hub and the home and up to the count. Returns false, and does
    /// nothing, for other indices, for the hub and homes, and beside a screen that is equal.
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

    /// Takes a screen out, wherever it is. Returns how often it was there. The hub and the home stay.
    @discardableResult
    public mutating func remove(_ screen: any Screen) -> Int {
        removeAll { $0 == AnyScreen(screen) }
    }

    /// Takes out all screens above the hub and the home that fulfil a condition, and returns how many they were.
    @discardableResult
    public mutating func removeAll(where condition: (AnyScreen) -> Bool) -> Int {
        let before = count
        let kept = screens.dropFirst(fixedCount).filter { !condition($0) }
        let removed = before - fixedCount - kept.count
        keep(fixedCount)
        // Neighbours that have become equal are one.
        for screen in kept where top != screen { screens.append(screen) }
        return removed
    }

    // MARK: - The home

    /// Makes the home right after its kind changed, also from another process, without moving the user: who reads the only
    /// conversation of a one-to-one profile goes on reading it when the home has become a list, and the other way round.
    /// A home of another profile is not changed.
    public mutating func correctHome(_ home: HomeScreen) {
        guard let old = self.home, old.profile == home.profile, old != home else { return }
        screens[1] = AnyScreen(home)
        if let contact = old.contact { insert(ChatScreen(contact: contact), at: 2) }
        if let contact = home.contact, count > 2, screens[2] == AnyScreen(ChatScreen(contact: contact)) {
            screens.remove(at: 2)
        }
    }

    // MARK: - Lengths

    private mutating func keep(_ number: Int) {
        if count > number { screens.removeLast(count - number) }
    }

    private mutating func shorten() {
        let surplus = count - NavigationPath.maximumCount
        if surplus > 0 { screens.removeSubrange(fixedCount..<fixedCount + surplus) }
    }
}
