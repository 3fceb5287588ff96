import Navigation
import TestSupport
import Testing

@Suite struct NavigationModelTests {
    private static func screen(_ random: SeededRandom) -> any Screen {
        var random = random
        let number = Int64.random(in: 1...6, using: &random)
        switch Int.random(in: 0..<24, using: &random) {
        case 0: return HubScreen()
        case 1: return HomeScreen(profile: number % 2 + 1, kind: number > 4 ? .conversation(number) : .chats)
        case 2...3: return SettingsScreen(SettingsScreen.Section.allCases.randomElement(using: &random))
        case 4...6: return ContactScreen(contact: number)
        case 7...8: return MessageScreen(contact: number, message: number)
        case 9: return RequestsScreen(profile: number % 2 + 1)
        default: return ChatScreen(contact: number)
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>) func random_operations_match_model(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var path = NavigationPath()
        var model = NavigationModel()
        // Some sequences mostly grow, so that the longest path is met too.
        let growth = seed % 4 == 0 ? 40 : 4
        for step in 0..<1_000 {
            let screen = Self.screen(random)
            switch Int.random(in: 0..<10 + growth, using: &random) {
            case 0:
                path.pop()
                model.pop()
            case 1:
                path.openOnce(screen)
                model.openOnce(screen)
            case 2:
                path.replaceLast(with: screen)
                model.replaceLast(with: screen)
            case 3:
                path.popTo(screen)
                model.popTo(screen)
            case 4:
                path.remove(screen)
                model.remove(screen)
            case 5 where step % 5 == 0:
                path.popToRoot()
                model.keep(1)
            case 6 where step % 5 == 0:
                path.popToFirstOpened()
                model.keep(2)
            case 7...9:
                let index = Int.random(in: -1...path.count + 1, using: &random)
                path.insert(screen, at: index)
                model.insert(screen, at: index)
            default:
                guard growth == 4 || !(screen is HubScreen || screen is HomeScreen) else { continue }
                path.push(screen)
                model.push(screen)
            }
            try #require(path.screens == model.screens, "seed \(seed), step \(step)")
            #expect(path.top == model.screens.last)
            #expect(path.contains(screen) == model.screens.contains(AnyScreen(screen)))
            #expect(path.index(of: screen) == model.screens.lastIndex(of: AnyScreen(screen)))
        }
    }
}
