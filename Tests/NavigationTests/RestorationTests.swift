import Navigation
import TestSupport
import Testing

@Suite struct RestorationTests {
    private let directory = SampleDirectory()
    private static let home = HomeScreen(profile: 1, kind: .chats)

    private func path(_ screens: any Screen..., home: HomeScreen = Self.home) -> NavigationPath {
        var path = NavigationPath(home: home)
        for screen in screens { path.push(screen) }
        return path
    }

    private func restore(_ path: NavigationPath, position: Int64? = 5) async -> Restoration {
        await Restoration(LastPlace(path, position: position), in: directory)
    }

    @Test func existing_screens_are_restored() async {
        for stored in [
            NavigationPath(), path(), path(ChatScreen(contact: 1), ContactScreen(contact: 1)),
            path(SettingsScreen(.privacy)), path(ChatScreen(contact: -1), home: HomeScreen(profile: 2, kind: .chats)),
        ] {
            let restored = await restore(stored)
            #expect(restored.path == stored)
            #expect(restored.loss == nil)
            #expect(restored.position == 5)
        }
    }

    @Test func missing_top_is_replaced_by_nearest_parent() async {
        directory.remove(.message(100))
        let stored = path(SettingsScreen(), MessageScreen(contact: 1, message: 100))
        var restored = await restore(stored)
        #expect(restored.path == path(SettingsScreen(), ChatScreen(contact: 1)))
        #expect(restored.loss == .gone(.message))
        #expect(restored.position == nil)

        directory.remove(.contact(1))
        restored = await restore(stored)
        #expect(restored.path == path())
        #expect(restored.loss == .gone(.contact))
        restored = await restore(path(ChatScreen(contact: 2), VerificationScreen(contact: 1)))
        #expect(restored.path == path())
    }

    @Test func notes_that_were_stored_as_a_contact_are_found() async throws {
        directory.add(ChatSubject.notes(77).subject, to: 1)
        directory.add(.message(500), to: 1)
        let old = """
            {"v":1,"screens":[{"screen":"home","profile":1},{"screen":"chat","contact":77},
            {"screen":"contact","contact":77},{"screen":"message","contact":77,"message":500}],"position":5}
            """
        var restored = await Restoration(try LastPlace(decoding: old), in: directory)
        let notes = path(ChatScreen(.notes(77)), ContactScreen(.notes(77)), MessageScreen(.notes(77), message: 500))
        #expect(restored.path == notes && restored.loss == nil && restored.position == 5)
        #expect(await restore(notes).path == notes)
        directory.remove(.message(500))
        restored = await restore(path(MessageScreen(contact: 77, message: 500)))
        #expect(restored.path == path(ChatScreen(.notes(77))) && restored.loss == .gone(.message))
        // What is a contact stays one.
        directory.add(ChatSubject.notes(1).subject, to: 1)
        #expect(await restore(path(ChatScreen(contact: 1))).path == path(ChatScreen(contact: 1)))
    }

    @Test func missing_screens_below_are_skipped() async {
        directory.remove(.contact(1))
        let restored = await restore(path(ChatScreen(contact: 1), ContactScreen(contact: 1), ChatScreen(contact: 2)))
        #expect(restored.path == path(ChatScreen(contact: 2)))
        #expect(restored.loss == nil)
    }

    @Test func aProfileThatIsGoneLeavesTheHub() async {
        directory.remove(.profile(2))
        directory.remove(.contact(-1))
        let restored = await restore(path(ChatScreen(contact: -1), home: HomeScreen(profile: 2, kind: .chats)))
        #expect(restored.path == NavigationPath())
        #expect(restored.loss == .gone(.contact))
        let home = await restore(NavigationPath(home: HomeScreen(profile: 2, kind: .chats)))
        #expect(home.path == NavigationPath())
        #expect(home.loss == .gone(.profile))
    }

    @Test func unsupported_screen_falls_back_to_parent() async {
        directory.refuse(ContactScreen(contact: 1))
        let restored = await restore(path(ContactScreen(contact: 1)))
        #expect(restored.path == path(ChatScreen(contact: 1)))
        #expect(restored.loss == .unsupported)
    }

    @Test func unknown_top_falls_back_to_screen_below() async throws {
        let place = try LastPlace(
            decoding: """
                {"v":9,"screens":[{"screen":"home","profile":1},{"screen":"chat","contact":2},{"screen":"group"}]}
                """)
        let restored = await Restoration(place, in: directory)
        #expect(restored.path == path(ChatScreen(contact: 2)))
        #expect(restored.loss == .unknown)
    }

    @Test func theHomeHasTheKindThatItHasNow() async {
        let single = HomeScreen(profile: 1, kind: .conversation(4))
        // From a conversation to a list the user stays in the conversation.
        var restored = await restore(path(home: single))
        #expect(restored.path == path(ChatScreen(contact: 4)))
        #expect(restored.loss == nil)
        restored = await restore(path(ContactScreen(contact: 4), home: single))
        #expect(restored.path == path(ChatScreen(contact: 4), ContactScreen(contact: 4)))
        // And back.
        directory.setHome(of: 1, .conversation(4))
        restored = await restore(path(ChatScreen(contact: 4), ContactScreen(contact: 4)))
        #expect(restored.path == path(ContactScreen(contact: 4), home: single))
        restored = await restore(path())
        #expect(restored.path == path(home: single))
        // The only conversation is gone.
        directory.setHome(of: 1, .chats)
        directory.remove(.contact(4))
        restored = await restore(path(home: single))
        #expect(restored.path == path())
        #expect(restored.loss == .gone(.contact))
    }

    /// Whatever is gone: the path keeps its rules, everything on it lives, and a second restoration changes nothing.
    @Test(arguments: 1...60 as ClosedRange<UInt64>) func restoredPathsLive(seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        var stored = path()
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let contact = Int64.random(in: 1...9, using: &random)
            let screens: [any Screen] = [
                ChatScreen(contact: contact), ContactScreen(contact: contact), SettingsScreen(.privacy),
                MessageScreen(contact: contact, message: contact * 100), VerificationScreen(contact: contact),
            ]
            stored.push(screens[Int.random(in: 0..<screens.count, using: &random)])
        }
        for contact in 1...9 as ClosedRange<Int64> where Bool.random(using: &random) {
            directory.remove(Bool.random(using: &random) ? .contact(contact) : .message(contact * 100))
        }
        let restored = await restore(stored)
        for screen in restored.path.screens {
            let finding = await Finding(about: screen.value, in: directory)
            if case .found = finding.outcome { continue }
            Issue.record("seed \(seed): a screen is gone")
        }
        #expect((restored.loss == nil) == (restored.path.top == stored.top), "seed \(seed)")
        let again = await restore(restored.path)
        #expect(again.path == restored.path)
        #expect(again.loss == nil)
    }
}
