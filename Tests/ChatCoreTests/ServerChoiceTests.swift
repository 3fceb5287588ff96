import ByteCoding
import ChatCore
import SMPProtocol
import TestSupport
import Testing

/// Which server a new queue gets.
@Suite struct ServerChoiceTests {
    private static let accepted = ServerOperator.Tag.allCases.map {
        ServerOperator($0, acceptance: ConditionsAcceptance(version: "v", time: Timestamp(milliseconds: 0)))
    }

    private static func presets(_ tag: ServerOperator.Tag) -> [ProfileServer] {
        PresetServers.servers(of: tag).map { ProfileServer(ConfiguredServer(address: $0), isPreset: true) }
    }

    private static func own(_ host: String, isEnabled: Bool = true) throws -> ProfileServer {
        let text = "smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@\(host)"
        return ProfileServer(try ConfiguredServer(text: text), isEnabled: isEnabled)
    }

    /// How often each operator is chosen in 3000 turns; nil stands for servers of one's own.
    private static func turns(
        _ choice: ServerChoice, besides others: [ServerAddress] = []
    ) throws -> [ServerOperator.Tag?: Int] {
        var random = SeededRandom(seed: 7)
        var counts: [ServerOperator.Tag?: Int] = [:]
        for _ in 0..<3000 {
            let server = try #require(choice.server(besides: others, using: &random))
            counts[ServerOperator.Tag(of: server.address), default: 0] += 1
        }
        return counts
    }

    @Test func presetsAreThoseOfThePublicNetwork() throws {
        #expect(PresetServers.servers(of: .simplex).count == 11 && PresetServers.servers(of: .flux).count == 6)
        #expect(PresetServers.retired.count == 4)
        for tag in ServerOperator.Tag.allCases {
            for address in PresetServers.servers(of: tag) {
                #expect(ServerOperator.Tag(of: address) == tag)
                #expect(address.fingerprint.count == 32 && address.hosts.count == 2 && address.port == nil)
                guard case .domain? = address.hosts.first, case .onion(let onion)? = address.hosts.last else {
                    Issue.record("\(address) has a public host and an onion one")
                    continue
                }
                #expect(onion.count == 62)
            }
        }
        let all = ServerOperator.Tag.allCases.flatMap(PresetServers.servers(of:)) + PresetServers.retired
        #expect(Set(all.map(\.fingerprint)).count == 21)
    }

    @Test func hostsOfOthersAreNotThoseOfAnOperator() throws {
        let address = { (host: String) in try Self.own(host).address }
        #expect(ServerOperator.Tag(of: try address("new.simplex.im")) == .simplex)
        #expect(ServerOperator.Tag(of: try address("SMP9.SimpleX.im")) == .simplex)
        #expect(ServerOperator.Tag(of: try address("evilsimplex.im")) == nil)
        #expect(ServerOperator.Tag(of: try address("simplex.im.evil.example")) == nil)
    }

    @Test func aNewProfileUsesSomeOfThePresets() {
        var random = SeededRandom(seed: 1)
        var seen: Set<ServerAddress> = []
        for _ in 0..<200 {
            for tag in ServerOperator.Tag.allCases {
                let servers = PresetServers.selection(of: tag, using: &random)
                #expect(servers.map(\.address) == PresetServers.servers(of: tag))
                let used = servers.filter(\.isEnabled)
                #expect(used.count == PresetServers.usedCount(of: tag))
                seen.formUnion(used.map(\.address))
            }
        }
        #expect(seen.count == 17)
    }

    @Test func operatorsShareQueuesEqually() throws {
        let servers = Self.presets(.simplex) + Self.presets(.flux)
        let counts = try Self.turns(ServerChoice(servers, Self.accepted))
        #expect((1400...1600).contains(counts[.simplex] ?? 0) && (1400...1600).contains(counts[.flux] ?? 0))
        let withOwn = try Self.turns(ServerChoice(try servers + [Self.own("relay.example")], Self.accepted))
        #expect(withOwn.values.allSatisfy { (900...1100).contains($0) } && withOwn.count == 3)
    }

    @Test func everyServerOfAnOperatorIsUsed() throws {
        let choice = ServerChoice(Self.presets(.simplex), Self.accepted)
        var random = SeededRandom(seed: 3)
        let chosen = Set((0..<500).compactMap { _ in choice.server(using: &random)?.address })
        #expect(chosen == Set(PresetServers.servers(of: .simplex)))
    }

    @Test func theOperatorOfTheOtherSideIsAvoided() throws {
        let simplex = try #require(PresetServers.servers(of: .simplex).first)
        let both = ServerChoice(Self.presets(.simplex) + Self.presets(.flux), Self.accepted)
        #expect(try Self.turns(both, besides: [simplex]) == [.flux: 3000])
        // A relay that is on no list belongs to its operator all the same.
        #expect(try Self.turns(both, besides: [Self.own("other.simplexonflux.com").address]) == [.simplex: 3000])
        #expect(try Self.turns(both, besides: [Self.own("relay.example").address]).count == 2)
    }

    @Test func withoutAnotherOperatorAnotherServerIsTaken() throws {
        let addresses = PresetServers.servers(of: .simplex)
        let choice = ServerChoice(Self.presets(.simplex), Self.accepted)
        var random = SeededRandom(seed: 5)
        let chosen = Set((0..<500).compactMap { _ in choice.server(besides: [addresses[0]], using: &random)?.address })
        #expect(chosen == Set(addresses.dropFirst()))

        let own = ServerChoice([try Self.own("a.example"), try Self.own("b.example")], [])
        #expect(
            own.server(besides: [try Self.own("a.example").address], using: &random)?.address.location == "b.example")
        let single = ServerChoice([try Self.own("a.example")], [])
        #expect(single.server(besides: [try Self.own("a.example").address], using: &random) != nil)
    }

    @Test func onlyOwnServersAreUsedWhereOnlyThoseAreConfigured() throws {
        let off = Self.presets(.simplex).map { server in
            var server = server
            server.isEnabled = false
            return server
        }
        let choice = ServerChoice(
            try off + [Self.own("a.example"), Self.own("b.example", isEnabled: false)], Self.accepted)
        #expect(choice.servers.map(\.address.location) == ["a.example"])
        #expect(try Self.turns(choice, besides: [Self.own("a.example").address]) == [nil: 3000])
    }

    @Test func operatorsAreUsedAsTheUserWants() throws {
        let servers = Self.presets(.simplex) + Self.presets(.flux)
        var operators = Self.accepted
        operators[0].isEnabled = false
        #expect(try Self.turns(ServerChoice(servers, operators)) == [.flux: 3000])
        operators[0].isEnabled = true
        operators[1].roles.storesMessages = false
        #expect(try Self.turns(ServerChoice(servers, operators)) == [.simplex: 3000])

        var random = SeededRandom(seed: 9)
        let unaccepted = ServerChoice(servers, ServerOperator.Tag.allCases.map { ServerOperator($0) })
        #expect(unaccepted.server(using: &random) == nil && unaccepted.needsConditions)
        let none = ServerChoice([], Self.accepted)
        #expect(none.server(using: &random) == nil && !none.needsConditions)
    }
}
