import Navigation
import Testing

@Suite struct NavigationPathTests {
    private let home = HomeScreen(profile: 1, kind: .chats)
    private let ann = ChatScreen(contact: 4)
    private let bob = ChatScreen(contact: 5)
    private let info = ContactScreen(contact: 4)
    private let settings = SettingsScreen()

    /// A path with these screens on a home.
    private func path(_ screens: any Screen...) -> NavigationPath {
        var path = NavigationPath(home: home)
        for screen in screens { path.push(screen) }
        return path
    }

    // MARK: - Going on

    @Test func pathsBeginWithTheHub() {
        #expect(NavigationPath().screens == [AnyScreen(HubScreen())])
        #expect(NavigationPath().home == nil)
        #expect(path().screens == [AnyScreen(HubScreen()), AnyScreen(home)])
        #expect(path(ann).top == AnyScreen(ann))
        #expect(path(ann).home == home)
    }

    @Test func theTopIsNotPushedTwice() {
        #expect(path(ann, ann) == path(ann))
        #expect(path(ann, bob, ann).count == 5)
    }

    @Test func hubAndHomeHaveOnePlace() {
        #expect(path(ann, HubScreen()) == NavigationPath())
        #expect(path(ann, home) == path())
        let other = HomeScreen(profile: 2, kind: .chats)
        #expect(path(ann, bob, other) == NavigationPath(home: other))
        var bare = NavigationPath()
        bare.push(settings)
        bare.push(home)
        #expect(bare == path())
    }

    @Test func theOldestGoFirst() {
        var long = path()
        for contact in 1...200 { long.push(ChatScreen(contact: Int64(contact))) }
        #expect(long.count == NavigationPath.maximumCount)
        #expect(long.home == home)
        #expect(long.top == AnyScreen(ChatScreen(contact: 200)))
        #expect(long.screens[2] == AnyScreen(ChatScreen(contact: 139)))
        #expect(long.insert(settings, at: 2) == true)
        #expect(long.count == NavigationPath.maximumCount)
    }

    @Test func singletonsAreOpenedOnce() {
        var once = path(settings, ann, info)
        once.openOnce(settings)
        #expect(once == path(settings))
        once.openOnce(bob)
        #expect(once == path(settings, bob))
        once.openOnce(HubScreen())
        #expect(once == NavigationPath())
    }

    @Test func replacing_changes_the_top_only() {
        var replaced = path(ann, info)
        replaced.replaceLast(with: settings)
        #expect(replaced == path(ann, settings))
        replaced.replaceLast(with: ann)
        #expect(replaced == path(ann), "no two neighbours are equal")
    }

    @Test func hubAndHomeAreNotReplacedByOthers() {
        var bare = NavigationPath()
        bare.replaceLast(with: settings)
        #expect(bare.screens == [AnyScreen(HubScreen()), AnyScreen(settings)])
        bare.replaceLast(with: SettingsScreen(.privacy))
        #expect(bare.screens == [AnyScreen(HubScreen()), AnyScreen(SettingsScreen(.privacy))])
        var replaced = path()
        replaced.replaceLast(with: ann)
        #expect(replaced == path(ann))
        replaced.replaceLast(with: home)
        #expect(replaced == path())
        replaced.replaceLast(with: HomeScreen(profile: 2, kind: .chats))
        #expect(replaced == NavigationPath(home: HomeScreen(profile: 2, kind: .chats)))
    }

    // MARK: - Going back

    @Test func theRootIsNeverPopped() {
        var back = path(ann)
        #expect(back.pop() == AnyScreen(ann))
        #expect(back.pop() == AnyScreen(home))
        #expect(back.pop() == nil)
        #expect(back == NavigationPath())
    }

    @Test func poppingTo() {
        var back = path(ann, bob, ann, info)
        #expect(back.popTo(settings) == false)
        #expect(back.count == 6)
        #expect(back.popTo(ann) == true)
        #expect(back == path(ann, bob, ann), "the last of several")
        back.popToFirstOpened()
        #expect(back == path())
        back.popToFirstOpened()
        #expect(back == path())
        back.popToRoot()
        #expect(back == NavigationPath())
        back.popToFirstOpened()
        #expect(back == NavigationPath())
    }

    // MARK: - Looking and changing below

    @Test func placesAreCountedFromTheHub() {
        let path = path(ann, bob, ann)
        #expect(path.contains(bob))
        #expect(!path.contains(info))
        #expect(path.index(of: HubScreen()) == 0)
        #expect(path.index(of: home) == 1)
        #expect(path.index(of: ann) == 4)
        #expect(path.index(of: info) == nil)
        #expect(path.index(of: ContactScreen(contact: 4)) == nil, "the same number in another type")
    }

    @Test func insertionKeepsTheBottom() {
        var path = path(ann, info)
        for index in [-1, 0, 1, 5, Int.max, Int.min] { #expect(path.insert(settings, at: index) == false) }
        #expect(path.insert(ann, at: 2) == false)
        #expect(path.insert(ann, at: 3) == false)
        #expect(path.insert(HubScreen(), at: 2) == false)
        #expect(path.insert(home, at: 2) == false)
        #expect(path == self.path(ann, info))
        #expect(path.insert(settings, at: 2) == true)
        #expect(path.insert(bob, at: 5) == true)
        #expect(path == self.path(settings, ann, info, bob))
    }

    @Test func removalKeepsTheBottom() {
        var path = path(ann, info, ann, bob)
        #expect(path.remove(home) == 0)
        #expect(path.remove(HubScreen()) == 0)
        #expect(path.remove(settings) == 0)
        #expect(path.remove(info) == 1)
        #expect(path == self.path(ann, bob), "neighbours that became equal are one")
        path.push(ann)
        #expect(path.remove(ann) == 2)
        #expect(path == self.path(bob))
    }

    // MARK: - The home

    @Test func changed_home_keeps_the_visible_screen() {
        let conversation = HomeScreen(profile: 1, kind: .conversation(4))
        for screens: [any Screen] in [[], [info], [info, settings], [bob], [info, ann]] {
            var list = path(ann)
            screens.forEach { list.push($0) }
            var single = NavigationPath(home: conversation)
            screens.forEach { single.push($0) }

            var changed = list
            changed.correctHome(conversation)
            #expect(changed == single)
            changed.correctHome(home)
            #expect(changed == list)
        }
        var atHome = path()
        atHome.correctHome(conversation)
        #expect(atHome == NavigationPath(home: conversation))
    }

    @Test func homesOfOthersAreNotTouched() {
        var path = path(ann)
        path.correctHome(HomeScreen(profile: 2, kind: .conversation(4)))
        #expect(path == self.path(ann))
        var bare = NavigationPath()
        bare.correctHome(home)
        #expect(bare == NavigationPath())
    }
}
