import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import Relay
import SMPProtocol
import SystemIO
import TestSupport

/// Two relays at different hosts, and people who use one of them each, all on one event loop.
final class RoutedHouse {
    let loop: EventLoop
    let near: Place
    let far: Place
    private let folder: TemporaryFolder

    /// A relay that may be ended and started again.
    final class Place {
        private let loop: EventLoop
        private let folder: String
        private(set) var server: RelayServer?
        let address: ServerAddress

        init(_ host: String, _ folder: String, _ loop: EventLoop, isProxy: Bool) throws {
            self.loop = loop
            self.folder = folder
            var settings = RelaySettings(hosts: [.ipv4(host)], port: 0)
            settings.listen = .ipv4(host)
            settings.proxyPrivate = true
            settings.proxySeconds = 2
            settings.isProxy = isProxy
            _ = try RelayFolder.create(at: folder, settings: settings)
            let server = try RelayServer(RelayFolder(opening: folder), on: loop)
            self.server = server
            address = server.address
        }

        var statistics: RelayStatistics { server?.statistics ?? RelayStatistics() }

        /// It is not there any more. Its port stays taken by nobody.
        func stop() {
            server?.stop()
            server = nil
        }

        func start() throws {
            let port = address.port ?? SMP.defaultPort
            let path = folder + "/relay.conf"
            let settings = try String(decoding: Files.read(path, limit: 65536), as: UTF8.self)
            try Files.replace(path, Bytes(settings.replacing("port = 0", with: "port = \(port)").utf8))
            server = try RelayServer(RelayFolder(opening: folder), on: loop)
        }
    }

    /// - Parameter nearIsProxy: Whether the first relay forwards commands.
    init(nearIsProxy: Bool = true) throws {
        loop = try EventLoop()
        folder = try TemporaryFolder()
        // Relays of one host are one operator's: a proxy between them would hide nothing.
        near = try Place("127.0.0.1", folder.path + "/near", loop, isProxy: nearIsProxy)
        far = try Place("127.0.0.2", folder.path + "/far", loop, isProxy: true)
    }

    /// Another relay.
    func place(_ host: String, _ name: String) throws -> Place {
        try Place(host, folder.path + "/\(name)", loop, isProxy: true)
    }

    func person(
        _ name: String, at places: [Place], network: [NetworkSettings.Setting: String] = [:]
    ) throws -> TestStore {
        let store = TestStore(loop, StoreFolder(folder.path + "/\(name)"), network: network)
        try store.folder.create()
        try store.open(.creating)
        _ = try store.execute(CreateProfile(Profile(displayName: name)))
        let servers = places.map { ConfiguredServer(address: $0.address) }
        _ = try store.execute(SetServers(ProfileID(1), servers))
        return store
    }

    /// Alice at the near relay, with these settings, and bob at the far one, connected.
    func friends(_ network: [NetworkSettings.Setting: String] = [:]) throws -> (TestStore, TestStore) {
        // Whatever alice's settings forbid, it must not stop them here.
        let alice = try person("alice", at: [near]), bob = try person("bob", at: [far])
        try bob.join(try alice.invite())
        for store in [bob, alice, bob] { _ = try store.fetch() }
        alice.close()
        alice.network = network
        try alice.reopen()
        return (alice, bob)
    }
}

extension TestStore {
    /// Sends a text, and waits until it has gone or something is in its way, which is returned.
    func deliver(_ text: String, to name: String) throws -> RelayProblem? {
        let item = try send(text, to: name)
        return try execute(WaitForItem(item.id, timeout: .seconds(20))).obstacle
    }
}
