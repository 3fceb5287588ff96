import ByteCoding
import ChatCore
import ChatProtocol
import CryptoCore
import JSONCoding
import SystemIO
import TestSupport
import Testing

/// A store that nobody is to see any more.
@Suite struct StoreErasureTests {
    /// Every file below a folder, by its path in it.
    private func files(_ folder: String, _ prefix: String = "") throws -> [String: Bytes] {
        var found: [String: Bytes] = [:]
        for name in try Files.names(in: folder) {
            let path = "\(folder)/\(name)"
            if Files.isFolder(path) {
                try found.merge(files(path, "\(prefix)\(name)/")) { first, _ in first }
            } else {
                found[prefix + name] = try Files.read(path, limit: 1 << 24)
            }
        }
        return found
    }

    private func holds(_ bytes: Bytes, _ text: String) -> Bool {
        let word = Bytes(text.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: word) }
    }

    /// A store with a secret in a profile, a note of a session, a copy of an upgrade and a replaced store.
    private func oldStore(_ house: TestHouse, _ key: OpenedKey?) throws -> StoreFolder {
        let folder = StoreFolder(house.folder.path + "/old")
        try folder.create()
        let loop = house.loop
        try loop.run {
            let core = try await LocalCore(folder, .creating, key: key, loop: loop)
            _ = try await core.execute(CreateProfile(Profile(displayName: "whistleblower")))
            _ = try await core.execute(SetSessionValue(.place, "whistleblower's place"))
            try await core.close()
        }
        try Files.createFolder(folder.files)
        try Files.create(folder.files + "/photo", Bytes("whistleblower's photo".utf8))
        try Files.createFolder(folder.path + "/backups")
        try Files.createFolder(folder.path + "/backups/replaced-2026")
        try Files.create(folder.path + "/backups/replaced-2026/simplex_v1_chat.db", Bytes("whistleblower".utf8))
        try Files.create(folder.path + "/simplex_v1_chat.db.bak", Bytes("whistleblower".utf8))
        return folder
    }

    private func profiles(_ house: TestHouse, _ folder: StoreFolder, _ key: OpenedKey?) throws -> [String] {
        let loop = house.loop
        return try loop.run {
            let core = try await LocalCore(folder, .writing, key: key, loop: loop)
            let profiles = try await core.execute(ListProfiles()).profiles
            let gate = try await core.execute(ShowSessionValue(.gate)).value
            #expect(try await core.execute(ShowSessionValue(.place)).value == nil)
            #expect(try await core.execute(ShowOnboarding()).stage == .complete)
            try await core.close()
            return profiles.map(\.name) + [gate ?? ""]
        }
    }

    @Test func nothingOldIsLeftOfAPlainStore() throws {
        let house = try TestHouse()
        let folder = try oldStore(house, nil)
        #expect(try files(folder.path).values.contains { holds($0, "whistleblower") })
        try StoreErasure.replaceByEmpty(folder, key: nil, values: [.gate: "a gate"])
        for (name, bytes) in try files(folder.path) { #expect(!holds(bytes, "whistleblower"), "\(name)") }
        let names = try Files.names(in: folder.path).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        #expect(Set(names).isSubset(of: ["simplex_v1_chat.db", "simplex_v1_agent.db", "files", "lock"]), "\(names)")
        #expect(try profiles(house, folder, nil) == ["user", "a gate"])
    }

    @Test func anEncryptedStoreIsReplacedByOneWithTheSameKey() throws {
        let house = try TestHouse()
        let given = try #require(GivenKey(Secret(copying: Bytes("correct horse".utf8))))
        let folder = try oldStore(house, try OpenedKey.make(for: given))
        let key = try #require(try StoreProtection(of: folder)).open(with: given)
        try StoreErasure.replaceByEmpty(folder, key: key, profile: "me")
        let again = try #require(try StoreProtection(of: folder)).open(with: given)
        #expect(try profiles(house, folder, again) == ["me", ""])
        #expect(!Files.exists(folder.path + "/backups"))
        #expect(throws: ChatError.self) { try profiles(house, folder, nil) }
    }

    @Test func anErasureThatWasCutOffIsFinished() throws {
        let temporary = try TemporaryFolder()
        let folder = StoreFolder(temporary.path)
        let staging = ".staging-abc", backup = "backups/replaced-2026"
        // The databases are exchanged already; one of the old ones is overwritten, and nothing is removed.
        for path in ["files", staging, staging + "/store", "backups", backup] {
            try Files.createFolder("\(folder.path)/\(path)")
        }
        for name in ["simplex_v1_chat.db", "simplex_v1_agent.db"] {
            try Files.create("\(folder.path)/\(name)", Bytes("new".utf8))
            try Files.create("\(folder.path)/\(backup)/\(name)", Bytes("old".utf8))
        }
        let journal: JSONObject = ["staging": .string(staging), "backup": .string(backup), "erase": true]
        try Files.create("\(folder.path)/replacement", journal.encoded)
        try StoreReplacement.finish(in: folder)
        #expect(
            try files(folder.path).mapValues { String(decoding: $0, as: UTF8.self) } == [
                "simplex_v1_chat.db": "new", "simplex_v1_agent.db": "new",
            ])
        #expect(!StoreReplacement.isPending(in: folder))
        #expect(!Files.exists(folder.path + "/backups"))
    }
}
