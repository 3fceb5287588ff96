/// The path and the sheets over it.
public struct NavigationState: Hashable, Sendable {
    /// The path.
    public private(set) var path: NavigationPath
    /// The sheets, the topmost last.
    public private(set) var sheets: [Sheet] = []

    /// Creates a navigation state from its parts.
    public init(path: NavigationPath = NavigationPath()) {
        self.path = path
    }

    /// The open profile.
    public var profile: Int64? { path.home?.profile }

    /// Changes the path. Returns the action to store it if it changed.
    public mutating func change(_ body: (inout NavigationPath) -> Void) -> [NavigationAction] {
        let before = path
        body(&path)
        return path == before ? [] : [.store(path)]
    }

    // MARK: - Showing

    /// Navigates to a screen that was looked up. Switches the profile if needed, closes the sheets, and pushes the
    /// screen. A singleton, and a conversation that is the home of its profile, are gone back to. With `isAbove` the
    /// screen replaces the top, unless it is already below.
    ///
    /// - Throws: ``NavigationError`` for a missing or unsupported screen, without changes.
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

    /// Shows a sheet over all others. An existing one is moved to the top.
    public mutating func present(_ sheet: Sheet) {
        sheets.removeAll { $0 == sheet }
        // No sheet may cover the passcode prompt.
        let isLocked = sheets.last == .unlock
        sheets.insert(sheet, at: isLocked ? sheets.count - 1 : sheets.count)
    }

    /// Removes a sheet.
    public mutating func dismiss(_ sheet: Sheet) {
        sheets.removeAll { $0 == sheet }
    }

    /// Removes all sheets that the user may leave, which excludes the passcode prompt.
    public mutating func closeSheets() {
        sheets.removeAll { $0 != .unlock }
    }
}

extension NavigationPath {
    /// Completes ``NavigationState/show(_:isAbove:)`` in the right profile.
    fileprivate mutating func show(_ screen: AnyScreen, owner: HomeScreen?, isAbove: Bool) {
        if let owner, screen.isA(HomeScreen.self) { return push(owner) }
        if let chat = screen.value as? ChatScreen, owner?.chat == chat.chat { return popToFirstOpened() }
        if isAbove {
            if !popTo(screen.value) { replaceLast(with: screen.value) }
            return
        }
        if type(of: screen.value).isSingleton { openOnce(screen.value) } else { push(screen.value) }
    }
}

/// An action for the caller after a change, in this order.
public enum NavigationAction: Hashable, Sendable {
    /// Make this profile the active one.
    case switchProfile(Int64)
    /// Store the path for the next session.
    case store(NavigationPath)
}
