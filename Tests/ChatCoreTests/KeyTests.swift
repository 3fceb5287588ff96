import ByteCoding
import ChatCore
import CryptoCore
import PageCipher
import Store
import SystemIO
import TestSupport
import Testing

/// The keys of a store, and what is left when a change of them ends in the middle.
@Suite struct KeyTests {
    private let temporary: TemporaryFolder
    private let folder: StoreFolder
    private let loop: EventLoop

    private static let names = ["simplex_v1_agent.db", "simplex_v1_chat.db"]
    // Random ones: nothing here is about Argon2id.
    private static let old = key(1), new = key(2)

    init() throws {
        temporary = try TemporaryFolder()
        folder = StoreFolder(temporary.path + "/store")
        loop = try EventLoop()
        try folder.create()
    }

    private static func key(_ byte: UInt8) -> GivenKey {
        guard let key = GivenKey(Secret(copying: Bytes(repeating: 0x80 | byte, count: 32))) else {
            preconditionFailure("32 bytes are a key")
        }
        return key
    }

    private func make(_ key: GivenKey?) throws {
        let opened = try key.map { try OpenedKey.make(for: $0) }
        let folder = folder, loop = loop
        try loop.run { _ = try await LocalCore(folder, .creating, key: opened, loop: loop) }
    }

    /// Opens the store as a writer does, and returns whether it is encrypted.
    private func open(_ key: GivenKey) throws -> Bool {
        _ = try folder.finishChanges()
        let opened = try StoreProtection(of: folder)?.open(with: key)
        let folder = folder, loop = loop
        try loop.run { try await LocalCore(folder, .writing, key: opened, loop: loop).close() }
        #expect(try StoreCheck.run(folder, key: opened).isEmpty)
        return opened != nil
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func copy(_ name: String, to path: String) throws {
        try Files.create(path, Files.read(self.path(name), limit: 1 << 24))
    }

    // MARK: - What is a key

    @Test(arguments: [
        ("correct horse battery staple", false), ("correct horse battery staple\n", false), ("", nil), ("\n", nil),
        ("\r\n", nil), ("\n\n", false), (String(repeating: "a", count: 43), false),
        (String(repeating: "A", count: 43), true), (String(repeating: "A", count: 43) + "=", true),
        (String(repeating: "A", count: 43) + "=\n", true), (String(repeating: "A", count: 42), false),
        (String(repeating: "0f", count: 32), true), (String(repeating: "0g", count: 32), false),
        (String(repeating: "0f", count: 33), false), (String(repeating: "é", count: 22), false),
    ])
    func aKeyIsRandomIfNobodyCouldGuessIt(text: String, isRandom: Bool?) {
        #expect(GivenKey(Secret(copying: Bytes(text.utf8)))?.isRandom == isRandom)
        if isRandom != nil { #expect(GivenKey(Secret(copying: Bytes(text.utf8)), isTyped: true)?.isRandom == false) }
    }

    @Test func bytesThatAreNoTextAreRandomIfThereAreEnough() {
        #expect(GivenKey(Secret(copying: Bytes(repeating: 0x80, count: 32)))?.isRandom == true)
        #expect(GivenKey(Secret(copying: Bytes(repeating: 0x80, count: 31)))?.isRandom == false)
    }

    @Test func oneLineEndIsNoPartOfAKey() throws {
        let key = try #require(GivenKey(Secret(copying: Bytes("words".utf8))))
        for end in ["\n", "\r\n"] {
            #expect(GivenKey(Secret(copying: Bytes("words\(end)".utf8)))?.isEqual(to: key) == true)
        }
        #expect(GivenKey(Secret(copying: Bytes("words\n\n".utf8)))?.isEqual(to: key) == false)
        #expect(GivenKey(Secret(copying: Bytes("words\r".utf8)))?.isEqual(to: key) == false)
    }

    @Test func aNewKeyFileIsARandomKey() throws {
        let path = temporary.path + "/key"
        let made = try GivenKey.createFile(at: path)
        #expect(made.isRandom)
        #expect(GivenKey(Secret(copying: try Files.read(path, limit: 100)))?.isEqual(to: made) == true)
        #expect(try !Files.status(path).isOpenToOthers)
        #expect(throws: SystemError.self) { try GivenKey.createFile(at: path) }
    }

    // MARK: - Opening

    @Test func onlyTheKeyOpens() throws {
        try make(Self.old)
        #expect(try open(Self.old))
        #expect(throws: ChatError.database(.wrongKey)) { try open(Self.new) }
        let folder = folder, loop = loop
        #expect(throws: ChatError.database(.keyMissing)) {
            try loop.run { _ = try await LocalCore(folder, .reading, loop: loop) }
        }
        #expect(try StoreProtection(of: folder)?.ways == [.keyFile])
    }

    @Test func aStoreIsMadeWholeOrNotAtAll() throws {
        // What a start leaves that was cut off before the databases had their names, or between.
        for name in Self.names { try Files.create(path(name + ".new"), [1, 2, 3]) }
        try Files.create(path("simplex_v1_agent.db"), [4, 5, 6])
        #expect(!folder.exists)
        try make(Self.old)
        #expect(try open(Self.old))
        #expect(try Files.read(path("simplex_v1_agent.db.bak"), limit: 10) == [4, 5, 6])
        #expect(try !Files.names(in: folder.path).contains { $0.hasSuffix(".new") })
    }

    @Test func aKeyIsKeptForAWhile() throws {
        try make(Self.old)
        let protection = try #require(try StoreProtection(of: folder))
        #expect(protection.keptKey() == nil)
        do {
            try protection.keep(try protection.open(with: Self.old), for: .seconds(60))
        } catch let error as SystemError {
            // Many containers keep programs from the keyring.
            return #expect([.denied, .noLocks].contains(error.condition))
        }
        #expect(protection.keptKey() != nil)
        #expect(protection.forgetKey() && !protection.forgetKey())
        #expect(protection.keptKey() == nil)
    }

    // MARK: - Another key

    private func change(_ headers: (KeySlots, KeySlots) throws -> Void) throws {
        try make(Self.old)
        let header = try #require(try FileHeader.read(path(Self.names[1])))
        let credential = Credential.keyFile(Secret(copying: Bytes(repeating: 0x82, count: 32)))
        let key = try header.slots.unlock(with: .keyFile(Secret(copying: Bytes(repeating: 0x81, count: 32)))).key
        let both = try header.slots.replacing(header.slots.slots[0].id, by: credential, for: key)
        try headers(both, try #require(both.settled))
    }

    @Test func aChangeThatWasCutOffIsFinished() throws {
        for stage in 1...3 {
            for name in try Files.names(in: folder.path) { try Files.remove(path(name)) }
            try change { both, settled in
                try FileHeader.replaceSlots(of: path(Self.names[1]), by: both)
                if stage > 1 { try FileHeader.replaceSlots(of: path(Self.names[0]), by: both) }
                if stage > 2 { try FileHeader.replaceSlots(of: path(Self.names[1]), by: settled) }
            }
            // Until somebody writes, the new key opens, and so does the old one as long as it is there.
            _ = try #require(try StoreProtection(of: folder)).open(with: Self.new)
            if stage < 3 { _ = try #require(try StoreProtection(of: folder)).open(with: Self.old) }
            #expect(try open(Self.new))
            #expect(throws: ChatError.database(.wrongKey)) { try open(Self.old) }
            #expect(try !folder.finishChanges())
        }
    }

    @Test func theOldKeyOpensNothingAfterAChange() throws {
        try make(Self.old)
        let opened = try #require(try StoreProtection(of: folder)).open(with: Self.old)
        try KeyChange.run(folder, from: opened, to: Self.new)
        #expect(try open(Self.new))
        #expect(throws: ChatError.database(.wrongKey)) { try open(Self.old) }
        let slots = try Self.names.map { try FileHeader.read(path($0))?.slots }
        #expect(slots[0] == slots[1] && slots[0]?.slots.count == 1)
    }

    @Test func halfOfAHeaderIsFoundAndMended() throws {
        try make(Self.old)
        for half in 0...1 {
            var bytes = try Files.read(path(Self.names[half]), limit: 1 << 24)
            bytes[half * 2048 + 100] ^= 1
            try Files.replace(path(Self.names[half]), bytes)
            let key = try #require(try StoreProtection(of: folder)).open(with: Self.old)
            #expect(try StoreCheck.run(folder, key: key) == [.damagedHeader(file: path(Self.names[half]))])
            #expect(try open(Self.old))
        }
    }

    // MARK: - Encryption on and off

    @Test func aConversionThatWasCutOffIsThrownAwayOrFinished() throws {
        try make(nil)
        // What both databases will be.
        let encrypted = StoreFolder(temporary.path + "/encrypted")
        try encrypted.create()
        for name in Self.names { try copy(name, to: "\(encrypted.path)/\(name)") }
        try StoreConversion.encrypt(encrypted, for: Self.old)

        // Before the note: half of a draft is nothing.
        try Files.create(path(Self.names[0] + ".converted"), [1, 2, 3])
        #expect(try !open(Self.old))
        #expect(!Files.exists(path(Self.names[0] + ".converted")))

        // After it: the drafts are what counts, whichever are in their places already.
        for moved in 0...2 {
            let stage = StoreFolder("\(temporary.path)/stage\(moved)")
            try stage.create()
            for (index, name) in Self.names.enumerated() {
                try copy(name, to: "\(stage.path)/\(name)")
                let target = "\(stage.path)/\(name)" + (index < moved ? "" : ".converted")
                try Files.replace(target, Files.read("\(encrypted.path)/\(name)", limit: 1 << 24))
            }
            try Files.create("\(stage.path)/conversion", [])
            #expect(stage.hasUnfinishedChange)
            #expect(try stage.finishChanges())
            let key = try #require(try StoreProtection(of: stage)).open(with: Self.old)
            #expect(try StoreCheck.run(stage, key: key).isEmpty)
            #expect(try Files.names(in: stage.path) == Self.names)
        }
    }

    @Test func aStoreGoesFromOneFormToTheOther() throws {
        try make(nil)
        #expect(try !open(Self.old))
        try StoreConversion.encrypt(folder, for: Self.old)
        #expect(try open(Self.old))
        try StoreConversion.decrypt(folder, with: try #require(try StoreProtection(of: folder)).open(with: Self.old))
        #expect(try !open(Self.old))
    }

    // MARK: - Copies

    @Test func aCopyIsAStoreWithTheSameKey() throws {
        try make(Self.old)
        let copy = StoreFolder(temporary.path + "/copy")
        try copy.create()
        let key = try #require(try StoreProtection(of: folder)).open(with: Self.old)
        let size = try StoreMaintenance.copy(folder, key: key, to: copy).size
        #expect(size > 8192)
        #expect(try StoreProtection(of: copy)?.id != StoreProtection(of: folder)?.id)
        let opened = try #require(try StoreProtection(of: copy)).open(with: Self.old)
        #expect(try StoreCheck.run(copy, key: opened).isEmpty)
        #expect(throws: (any Error).self) {
            _ = try #require(try StoreProtection(of: copy)).open(with: Self.new)
        }
    }
}
