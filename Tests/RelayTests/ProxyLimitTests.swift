import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import SystemIO
import TestSupport
import Testing

/// How much a proxy lets wait, and what happens when the relay behind it is slow or gone.
@Suite(.timeLimit(.minutes(60))) struct ProxyLimitTests {
    private let send = ClientCommand.send(MessageFlags(notifies: false), body: Bytes("hello".utf8))
    private let timeout = RelayMessage.err(.proxy(.broker(.timeout)))

    private func limits(_ change: (inout ProxyLimits) -> Void) -> RelayLimits {
        var limits = RelayLimits.loopback
        change(&limits.proxy)
        return limits
    }

    /// Answers that nobody can read, but that are answers.
    private func refuse(_ relay: OtherRelay, _ id: CorrelationID) {
        relay.answer(id, .err(.crypto))
    }

    @Test func theRelayDiesInTheMiddle() throws {
        let near = try RelayWorld()
        var ids: [CorrelationID] = []
        let relay = try OtherRelay(near.loop) { relay, id, _ in
            ids.append(id)
            if ids.count == 10 { relay.hangUp() }
        }
        let client = try near.connect()
        let proxied = try near.proxied(client, relay.address)
        let sent = try (0..<10).map { _ in try proxied.send(send, of: EntityID([1])) }
        try near.run("all are answered") { sent.allSatisfy { client.answer(to: $0.id) != nil } }
        for one in sent { #expect(try proxied.answer(to: one) == .err(.proxy(.broker(.network)))) }
        #expect(try near.ask(proxied, send, of: EntityID([1])) == .err(.proxy(.noSession)))
        #expect(near.server?.statistics.proxiedRelays == 0)
        // It has been started again.
        let again = try near.proxied(client, relay.address)
        #expect(again.session.sessionID != proxied.session.sessionID)
        #expect(relay.connections == 2)
    }

    @Test func aSlowRelayKeepsItsSession() throws {
        let near = try RelayWorld(limits: limits { $0.answerDeadline = .milliseconds(50) })
        var ids: [CorrelationID] = []
        var isFast = false
        let relay = try OtherRelay(near.loop) { relay, id, _ in
            ids.append(id)
            if isFast { refuse(relay, id) }
        }
        let client = try near.connect()
        let proxied = try near.proxied(client, relay.address)
        let slow = try proxied.send(send, of: EntityID([1]))
        try near.run("it takes too long") { client.answer(to: slow.id) != nil && ids.count == 1 }
        #expect(try proxied.answer(to: slow) == timeout)
        // The late answer is nobody's.
        refuse(relay, ids[0])
        isFast = true
        #expect(try near.ask(proxied, send, of: EntityID([1])) == .err(.proxy(.relay(.crypto))))
        #expect(relay.connections == 1)
        #expect(client.received.count == 3)
    }

    @Test func unresponsive_relay_loses_its_session() throws {
        let near = try RelayWorld(limits: limits { $0.silenceDeadline = .milliseconds(50) })
        let relay = try OtherRelay(near.loop)
        let client = try near.connect()
        let proxied = try near.proxied(client, relay.address)
        #expect(try near.ask(proxied, send, of: EntityID([1])) == timeout)
        try near.run("the session ends") { near.server?.statistics.proxiedRelays == 0 }
        #expect(try near.proxied(client, relay.address).session.sessionID != proxied.session.sessionID)
    }

    @Test func aClientWaitsWhenTooMuchOfItWaits() throws {
        let near = try RelayWorld(limits: limits { $0.requestsPerClient = 3 })
        var ids: [CorrelationID] = []
        let relay = try OtherRelay(near.loop) { _, id, _ in ids.append(id) }
        let client = try near.connect(), other = try near.connect()
        let proxied = try near.proxied(client, relay.address)
        let sent = try (0..<5).map { _ in try proxied.send(send, of: EntityID([1])) }
        let ping = try #require(try client.send([(.ping, .empty, nil)]).first)
        try near.run("three have come") { ids.count == 3 }
        for _ in 0..<20 { #expect(try near.ask(other, .ping) == .pong) }
        #expect(ids.count == 3 && client.answer(to: ping) == nil)
        refuse(relay, ids[0])
        try near.run("the fourth comes") { ids.count == 4 }
        #expect(client.answer(to: ping) == nil)
        refuse(relay, ids[1])
        refuse(relay, ids[2])
        try near.run("the client is served again") { client.answer(to: ping) != nil }
        for id in ids.dropFirst(3) { refuse(relay, id) }
        try near.run("all are answered") { sent.allSatisfy { client.answer(to: $0.id) != nil } }
        #expect(ids.count == 5)
    }

    @Test(arguments: [true, false]) func aRelayGetsSoMuchAtATime(_ inAll: Bool) throws {
        let near = try RelayWorld(limits: limits { if inAll { $0.requests = 2 } else { $0.requestsPerRelay = 2 } })
        var ids: [CorrelationID] = []
        let relay = try OtherRelay(near.loop) { _, id, _ in ids.append(id) }
        let client = try near.connect()
        let proxied = try near.proxied(client, relay.address)
        let sent = try (0..<3).map { _ in try proxied.send(send, of: EntityID([1])) }
        try near.run("the third is answered") { client.answer(to: sent[2].id) != nil && ids.count == 2 }
        #expect(try proxied.answer(to: sent[2]) == timeout)
        for id in ids { refuse(relay, id) }
        try near.run("all are answered") { sent.allSatisfy { client.answer(to: $0.id) != nil } }
        let next = try proxied.send(send, of: EntityID([1]))
        try near.run("there is room again") { ids.count == 3 }
        refuse(relay, ids[2])
        try near.run("it is answered") { client.answer(to: next.id) != nil }
    }

    @Test func asManyRelaysAsThereIsRoomFor() throws {
        let near = try RelayWorld(
            limits: limits {
                $0.relays = 2
                $0.spareTime = .seconds(3600)
            })
        let relays = try (0..<3).map { _ in try OtherRelay(near.loop) }, client = try near.connect()
        for relay in relays.prefix(2) { _ = try near.proxied(client, relay.address) }
        #expect(
            try near.ask(client, .prxy(relays[2].address, password: nil)) == .err(.proxy(.broker(.network))))
        relays[0].hangUp()
        try near.run("the session ends") { near.server?.statistics.proxiedRelays == 1 }
        _ = try near.proxied(client, relays[2].address)
    }

    @Test func theSessionThatWasUsedLeastMakesRoom() throws {
        let near = try RelayWorld(
            limits: limits {
                $0.relays = 2
                $0.spareTime = .zero
            })
        let relays = try (0..<3).map { _ in try OtherRelay(near.loop) { relay, id, _ in refuse(relay, id) } }
        let client = try near.connect()
        let first = try near.proxied(client, relays[0].address), second = try near.proxied(client, relays[1].address)
        #expect(try near.ask(first, send, of: EntityID([1])) == .err(.proxy(.relay(.crypto))))
        _ = try near.proxied(client, relays[2].address)
        #expect(try near.ask(first, send, of: EntityID([1])) == .err(.proxy(.relay(.crypto))))
        #expect(try near.ask(second, send, of: EntityID([1])) == .err(.proxy(.noSession)))
    }

    @Test func responses_to_closed_connections_are_dropped() throws {
        let near = try RelayWorld()
        var ids: [CorrelationID] = []
        let relay = try OtherRelay(near.loop) { _, id, _ in ids.append(id) }
        let client = try near.connect(), other = try near.connect()
        let proxied = try near.proxied(client, relay.address)
        for _ in 0..<3 { _ = try proxied.send(send, of: EntityID([1])) }
        try near.run("they have come") { ids.count == 3 }
        client.close()
        try near.run("the client is gone") { near.server?.statistics.connections == 1 }
        for id in ids { refuse(relay, id) }
        try near.run("they are counted") { near.server?.statistics.proxiedCommands == 3 }
        #expect(try near.ask(other, .ping) == .pong)
        // A client that goes while its session is being opened.
        let late = try OtherRelay(near.loop)
        let hasty = try near.connect()
        try hasty.send([(.prxy(late.address, password: nil), .empty, nil)])
        hasty.close()
        #expect(try near.proxied(other, late.address).session.versions == SMP.proxiedVersions)
    }
}
