import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import TestSupport
import Testing

/// What the core asks of the proxy, and for whom.
@Suite struct ProxyRuleTests {
    private let server: ServerAddress

    init() throws {
        server = try ServerAddress(text: "smp://\(Base64URL.encode(Bytes(1...32)))@localhost")
    }

    @Test func command_is_forwarded_unchanged() throws {
        let world = try CoreWorld()
        let client = world.connect(), entity = EntityID(world.random.bytes(32))
        var asked: [ProxyRequest] = []
        world.proxy = {
            asked.append($0)
            return .pres(encrypted: [7])
        }
        let id = CorrelationID(random: world.random), key = client.ownKey.publicKey
        let forward = ClientCommand.pfwd(version: 17, key: key, encrypted: [1, 2])
        #expect(try client.ask(forward, of: entity, correlationID: id) == .pres(encrypted: [7]))
        let request = try #require(asked.first)
        #expect(asked.count == 1 && request.connection == client.id && request.correlationID == id)
        #expect(request.entityID == entity)
        let command = ForwardedCommand(correlationID: id, version: 17, key: key, encrypted: [1, 2])
        #expect(request.operation == .forward(command))
        #expect(world.core.statistics.proxiedCommands == 1)
    }

    @Test(arguments: [nil, "secret", "wrong!"]) func thePasswordIsCheckedBefore(_ attempt: String?) throws {
        var rules = RelayRules()
        rules.password = try ServerPassword("secret")
        rules.acceptsNewQueues = false
        let world = try CoreWorld(rules: rules)
        var asked: [ProxyRequest.Operation] = []
        world.proxy = {
            asked.append($0.operation)
            return .err(.proxy(.broker(.network)))
        }
        let command = ClientCommand.prxy(server, password: try attempt.map { try ServerPassword($0) })
        let answer = try world.connect().ask(command)
        #expect(answer == .err(.proxy(attempt == "secret" ? .broker(.network) : .password)))
        #expect(asked == (attempt == "secret" ? [.session(server)] : []))
    }

    @Test func too_many_proxy_requests_delay_the_client() throws {
        var rules = RelayRules()
        rules.proxyRequests = 2
        let world = try CoreWorld(rules: rules)
        let client = world.connect(), other = world.connect()
        for _ in 0..<2 {
            #expect(world.core.accepts(client.id))
            try client.submit(.prxy(server, password: nil))
        }
        #expect(!world.core.accepts(client.id) && world.core.accepts(other.id))
        #expect(try world.core.endTurn().isEmpty)
        let asked = world.core.takeProxyRequests()
        #expect(asked.count == 2 && world.core.takeProxyRequests().isEmpty)
        world.core.answer(asked[1], with: .err(.proxy(.broker(.timeout))))
        #expect(world.core.accepts(client.id))
        client.disconnect()
        world.core.answer(asked[0], with: .err(.proxy(.broker(.timeout))))
        try world.endTurn()
        #expect(!world.core.accepts(client.id))
        #expect(world.core.statistics.failedProxySessions == 2)
    }

    @Test func aConnectionMakesSoManyQueues() throws {
        var rules = RelayRules()
        rules.queuesPerConnection = 3
        let world = try CoreWorld(rules: rules)
        let client = world.connect()
        let queues = try (0..<3).map { _ in try client.makeQueue() }
        #expect(try client.own(queues[0], .del) == .ok)
        let key = ed25519(world)
        let new = NewQueue(
            recipientKey: key.publicKey, dhKey: client.ownKey.publicKey, request: QueueRequest(mode: .messaging))
        #expect(try client.ask(.new(new), key: key) == .auth)
        #expect(try client.own(queues[1], .que).tag == .info)
        _ = try world.connect().makeQueue()
    }
}
