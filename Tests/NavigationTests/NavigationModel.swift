import Navigation

/// The path as a plain list, with its rules written down as what may be true afterwards, the slow way.
struct NavigationModel {
    private(set) var screens: [AnyScreen] = [AnyScreen(HubScreen())]

    private var bottom: Int { screens.count > 1 && screens[1].isA(HomeScreen.self) ? 2 : 1 }

    mutating func push(_ screen: any Screen) {
        switch screen {
        case is HubScreen: screens = [AnyScreen(screen)]
        case is HomeScreen: screens = [AnyScreen(HubScreen()), AnyScreen(screen)]
        default: screens += [AnyScreen(screen)]
        }
        settle()
    }

    mutating func pop() {
        if screens.count != 1 { screens = Array(screens.prefix(screens.count - 1)) }
    }

    mutating func keep(_ count: Int) {
        screens = Array(screens.prefix(count))
    }

    mutating func popTo(_ screen: any Screen) {
        while screens.contains(AnyScreen(screen)), screens.last != AnyScreen(screen) { pop() }
    }

    mutating func openOnce(_ screen: any Screen) {
        if screens.contains(AnyScreen(screen)) { popTo(screen) } else { push(screen) }
    }

    mutating func replaceLast(with screen: any Screen) {
        if screens.count > bottom, !(screen is HubScreen), !(screen is HomeScreen) { pop() }
        push(screen)
    }

    mutating func insert(_ screen: any Screen, at index: Int) {
        guard index >= bottom, index <= screens.count, !(screen is HubScreen), !(screen is HomeScreen) else { return }
        screens = Array(screens.prefix(index)) + [AnyScreen(screen)] + Array(screens.dropFirst(index))
        settle()
    }

    mutating func remove(_ screen: any Screen) {
        screens = screens.enumerated().filter { $0 < bottom || $1 != AnyScreen(screen) }.map(\.element)
        settle()
    }

    /// One of equal neighbours is enough, and too many screens lose the oldest.
    private mutating func settle() {
        screens = screens.enumerated().filter { $0 == 0 || screens[$0 - 1] != $1 }.map(\.element)
        while screens.count > NavigationPath.maximumCount { screens.remove(at: bottom) }
    }
}
