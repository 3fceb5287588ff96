import Navigation
import Synchronization

/// A store to ask, which counts the questions.
final class SampleDirectory: Directory {
    private struct Content {
        var owners: [Subject: Int64] = [.profile(1): 1, .profile(2): 2]
        var unsupported: Set<AnyScreen> = []
        var kinds: [Int64: HomeScreen.Kind] = [:]
        var questions = 0
    }

    private let content = Mutex(Content())

    /// Two profiles: the first with contacts 1 to `contacts`, the second with contact -1, each with a message.
    init(contacts: Int64 = 9) {
        for contact in [-1] + Array(1...contacts) {
            content.withLock {
                $0.owners[.contact(contact)] = contact < 0 ? 2 : 1
                $0.owners[.message(contact * 100)] = contact < 0 ? 2 : 1
            }
        }
    }

    var questions: Int { content.withLock { $0.questions } }

    func remove(_ subject: Subject) {
        content.withLock { $0.owners[subject] = nil }
    }

    func add(_ subject: Subject, to profile: Int64) {
        content.withLock { $0.owners[subject] = profile }
    }

    func refuse(_ screen: any Screen) {
        content.withLock { _ = $0.unsupported.insert(AnyScreen(screen)) }
    }

    func setHome(of profile: Int64, _ kind: HomeScreen.Kind) {
        content.withLock { $0.kinds[profile] = kind }
    }

    func profile(of subject: Subject) async -> Int64? {
        content.withLock {
            $0.questions += 1
            return $0.owners[subject]
        }
    }

    func isSupported(_ screen: AnyScreen) async -> Bool {
        content.withLock {
            $0.questions += 1
            return !$0.unsupported.contains(screen)
        }
    }

    func homeKind(of profile: Int64) async -> HomeScreen.Kind {
        content.withLock {
            $0.questions += 1
            return $0.kinds[profile] ?? .chats
        }
    }
}
