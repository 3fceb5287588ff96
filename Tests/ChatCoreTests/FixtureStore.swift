import ByteCoding
import ChatCore
import Store
import SystemIO
import TestSupport

/// A store as an older version left it, made of the dumps in `Tests/Fixtures/Stores`: alice has talked with bob, two answers
/// are unread, one message is in the outbox, and carol asks at her address (from chat schema 3 on).
struct FixtureStore {
    /// The newest schemas of which there are dumps.
    static let newest = (chat: 28, agent: 12)

    let temporary: TemporaryFolder
    let folder: StoreFolder

    /// - Parameter kind: What the names of the dumps begin with, if they are of another store.
    init(chat: Int, agent: Int, kind: String = "") throws {
        temporary = try TemporaryFolder()
        folder = StoreFolder(temporary.path)
        try FixtureStore.restore("\(kind)chat-\(chat)", to: temporary.path + "/simplex_v1_chat.db")
        try FixtureStore.restore("\(kind)agent-\(agent)", to: temporary.path + "/simplex_v1_agent.db")
    }

    private static func restore(_ name: String, to path: String) throws {
        let dump = try Files.read(VectorFile.repositoryPath("Tests/Fixtures/Stores/\(name).sql"), limit: 1 << 20)
        // The tables of a dump are in the order of their names.
        try Database(path, .create).execute(script: "PRAGMA foreign_keys=OFF;" + String(decoding: dump, as: UTF8.self))
    }

    /// The numbers of the steps that the databases have.
    func schemas() throws -> (chat: [Int], agent: [Int]) {
        (try steps("simplex_v1_chat.db"), try steps("simplex_v1_agent.db"))
    }

    private func steps(_ name: String) throws -> [Int] {
        try Database("\(temporary.path)/\(name)", .readOnly).takenSteps().map(\.number)
    }

    /// What alice finds in the store.
    func texts() throws -> [String] {
        let store = TestStore(try EventLoop(), folder)
        try store.open(.writing)
        defer { store.close() }
        return try store.items("bob").map(\.content.plainText)
    }
}
