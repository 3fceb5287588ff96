import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import JSONCoding
import SMPProtocol
import SystemIO
import TestSupport
import Testing

/// The servers of profiles in a store, and the test of one.
@Suite struct ServerTests {
    /// A store without servers that runs alone.
    private static func store(_ house: TestHouse, _ name: String = "alice") throws -> TestStore {
        let store = TestStore(house.loop, StoreFolder(house.folder.path + "/\(name)"))
        try store.folder.create()
        try store.open(.creating)
        return store
    }

    private static func own(_ host: String) throws -> ConfiguredServer {
        try ConfiguredServer(text: "smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@\(host)")
    }

    private static func servers(_ store: TestStore, _ id: Int64 = 1) throws -> [ProfileServer] {
        try store.execute(ListServers(ProfileID(id))).groups.flatMap(\.servers)
    }

    private static func make(_ store: TestStore, _ name: String) throws {
        _ = try store.execute(CreateProfile(Profile(displayName: name)))
    }

    @Test func presetsComeWithTheConditions() throws {
        let house = try TestHouse()
        let store = try Self.store(house)
        try Self.make(store, "alice")
        #expect(try Self.servers(store).isEmpty)
        #expect(throws: ChatError.noServer) { try store.invite() }

        _ = try store.execute(AcceptConditions(ServerOperator.Tag.allCases))
        let servers = try Self.servers(store)
        #expect(servers.count == 17 && servers.allSatisfy(\.isPreset))
        #expect(servers.filter(\.isEnabled).count == 7)
        // Again nothing changes, also after a new start.
        try store.reopen()
        _ = try store.execute(AcceptConditions(ServerOperator.Tag.allCases))
        #expect(try Self.servers(store) == servers)
        let operators = try store.execute(ListOperators()).operators
        #expect(operators.map(\.tag) == [.simplex, .flux] && operators.allSatisfy(\.mayHoldQueues))
        #expect(operators.allSatisfy { $0.acceptance?.version == UsageConditions.current.version })
    }

    @Test func eachProfileHasItsOwnChoice() throws {
        let house = try TestHouse()
        let store = try Self.store(house)
        _ = try store.execute(AcceptConditions(ServerOperator.Tag.allCases))
        for name in ["a", "b", "c", "d"] { try Self.make(store, name) }
        let used = try (1...4).map { try Self.servers(store, $0).filter(\.isEnabled).map(\.address) }
        #expect(used.allSatisfy { $0.count == 7 })
        // The probability that four profiles get the same ones is below one in a hundred thousand millions.
        #expect(Set(used).count > 1)

        // Who switched all presets off does so for the next profile too.
        let off = try Self.servers(store, 4).map { server in
            var server = server
            server.isEnabled = false
            return server
        }
        _ = try store.execute(UpdateServers(ProfileID(4), try off + [ProfileServer(Self.own("own.example"))]))
        try Self.make(store, "e")
        let last = try Self.servers(store, 5)
        #expect(last.count == 18)
        #expect(last.filter(\.isEnabled).map(\.address.location) == ["own.example"])
    }

    @Test func ownServersReplacePresets() throws {
        let house = try TestHouse()
        let store = try Self.store(house)
        _ = try store.execute(AcceptConditions(ServerOperator.Tag.allCases))
        try Self.make(store, "alice")
        _ = try store.execute(SetServers(ProfileID(1), [try Self.own("a.example"), try Self.own("b.example")]))
        #expect(try Self.servers(store).filter(\.isEnabled).map(\.address.location) == ["a.example", "b.example"])
        _ = try store.execute(SetServers(ProfileID(1), []))
        #expect(try Self.servers(store).count == 17)
    }

    @Test func changesAreCheckedAsAWhole() throws {
        let house = try TestHouse()
        let store = try Self.store(house)
        _ = try store.execute(AcceptConditions([.flux]))
        try Self.make(store, "alice")
        let id = ProfileID(1), a = ProfileServer(try Self.own("a.example"))
        _ = try store.execute(UpdateServers(id, [a]))
        let before = try Self.servers(store)
        let same = try ConfiguredServer(text: a.server.description + ":5223")
        #expect(throws: ChatError.serverExists(same.address)) {
            try store.execute(UpdateServers(id, [ProfileServer(try Self.own("b.example")), ProfileServer(same)]))
        }
        #expect(throws: ChatError.serverNotFound(ServerID(99))) {
            try store.execute(UpdateServers(id, [ProfileServer(id: ServerID(99), a.server)]))
        }
        var preset = try #require(before.first)
        preset.isDeleted = true
        #expect(throws: ChatError.presetServer(preset.address)) { try store.execute(UpdateServers(id, [preset])) }
        #expect(try Self.servers(store) == before)

        var own = try #require(before.last)
        own.isDeleted = true
        _ = try store.execute(UpdateServers(id, [own]))
        #expect(try Self.servers(store).map(\.address) == PresetServers.servers(of: .flux))
    }

    @Test func relaysOfAnOperatorNeedItsConditions() throws {
        let house = try TestHouse()
        let store = try Self.store(house)
        try Self.make(store, "alice")
        _ = try store.execute(SetServers(ProfileID(1), [try Self.own("own.simplex.im")]))
        #expect(throws: ChatError.conditionsNotAccepted) { try store.invite() }
    }

    @Test func whatWasBegunIsFinishedWhenAllServersAreOff() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        try bob.join(try alice.invite())
        for store in [alice, bob] {
            var server = try #require(try Self.servers(store).first)
            server.isEnabled = false
            _ = try store.execute(UpdateServers(ProfileID(1), [server]))
            #expect(throws: ChatError.noServer) { try store.invite() }
        }
        for store in [bob, alice, bob] { _ = try store.fetch() }
        try alice.send("hi", to: "bob")
        _ = try alice.fetch()
        _ = try bob.fetch()
        #expect(try bob.texts("alice") == ["hi"])
    }

    // MARK: - File relays

    private static func fileServers(_ store: TestStore) throws -> [ProfileServer] {
        try store.execute(ListServers(nil)).groups.flatMap(\.fileServers)
    }

    @Test func fileRelaysAreAddedSwitchedOffAndRemoved() throws {
        let house = try TestHouse()
        let store = try house.person("alice")
        #expect(try Self.fileServers(store) == [])
        let own = try ConfiguredServer(
            text: "xftp://\(String(repeating: "A", count: 43))=:secret@files.example.org:4433", scheme: .xftp)
        let other = try ConfiguredServer(
            text: "xftp://\(String(repeating: "B", count: 42))A=@files.example.com", scheme: .xftp)
        _ = try store.execute(
            UpdateServers(
                ProfileID(1), [ProfileServer(own, isForFiles: true), ProfileServer(other, isForFiles: true)]))
        var known = try Self.fileServers(store)
        #expect(known.map(\.server) == [own, other] && known.allSatisfy { $0.isEnabled && $0.isForFiles })
        #expect(try store.execute(ListFileServers()).used == [own, other])
        #expect(throws: ChatError.serverExists(other.address)) {
            try store.execute(UpdateServers(ProfileID(1), [ProfileServer(other, isForFiles: true)]))
        }
        known[0].isEnabled = false
        _ = try store.execute(UpdateServers(ProfileID(1), known))
        #expect(try store.execute(ListFileServers()).used == [other])
        known[1].isDeleted = true
        _ = try store.execute(UpdateServers(ProfileID(1), [known[1]]))
        #expect(try Self.fileServers(store).map(\.isEnabled) == [false])
        #expect(throws: ChatError.serverNotFound(ServerID(99))) {
            try store.execute(
                UpdateServers(ProfileID(1), [ProfileServer(id: ServerID(99), other, isForFiles: true)]))
        }
    }

    @Test func presetFileRelaysAreSwitchedOffOneByOne() throws {
        let house = try TestHouse()
        let store = try house.person("alice")
        _ = try store.execute(AcceptConditions([.simplex]))
        var presets = try Self.fileServers(store)
        #expect(presets.count == 6 && presets.allSatisfy { $0.isPreset && $0.isEnabled && $0.operator == .simplex })
        presets[0].isEnabled = false
        _ = try store.execute(UpdateServers(ProfileID(1), presets))
        let known = try Self.fileServers(store)
        #expect(known.map(\.isEnabled) == [false, true, true, true, true, true])
        #expect(try !store.execute(ListFileServers()).used.contains(presets[0].server))
        var removed = known[1]
        removed.isDeleted = true
        #expect(throws: ChatError.presetServer(removed.address)) {
            try store.execute(UpdateServers(ProfileID(1), [removed]))
        }
        // Beside an own one they are used only if the user says so.
        let own = try ConfiguredServer(
            text: "xftp://\(String(repeating: "A", count: 43))=@files.example.org", scheme: .xftp)
        _ = try store.execute(SetFileServers([own]))
        #expect(try store.execute(ListFileServers()).own == [own])
        let beside = try Self.fileServers(store)
        #expect(beside.filter(\.isPreset).allSatisfy { !$0.isEnabled })
        _ = try store.execute(UpdateServers(ProfileID(1), [presets[1], presets[2]]))
        #expect(try store.execute(ListFileServers()).used == [own, presets[1].server, presets[2].server])
    }

    // MARK: - Testing

    private static func test(_ store: TestStore, _ server: ConfiguredServer) throws -> ServerTestFailure? {
        let result = try store.execute(TestServer(nil, server))
        #expect(result.server == server)
        #expect(try ServerTestResult(json: result.json as JSONObject) == result)
        return result.failure
    }

    @Test func aRelayThatWorksPasses() throws {
        let house = try TestHouse()
        let store = try house.person("alice")
        #expect(try Self.test(store, ConfiguredServer(address: house.address)) == nil)
        // It needs no right to write.
        try store.reopen(.reading)
        #expect(try Self.test(store, ConfiguredServer(address: house.address)) == nil)
    }

    @Test func aTestSaysWhereItFailed() throws {
        let house = try TestHouse()
        let store = try house.person("alice")
        let address = house.address
        let other = ServerAddress(hosts: address.hosts, port: address.port, fingerprint: Bytes(repeating: 7, count: 32))
        #expect(try Self.test(store, ConfiguredServer(address: other)) == ServerTestFailure(.tls, .wrongIdentity))
        let onion = ServerAddress(
            hosts: [try TransportHost(text: "abc.onion")], port: nil, fingerprint: address.fingerprint)
        #expect(try Self.test(store, ConfiguredServer(address: onion)) == ServerTestFailure(.connect, .proxyRequired))
        house.stopRelay()
        // The onion name of a relay does not hide why its public name fails.
        let both = ServerAddress(
            hosts: address.hosts + onion.hosts, port: address.port, fingerprint: address.fingerprint)
        let failure = try #require(try Self.test(store, ConfiguredServer(address: both)))
        guard case .unreachable = failure.problem else {
            Issue.record("\(failure)")
            return
        }
        #expect(failure.step == .connect && failure.problem.isTemporary)
    }

    // MARK: - JSON

    @Test func serversCanBeSentBackAsTheyCame() throws {
        let house = try TestHouse()
        let store = try Self.store(house)
        _ = try store.execute(AcceptConditions([.simplex]))
        try Self.make(store, "alice")
        _ = try store.execute(UpdateServers(ProfileID(1), [ProfileServer(try Self.own("a.example"))]))
        let before = try Self.servers(store)
        let answer: JSONObject = try store.execute(ListServers(nil)).json
        #expect(answer["type"] == "userServers")
        let text = try #require(answer["userServers"]).line
        _ = try store.execute(ChatCommands.parse("/_servers 1 \(text)"))
        #expect(try Self.servers(store) == before)
    }

    @Test func conditionsAreToldAsTheOfficialCoreDoes() throws {
        let house = try TestHouse()
        let store = try Self.store(house)
        let before = try store.execute(ListOperators()).fields["conditions"]?.object
        #expect(before?["conditionsAction"]?.object?["type"] == "review")
        let accepted = try store.execute(ChatCommands.parse("/_accept_conditions 1 1,2")).json["conditions"]?.object
        #expect(accepted?["conditionsAction"]?.object?["type"] == "accepted")
        let operators = try #require(accepted?["serverOperators"]?.array)
        #expect(operators.map { $0.object?["conditionsAcceptance"]?.object?["type"] } == ["accepted", "accepted"])
        let settings = JSONValue.array(operators).line.replacing(#""enabled":true"#, with: #""enabled":false"#)
        let off = try store.execute(ChatCommands.parse("/_operators \(settings)")).json["conditions"]?.object
        #expect(off?["serverOperators"]?.array?.map { $0.object?["enabled"] } == [false, false])
        #expect(try store.execute(ShowConditions()).fields["acceptedConditions"] != nil)
    }
}
