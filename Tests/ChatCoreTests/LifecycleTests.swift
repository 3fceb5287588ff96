import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import SMPProtocol
import SystemIO
import TestSupport
import Testing

@testable import ChatCore

/// The commands by which programs start, stop and look at a core.
@Suite struct LifecycleTests {
    private func exchange(_ bench: Workbench) -> Exchange {
        Exchange(bench.context, inbox: bench.inbox(), connector: bench.connector(), files: bench.files())
    }

    @Test func a_start_is_told_from_a_repeated_one() throws {
        let bench = try Workbench(), exchange = exchange(bench)
        #expect(try exchange.start() && exchange.isReceiving)
        #expect(try !exchange.start())
        try exchange.stop()
        #expect(!exchange.isReceiving && !exchange.isStarted)
        #expect(try exchange.start())
        #expect(bench.agent.activities == ["start staying", "stop", "start staying"])
    }

    /// A server receives whether clients start the chat or not, and stops when one of them wants it.
    @Test func a_stop_holds_for_whoever_receives() async throws {
        let bench = try Workbench(), exchange = exchange(bench)
        bench.agent.onWait = {
            #expect(throws: Never.self) {
                if try exchange.start() { try exchange.stop() }
            }
        }
        _ = try await exchange.receive(timeout: .milliseconds(1))
        #expect(bench.agent.activities.prefix(2) == ["start staying", "stop"])
        #expect(try exchange.start())
        #expect(bench.agent.activities.last == "start staying")
    }

    @Test func a_program_in_the_background_does_not_receive() throws {
        let bench = try Workbench(), exchange = exchange(bench)
        _ = try exchange.start()
        try exchange.suspend()
        try exchange.suspend()
        try exchange.reconnect()
        try exchange.resubscribe()
        #expect(bench.agent.activities == ["start staying", "stop"])
        #expect(try !exchange.start(), "it is started, and waits")
        try exchange.activate()
        #expect(bench.agent.activities == ["start staying", "stop", "start staying"])
    }

    @Test func sessions_are_opened_again() throws {
        let bench = try Workbench(), exchange = exchange(bench)
        try exchange.reconnect()
        #expect(bench.agent.activities == [])
        _ = try exchange.start()
        try exchange.reconnect()
        #expect(bench.agent.activities == ["start staying", "stop", "start staying"])
    }

    // MARK: - Over a store

    @Test func programs_start_and_stop() throws {
        let house = try TestHouse(), alice = try house.person("alice")
        #expect(try alice.execute(CheckRunning()) == .stopped)
        #expect(try alice.execute(StartChat(isMain: false)) == .started)
        #expect(try alice.execute(CheckRunning()) == .stopped, "only the program that receives starts it")
        #expect(try alice.execute(StartChat()).type == "chatStarted")
        #expect(try alice.execute(StartChat()).type == "chatRunning")
        #expect(try alice.execute(CheckRunning()).type == "chatRunning")
        _ = alice.events()
        _ = try alice.execute(SuspendChat(timeout: 0))
        #expect(alice.events().contains { $0 is ChatSuspendedEvent })
        _ = try alice.execute(ActivateChat())
        for command: any ChatCommand in [Resubscribe(), Reconnect(), Reconnect(ProfileID(1), server: "x")] {
            _ = try alice.execute(command)
        }
        #expect(try alice.execute(StopChat()).type == "chatStopped")
    }

    @Test func folders_are_made_and_kept() throws {
        let house = try TestHouse(), alice = try house.person("alice")
        let path = house.folder.path + "/files of alice/new"
        _ = try alice.execute(SetFilesFolder(path))
        _ = try alice.execute(SetTemporaryFolder(path + "/tmp"))
        #expect(Files.isFolder(path + "/tmp"))
        let paths = FilePaths(files: path + "/f", temporary: path + "/t", assets: "/nowhere")
        _ = try alice.execute(SetFilePaths(paths))
        #expect(Files.isFolder(path + "/f") && Files.isFolder(path + "/t") && !Files.exists("/nowhere"))
        _ = try alice.execute(SetFileEncryption(true))
        _ = try alice.execute(SetContactMerging(true))
    }

    @Test func subscriptions_are_counted_at_their_relays() throws {
        let house = try TestHouse(), (alice, _) = try house.friends()
        func counts(_ name: String) throws -> JSONObject {
            try #require(try alice.execute(ShowDiagnostics(.subscriptions)).fields[name]?.object)
        }
        #expect(try counts("activeSubs").isEmpty && counts("pendingSubs").names.count == 1)
        _ = try alice.execute(StartChat())
        #expect(try counts("activeSubs")[house.address.description]?.integer == 1)
        #expect(try alice.execute(CompareConnections()).missing == [])
        let total = try alice.execute(CountSubscriptions(ProfileID(1))).fields
        #expect(total["subsTotal"]?.object?["ssActive"]?.integer == 1 && total["hasSession"]?.bool == true)
        let summary = try alice.execute(ShowServersSummary(ProfileID(1))).fields["serversSummary"]?.object
        let used = summary?["currentUserSMP"]?.object?["currentlyUsedSMPServers"]?.array
        #expect(used?.first?.object?["known"]?.bool == true)
        for kind in ShowDiagnostics.Kind.allCases { _ = try alice.execute(ShowDiagnostics(kind)) }
        _ = try alice.execute(ResetStatistics())
    }

    @Test func network_settings_may_be_asked_for_if_they_are_no_stricter() throws {
        let house = try TestHouse(), alice = try house.person("alice")
        let current = try alice.execute(ShowNetwork())
        #expect(current.configuration["smpProxyMode"]?.string == "unknown")
        _ = try alice.execute(SetNetwork(current))
        for (name, value) in [
            ("smpProxyMode", JSONValue.string("always")), ("smpProxyFallback", "prohibit"), ("socksProxy", ":9050"),
            ("requiredHostMode", true), ("smpProxyMode", "later"),
        ] {
            var wanted = current.configuration
            wanted[name] = value
            let command = SetNetwork(try NetworkConfiguration(decoding: wanted.encoded))
            #expect(throws: ChatError.commandNotSupported, "\(name)") { try alice.execute(command) }
        }
        _ = try alice.execute(NoteNetwork(OpaqueObject(["online": true])))
    }

    @Test func settings_of_an_app_are_kept() throws {
        let house = try TestHouse(), alice = try house.person("alice")
        let defaults = OpaqueObject(["developerTools": true, "oneHandUI": false])
        #expect(try alice.execute(ShowAppSettings(defaults)).settings["developerTools"]?.bool == true)
        _ = try alice.execute(SaveAppSettings(OpaqueObject(["developerTools": false, "appPlatform": "desktop"])))
        let settings = try alice.execute(ShowAppSettings(defaults)).settings
        #expect(settings["developerTools"]?.bool == false && settings["oneHandUI"]?.bool == false)
        #expect(settings["appPlatform"]?.string == "desktop" && settings["privacyLinkPreviews"]?.bool == true)
    }

    @Test func an_archive_is_written_while_the_chat_is_stopped() throws {
        let house = try TestHouse(), alice = try house.person("alice")
        let place = ArchivePlace(path: house.folder.path + "/a.zip")
        _ = try alice.execute(StartChat())
        #expect(throws: ChatError.notStopped) { try alice.execute(ExportStore(place)) }
        _ = try alice.execute(StopChat())
        _ = try alice.execute(ExportStore(place))
        #expect(Files.exists(place.path))
        #expect(throws: ChatError.self, "it is not replaced") { try alice.execute(ExportStore(place)) }
    }

    @Test func an_archive_takes_the_place_of_the_store() throws {
        let house = try TestHouse(), alice = try house.person("alice")
        let place = ArchivePlace(path: house.folder.path + "/a.zip")
        _ = try alice.execute(StopChat())
        _ = try alice.execute(ExportStore(place))
        _ = try alice.execute(CreateProfile(Profile(displayName: "later")))
        let missing = ArchivePlace(path: house.folder.path + "/none.zip")
        #expect(throws: ChatError.database(.cannotOpen)) { try alice.execute(ImportStore(missing)) }
        #expect(try alice.execute(ListProfiles()).profiles.count == 2, "the store goes on after a failure")
        _ = try alice.execute(ImportStore(place))
        #expect(throws: ChatError.storeChanged) { try alice.execute(ListProfiles()) }
        #expect(throws: ChatError.storeChanged) { try alice.execute(StartChat()) }
        try alice.open(.writing)
        #expect(try alice.execute(ListProfiles()).profiles.map(\.name) == ["alice"])
    }

    @Test func a_deleted_store_is_empty() throws {
        let house = try TestHouse(), alice = try house.person("alice")
        _ = try alice.execute(StartChat())
        #expect(throws: ChatError.notStopped) { try alice.execute(DeleteStore()) }
        _ = try alice.execute(StopChat())
        _ = try alice.execute(DeleteStore())
        #expect(throws: ChatError.storeChanged) { try alice.execute(ShowStatus()) }
        try alice.open(.writing)
        #expect(try alice.execute(ListProfiles()).profiles.isEmpty)
    }

    @Test func keys_of_the_store_are_checked() throws {
        let house = try TestHouse(), alice = try house.person("alice")
        let key = PlainPassword("a key")
        _ = try alice.execute(StopChat())
        #expect(throws: ChatError.storeKey(.notEncrypted)) { try alice.execute(TestStoreKey(key)) }
        #expect(throws: ChatError.storeKey(.notEncrypted)) {
            try alice.execute(ChangeStoreKey(StoreKeys(current: key, new: nil)))
        }
        _ = try alice.execute(ChangeStoreKey(StoreKeys(current: nil, new: key)))
        #expect(throws: ChatError.storeChanged) { try alice.execute(ShowStatus()) }
        let protection = try #require(try StoreProtection(of: alice.folder))
        let given = try #require(GivenKey(Secret(copying: Bytes("a key".utf8))))
        #expect(throws: Never.self) { try protection.open(with: given) }
    }

    @Test func servers_of_the_active_profile_are_set_and_checked() throws {
        let house = try TestHouse(), alice = try house.person("alice")
        let other = ConfiguredServer(address: Workbench.otherServer)
        _ = try alice.execute(SetActiveServers([other]))
        let groups = try alice.execute(ListServers(nil)).groups
        #expect(groups.flatMap(\.servers).filter { !$0.isPreset }.map(\.server) == [other])
        #expect(try alice.execute(ValidateServers(ProfileID(1), groups)).problems == [])
        #expect(try alice.execute(ValidateServers(ProfileID(1), [])).problems == [.noServers])
        let twice = OperatorServers(nil, [ProfileServer(other), ProfileServer(other)])
        let problems = try alice.execute(ValidateServers(ProfileID(1), [twice])).problems
        #expect(problems == [.duplicate(server: other.description, host: "127.0.0.2")])
        #expect(try alice.execute(ListFileServers()).used == [])
        _ = try alice.execute(SetFileServers([other]))
        #expect(try alice.execute(ListFileServers()).own == [other])
        _ = try alice.execute(SetActiveServers([]))
        _ = try alice.execute(NoteConditions(1))
        let operators = try alice.execute(SwitchOperators([.init(.simplex, false)])).operators
        #expect(operators.first { $0.tag == .simplex }?.isEnabled == false)
    }

    // MARK: - Words

    @Test(arguments: [
        "/_ntf get", "/sql chat SELECT 1", "/_db stats", "/quit",
    ])
    func commands_that_are_not_supported_are_known(text: String) {
        #expect(throws: ChatError.commandNotSupported) { try ChatCommands.parse(text) }
    }

    @Test(arguments: ["", "hello", "/nothing", "/getsubs", "/_startx", "/_start main=maybe", "/fish", "/_app suspend"])
    func others_do_not_parse(text: String) {
        #expect(throws: ChatError.commandSyntax) { try ChatCommands.parse(text) }
    }

    @Test func errors_have_the_official_words() {
        #expect(
            ChatError.commandSyntax.json
                == .object([
                    "type": "error",
                    "errorType": .object(["type": "commandError", "message": "Failed reading: empty"]),
                ]))
        #expect(ChatError.notStopped.fields["errorType"]?.object?["type"]?.string == "chatNotStopped")
    }
}
