import ByteCoding
import ChatCore
import JSONCoding
import SystemIO
import TestSupport
import Testing

/// A store is replaced by another, and cut off between any two steps.
@Suite struct StoreReplacementTests {
    private static let parts = ["simplex_v1_chat.db", "simplex_v1_agent.db", "files"]
    private static let logs = ["simplex_v1_chat.db-wal", "simplex_v1_agent.db-shm", "simplex_v1_chat.db.bak"]
    private static let staging = ".staging-abc", backup = "backups/replaced-2026"

    /// A folder with an old store, a new one beside it, and the decision that the new one is the store.
    private struct House {
        let folder: TemporaryFolder
        let store: StoreFolder

        init(hasOldStore: Bool) throws {
            folder = try TemporaryFolder()
            store = StoreFolder(folder.path)
            if hasOldStore { try House.fill(folder.path, parts + logs, "old") }
            try Files.createFolder("\(folder.path)/\(staging)/store")
            try House.fill("\(folder.path)/\(staging)/store", parts, "new")
            try Files.create("\(folder.path)/\(staging)/lock", [])
            try Files.create("\(folder.path)/lock", [])
            let journal: JSONObject = ["staging": .string(staging), "backup": .string(backup)]
            try Files.create("\(folder.path)/replacement", journal.encoded)
        }

        private static func fill(_ folder: String, _ names: [String], _ text: String) throws {
            for name in names {
                if name == "files" {
                    try Files.createFolder("\(folder)/files")
                    try Files.create("\(folder)/files/\(text)", [])
                } else {
                    try Files.create("\(folder)/\(name)", Bytes(text.utf8))
                }
            }
        }

        /// What is at a place in the folder.
        func content(_ path: String) -> String? {
            let path = "\(folder.path)/\(path)"
            if Files.isFolder(path) { return try? Files.names(in: path).joined() }
            return (try? Files.read(path, limit: 100)).map { String(decoding: $0, as: UTF8.self) }
        }

        func move(_ path: String, _ other: String) throws {
            try Files.rename("\(folder.path)/\(path)", to: "\(folder.path)/\(other)")
        }
    }

    /// All steps in their order.
    private static let steps: [(from: String, to: String)] =
        parts.flatMap { [($0, "\(backup)/\($0)"), ("\(staging)/store/\($0)", $0)] }
        + logs.map { ($0, "\(backup)/\($0)") }

    @Test(arguments: 0...steps.count)
    func whatWasCutOffIsFinished(afterSteps count: Int) throws {
        let house = try House(hasOldStore: true)
        try Files.createFolder("\(house.folder.path)/\(StoreReplacementTests.backup)")
        for step in StoreReplacementTests.steps.prefix(count) { try house.move(step.from, step.to) }
        #expect(StoreReplacement.isPending(in: house.store))
        try StoreReplacement.finish(in: house.store)
        try expectNew(house)
        for name in StoreReplacementTests.parts + StoreReplacementTests.logs {
            #expect(house.content("\(StoreReplacementTests.backup)/\(name)") == "old")
        }
        // Once more does nothing.
        try StoreReplacement.finish(in: house.store)
        try expectNew(house)
    }

    @Test func withoutAnOldStoreThereIsNoBackup() throws {
        let house = try House(hasOldStore: false)
        try StoreReplacement.finish(in: house.store)
        try expectNew(house)
        #expect(house.content("backups") == nil)
    }

    /// Also when all was done but the last.
    @Test func theJournalAlone() throws {
        let house = try House(hasOldStore: false)
        for part in StoreReplacementTests.parts {
            try house.move("\(StoreReplacementTests.staging)/store/\(part)", part)
        }
        try Files.removeTree("\(house.folder.path)/\(StoreReplacementTests.staging)")
        try StoreReplacement.finish(in: house.store)
        try expectNew(house)
    }

    @Test(arguments: ["/etc", "..", "a/../../b", "", "./a"])
    func aJournalThatLeadsAwayIsRefused(place: String) throws {
        let house = try House(hasOldStore: true)
        let path = "\(house.folder.path)/replacement"
        for journal: JSONObject in [
            ["staging": .string(place), "backup": "b"], ["staging": "a", "backup": .string(place)], [:],
        ] {
            try Files.replace(path, journal.encoded)
            #expect(throws: SystemError.self) { try StoreReplacement.finish(in: house.store) }
            #expect(house.content("simplex_v1_chat.db") == "old")
        }
    }

    private func expectNew(_ house: House) throws {
        for part in StoreReplacementTests.parts { #expect(house.content(part) == "new") }
        for log in StoreReplacementTests.logs { #expect(house.content(log) == nil) }
        #expect(!StoreReplacement.isPending(in: house.store))
        #expect(house.content(StoreReplacementTests.staging) == nil)
        #expect(house.content("lock") != nil)
    }
}
