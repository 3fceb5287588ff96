import AgentProtocol
import ChatCore
import Relay
import SMPProtocol
import SystemIO
import TestSupport
import Testing

/// Messages to the relays of others go through one's own.
@Suite(.timeLimit(.minutes(60))) struct PrivateRoutingTests {
    @Test func theRelayOfAContactDoesNotSeeTheSender() throws {
        let house = try RoutedHouse()
        let (alice, bob) = try house.friends()
        // Connecting has gone the same way, in both directions.
        #expect(house.near.statistics.forwardedCommands > 0 && house.far.statistics.forwardedCommands > 0)
        let before = house.far.statistics
        for text in ["one", "two"] { #expect(try alice.deliver(text, to: "bob") == nil) }
        let after = house.far.statistics
        #expect(after.acceptedConnections == before.acceptedConnections)
        #expect(after.forwardedCommands == before.forwardedCommands + 2)
        #expect(after.sentMessages == before.sentMessages + 2)
        _ = try bob.fetch()
        #expect(try bob.texts("alice") == ["one", "two"])
        #expect(try bob.deliver("three", to: "alice") == nil)
        _ = try alice.fetch()
        #expect(try alice.texts("bob") == ["three"])
    }

    @Test(arguments: [("always", true), ("unknown", true), ("unprotected", true), ("never", false)])
    func theModeSaysWhen(mode: String, isForwarded: Bool) throws {
        let house = try RoutedHouse()
        let (alice, bob) = try house.friends([.proxyMode: mode])
        let before = house.far.statistics
        #expect(try alice.deliver("hello", to: "bob") == nil)
        let after = house.far.statistics
        #expect(after.forwardedCommands - before.forwardedCommands == (isForwarded ? 1 : 0))
        #expect(after.sentMessages == before.sentMessages + 1)
        _ = try bob.fetch()
        #expect(try bob.texts("alice") == ["hello"])
    }

    @Test func aRelayOfOnesOwnIsSpokenToDirectly() throws {
        let house = try RoutedHouse()
        let alice = try house.person("alice", at: [house.near]), bob = try house.person("bob", at: [house.near])
        try bob.join(try alice.invite())
        for store in [bob, alice, bob] { _ = try store.fetch() }
        #expect(try alice.deliver("hello", to: "bob") == nil)
        #expect(house.near.statistics.proxySessions == 0 && house.near.statistics.forwardedCommands == 0)
    }

    // MARK: - Where it is not possible

    @Test func withoutAProxyMessagesGoDirectlyIfTheyMay() throws {
        let house = try RoutedHouse(nearIsProxy: false)
        let (alice, bob) = try house.friends()
        let forwarded = house.far.statistics.forwardedCommands
        #expect(try alice.deliver("hello", to: "bob") == nil)
        _ = try bob.fetch()
        #expect(try bob.texts("alice") == ["hello"])
        #expect(house.far.statistics.forwardedCommands == forwarded)
    }

    @Test(arguments: ["no", "protected"])
    func withoutAProxyMessagesWaitIfTheyMustNot(fallback: String) throws {
        let house = try RoutedHouse(nearIsProxy: false)
        let (alice, bob) = try house.friends([.proxyFallback: fallback])
        let before = house.far.statistics
        #expect(try alice.deliver("hello", to: "bob") == .forwarder(.authorization))
        let report = try alice.fetch()
        #expect(report.waiting == 1 && report.isComplete)
        #expect(report.obstacles.map(\.server) == [house.near.address])
        #expect(house.far.statistics.acceptedConnections == before.acceptedConnections)
        // What waits goes when the user thinks better of it.
        alice.close()
        alice.network = [:]
        try alice.reopen()
        #expect(try alice.fetch().waiting == 0)
        _ = try bob.fetch()
        #expect(try bob.texts("alice") == ["hello"])
    }

    @Test func aRelayBehindTheProxyThatIsGone() throws {
        let house = try RoutedHouse()
        let (alice, _) = try house.friends()
        house.far.stop()
        guard case .unreachable? = try alice.deliver("hello", to: "bob") else {
            return #expect(Bool(false), "the far relay is in the way")
        }
        #expect(try alice.fetch().obstacles.map(\.server) == [house.far.address])
    }

    @Test func aProxyThatIsGone() throws {
        let house = try RoutedHouse()
        let (alice, bob) = try house.friends()
        let before = house.far.statistics.acceptedConnections
        house.near.stop()
        guard case .forwarder(.unreachable)? = try alice.deliver("hello", to: "bob") else {
            return #expect(Bool(false), "the near relay is in the way")
        }
        #expect(house.far.statistics.acceptedConnections == before)
        try house.near.start()
        #expect(try alice.fetch().waiting == 0)
        _ = try bob.fetch()
        #expect(try bob.texts("alice") == ["hello"])
    }

    /// The proxy dies when the message is at its destination and the answer is on its way back.
    @Test func aMessageWhoseAnswerIsLostArrivesOnce() throws {
        let house = try RoutedHouse()
        let (alice, bob) = try house.friends()
        let sent = house.far.statistics.sentMessages
        var hasDied = false
        func watch() {
            guard house.far.statistics.sentMessages == sent else {
                house.near.stop()
                hasDied = true
                return
            }
            house.loop.after(.zero) { watch() }
        }
        watch()
        // Whether the proxy could still say that it ends is of no importance.
        #expect(try alice.deliver("once", to: "bob") != nil)
        #expect(hasDied && house.far.statistics.sentMessages == sent + 1)
        try house.near.start()
        #expect(try alice.deliver("twice", to: "bob") == nil)
        #expect(house.far.statistics.sentMessages == sent + 3)
        _ = try bob.fetch()
        #expect(try bob.texts("alice") == ["once", "twice"])
    }

    /// With another relay of one's own the next attempt goes through that.
    @Test func anotherProxyTakesOver() throws {
        let house = try RoutedHouse()
        let alice = try house.person("alice", at: [house.near])
        let bob = try house.person("bob", at: [house.far])
        try bob.join(try alice.invite())
        for store in [bob, alice, bob] { _ = try store.fetch() }
        let third = try house.place("127.0.0.3", "third")
        let servers = [house.near, third].map { ConfiguredServer(address: $0.address) }
        _ = try alice.execute(SetServers(ProfileID(1), servers))
        house.near.stop()
        // At most the first attempt meets the relay that is gone.
        _ = try alice.deliver("hello", to: "bob")
        _ = try alice.fetch()
        #expect(third.statistics.proxiedCommands > 0)
        _ = try bob.fetch()
        #expect(try bob.texts("alice").first == "hello")
    }

    // MARK: - Proxies of the network

    @Test func nothingGoesWithoutAProxyThatIsRequired() throws {
        let house = try RoutedHouse()
        let (alice, _) = try house.friends([.requiresProxy: "yes"])
        let near = house.near.statistics.acceptedConnections, far = house.far.statistics.acceptedConnections
        #expect(try alice.deliver("hello", to: "bob") == .proxyRequired)
        let report = try alice.fetch()
        #expect(report.obstacles.contains { $0.problem == .proxyRequired })
        #expect(report.waiting == 1)
        #expect(house.near.statistics.acceptedConnections == near)
        #expect(house.far.statistics.acceptedConnections == far)
    }

    @Test func settingsAreReadFromTexts() throws {
        #expect(try NetworkSettings([:]) == NetworkSettings([.proxy: "", .onion: ""]))
        #expect(try NetworkSettings([:]) == NetworkSettings([.proxyMode: "unknown", .proxyFallback: "yes"]))
        for setting in NetworkSettings.Setting.allCases {
            #expect(throws: NetworkSettings.InvalidText(setting: setting)) { try NetworkSettings([setting: "maybe"]) }
        }
    }
}
