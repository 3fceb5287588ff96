/// The path and the sheets over it.
public struct NavigationState: Hashable, Sendable {
    public private(set) var path: NavigationPath
    /// The sheets, the topmost last.
    public private(set) var sheets: [Sheet] = []

    public init(path: NavigationPath = NavigationPath()) {
        self.path = path
    }

    /// The profile that is open.
    public var profile: Int64? { path.home?.profile }

    /// Changes the path, and says to store it if that changed something.
    public mutating func change(_ body: (inout NavigationPath) -> Void) -> [NavigationAction] {
        let before = path
        body(&path)
        return path == before ? [] : [.store(path)]
    }

    // MARK: - Showing

    /// Goes to a screen that was asked about: switches the profile if it belongs to another one, closes the sheets, and
    /// puts it on top, or goes back to it if it is a singleton. A conversation that is the home of its profile is gone back
    /// to as well. One that ``ScreenAddress/isAbove`` takes the place of the top, if it is not below it already. Throws, and
    /// changes nothing, if the screen is gone or not supported.
    public mutating func show(
        _ finding: Finding, isAbove: Bool = false
    ) throws(NavigationError) -> [NavigationAction] {
        let screen = finding.screen
        let owner: HomeScreen?
        switch finding.outcome {
        case .found(let home): owner = home
        case .gone(let subject): throw .gone(subject.kind)
        case .unsupported: throw .unsupported(screen: screen.name)
        }
        closeSheets()
        let before = profile
        var actions = change { path in
            if let owner {
                if path.home?.profile == owner.profile { path.correctHome(owner) } else { path.push(owner) }
            }
            path.show(screen, owner: owner, isAbove: isAbove)
        }
        if let owner, owner.profile != before { actions.insert(.switchProfile(owner.profile), at: 0) }
        return actions
    }

    // MARK: - Sheets

    /// Lays a sheet over everything. One that is there already comes to the top.
    public mutating func present(_ sheet: Sheet) {
        sheets.removeAll { $0 == sheet }
        // Nothing may lie over the question for the passcode.
        let isLocked = sheets.last == .unlock
        sheets.insert(sheet, at: isLocked ? sheets.count - 1 : sheets.count)
    }

    /// Takes a sheet away, wherever it lies.
    public mutating func dismiss(_ sheet: Sheet) {
        sheets.removeAll { $0 == sheet }
    }

    /// Takes all sheets away that the user may leave: not the question for the passcode.
    public mutating func closeSheets() {
        sheets.removeAll { $0 != .unlock }
    }
}

extension NavigationPath {
    /// The end of ``NavigationState/show(_:isAbove:)``, when the right profile is open.
    fileprivate mutating func show(_ screen: AnyScreen, owner: HomeScreen?, isAbove: Bool) {
        if let owner, screen.isA(HomeScreen.self) { return push(owner) }
        if let chat = screen.value as? ChatScreen, owner?.contact == chat.contact { return popToFirstOpened() }
        if isAbove {
            if !popTo(screen.value) { replaceLast(with: screen.value) }
            return
        }
        if type(of: screen.value).isSingleton { openOnce(screen.value) } else { push(screen.value) }
    }
}

/// What the caller has to do after a change, in this order.
public enum NavigationAction: Hashable, Sendable {
    /// Make the profile with this number the active one.
    case switchProfile(Int64)
    /// Store the path, so that the next session finds it.
    case store(NavigationPath)
}
