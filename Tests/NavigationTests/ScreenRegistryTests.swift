import JSONCoding
import Navigation
import Testing

@Suite struct ScreenRegistryTests {
    @Test func renderersAreFoundByTheTypeOfTheScreen() throws {
        var registry = ScreenRegistry<String>()
        registry.register(ChatScreen.self) { "chat with \($0.chat.number)" }
        registry.register(SettingsScreen.self) { "settings \($0.section?.rawValue ?? "")" }
        #expect(try registry.renderer(for: AnyScreen(ChatScreen(contact: 7))) == "chat with 7")
        #expect(try registry.renderer(for: AnyScreen(SettingsScreen(.network))) == "settings net")
        registry.register(ChatScreen.self) { "\($0.chat.number)" }
        #expect(try registry.renderer(for: AnyScreen(ChatScreen(contact: 7))) == "7")
    }

    @Test func unregistered_types_are_errors() {
        var registry = ScreenRegistry<String>()
        registry.register(ChatScreen.self) { _ in "" }
        #expect(throws: NavigationError.unregistered(screen: "contact")) {
            try registry.renderer(for: AnyScreen(ContactScreen(contact: 7)))
        }
        #expect(registry.missing.contains("contact"))
        #expect(!registry.missing.contains("chat"))
        #expect(registry.missing.count == ScreenCatalogue.all.count - 1)
    }

    @Test func wordsForScreensAreUnique() {
        #expect(Set(ScreenCatalogue.all.map { $0.name }).count == ScreenCatalogue.all.count)
    }

    @Test func valuesOfTheSameTypeAndFieldsAreTheSameScreen() {
        #expect(AnyScreen(ChatScreen(contact: 1)) == AnyScreen(ChatScreen(contact: 1)))
        #expect(AnyScreen(ChatScreen(contact: 1)) != AnyScreen(ChatScreen(contact: 2)))
        #expect(AnyScreen(ChatScreen(contact: 1)) != AnyScreen(ContactScreen(contact: 1)))
        let screens: [any Screen] = [ChatScreen(contact: 1), ChatScreen(contact: 1), ContactScreen(contact: 1)]
        #expect(Set(screens.map { AnyScreen($0) }).count == 2)
    }
}
