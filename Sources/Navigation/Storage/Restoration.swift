/// The place of the last session, as far as it is still there.
///
/// Screens below the top that are gone are left out silently: the user did not see them. If the top is gone, its nearest
/// living parent is shown, and ``loss`` says why.
public struct Restoration: Hashable, Sendable {
    /// Why the last place is not the one that was stored.
    public enum Loss: Hashable, Sendable {
        /// What the screen showed is not in the store any more.
        case gone(Subject.Kind)
        /// It cannot be shown here.
        case unsupported
        /// It is of a type that is not known here: a later version stored it.
        case unknown
    }

    public let path: NavigationPath
    /// What one line should say; nil if the place is the one that was stored.
    public let loss: Loss?
    /// How far the top was scrolled, if it is the one that was stored.
    public let position: Int64?

    /// Asks about every screen that was stored.
    public init(_ place: LastPlace, in directory: some Directory) async {
        var path = NavigationPath()
        var loss: Loss?
        for screen in place.screens {
            guard let screen else {
                loss = .unknown
                continue
            }
            let finding = await Finding(about: screen.value, in: directory)
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

    /// Why a screen cannot be on a path; nil if it can.
    private static func loss(_ finding: Finding, in path: NavigationPath) -> Loss? {
        switch finding.outcome {
        case .gone(let subject): .gone(subject.kind)
        case .unsupported: .unsupported
        // What moved to another profile is not in this one any more.
        case .found(let owner?) where owner.profile != path.home?.profile:
            .gone(.profile)
        case .found: nil
        }
    }

    /// Puts the home on a path that has none, corrected as if its kind had changed while it was open.
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
        let isHome = (finding.screen.value as? ChatScreen).map { $0.contact == path.home?.contact } ?? false
        if !(isHome && path.count == 2) { path.push(finding.screen.value) }
    }

    /// Goes to the nearest parent that lives, in the sense of addresses.
    private static func goToParent(
        of screen: AnyScreen, in path: inout NavigationPath, directory: some Directory
    ) async {
        var parent = screen.value.parent
        while let living = parent {
            let finding = await Finding(about: living, in: directory)
            if loss(finding, in: path) == nil {
                if !path.popTo(living) { put(finding, on: &path) }
                return
            }
            parent = living.parent
        }
        path.popToFirstOpened()
    }
}
