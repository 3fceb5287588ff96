/// The restored path of the last session.
///
/// Missing screens below the top are left out silently, because the user did not see them. If the top is missing, its
/// nearest existing parent is shown, and ``loss`` has the reason.
public struct Restoration: Hashable, Sendable {
    /// The reason why the path differs from the stored one.
    public enum Loss: Hashable, Sendable {
        /// The object of the screen was deleted.
        case gone(Subject.Kind)
        /// The object cannot be shown here.
        case unsupported
        /// The type of the screen is unknown: a later version stored it.
        case unknown
    }

    /// The path.
    public let path: NavigationPath
    /// The reason to show in one line; nil if the path is the stored one.
    public let loss: Loss?
    /// The scroll position of the top, if it is the stored one.
    public let position: Int64?

    /// Looks up all stored screens.
    public init(_ place: LastPlace, in directory: some Directory) async {
        var path = NavigationPath()
        var loss: Loss?
        for screen in place.screens {
            guard let screen else {
                loss = .unknown
                continue
            }
            let finding = await Restoration.find(screen, in: directory)
            if let home = screen.value as? HomeScreen, path.home == nil {
                loss = await Restoration.putHome(home, finding, on: &path, directory: directory)
                continue
            }
            loss = Restoration.loss(finding, in: path)
            if loss == nil { Restoration.put(finding, on: &path) }
        }
        if loss != nil, loss != .unknown, let last = place.screens.last ?? nil, !last.isA(HomeScreen.self) {
            await Restoration.goToParent(of: last, in: &path, directory: directory)
        }
        self.path = path
        self.loss = loss
        position = loss == nil ? place.position : nil
    }

    /// Looks up a stored screen. Earlier versions stored notes with their number as that of a contact.
    private static func find(_ screen: AnyScreen, in directory: some Directory) async -> Finding {
        let finding = await Finding(about: screen.value, in: directory)
        guard let stored = screen.value as? any ChatBound, finding.outcome == .gone(stored.chat.subject),
            let notes = stored.chat.asNotes, await directory.profile(of: notes.subject) != nil
        else { return finding }
        return await Finding(about: stored.of(notes), in: directory)
    }

    /// Returns the reason why a screen cannot be in a path, or nil.
    private static func loss(_ finding: Finding, in path: NavigationPath) -> Loss? {
        switch finding.outcome {
        case .gone(let subject): .gone(subject.kind)
        case .unsupported: .unsupported
        // An object that moved to another profile is missing in this one.
        case .found(let owner?) where owner.profile != path.home?.profile:
            .gone(.profile)
        case .found: nil
        }
    }

    /// Adds the home to a path without one, corrected as if its kind had changed while it was open.
    private static func putHome(
        _ home: HomeScreen, _ finding: Finding, on path: inout NavigationPath, directory: some Directory
    ) async -> Loss? {
        guard case .found(let living?) = finding.outcome else { return loss(finding, in: path) }
        if let contact = home.contact, await directory.profile(of: .contact(contact)) != home.profile {
            path.push(living)
            return living == home ? nil : .gone(.contact)
        }
        path.push(home)
        path.correctHome(living)
        return nil
    }

    private static func put(_ finding: Finding, on path: inout NavigationPath) {
        let isHome = (finding.screen.value as? ChatScreen).map { $0.chat == path.home?.chat } ?? false
        if !(isHome && path.count == 2) { path.push(finding.screen.value) }
    }

    /// Goes to the nearest existing parent, in the sense of addresses.
    private static func goToParent(
        of screen: AnyScreen, in path: inout NavigationPath, directory: some Directory
    ) async {
        var parent = screen.value.parent
        while let living = parent {
            let finding = await find(AnyScreen(living), in: directory)
            if loss(finding, in: path) == nil {
                if !path.popTo(finding.screen.value) { put(finding, on: &path) }
                return
            }
            parent = living.parent
        }
        path.popToFirstOpened()
    }
}
