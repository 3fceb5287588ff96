import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPProtocol
import TestSupport
import Testing

@testable import ChatCore

/// The chat relays that profiles list for their channels.
@Suite struct ChatRelayListTests {
    static func address(_ letter: Character, host: String = "relay.example") -> String {
        let fingerprint = String(repeating: "A", count: 43)
        return "https://\(host)/r#\(String(repeating: letter, count: 42))A?c=\(fingerprint)"
    }

    private static func relays(_ store: TestStore, _ profile: Int64 = 1) throws -> [ChatRelay] {
        try store.execute(ListServers(ProfileID(profile))).groups.flatMap(\.relays)
    }

    private static func set(_ store: TestStore, _ text: String) throws {
        let command = try #require(try ChatCommands.parse("/relays \(text)") as? SetChatRelays)
        _ = try store.execute(command)
    }

    @Test func replacing_the_list_keeps_the_ids_of_used_ones_and_refuses_an_address_twice() throws {
        let house = try TestHouse(), alice = try house.person("alice")
        #expect(try Self.relays(alice).isEmpty)
        let first = Self.address("b"), second = Self.address("c")
        try Self.set(alice, "name=one \(first) name='the other' \(second)")
        let known = try Self.relays(alice)
        #expect(known.map(\.profile.displayName) == ["one", "the other"] && known.map(\.text) == [first, second])
        #expect(known.allSatisfy { $0.isEnabled && !$0.isPreset && $0.operator == nil })
        #expect(throws: ChatError.channel(.repeatedRelay)) {
            try Self.set(alice, "name=a \(first) name=b \(first)")
        }
        #expect(try Self.relays(alice) == known)
        try Self.set(alice, "name=only \(second)")
        #expect(try Self.relays(alice).map(\.profile.displayName) == ["only"])
        #expect(try Self.relays(alice).first?.id == known[1].id)
        try alice.reopen()
        #expect(try Self.relays(alice).map(\.text) == [second])
        let shown = try alice.execute(ListChatRelays()).groups
        #expect(shown.flatMap(\.relays).count == 1 && shown.allSatisfy(\.servers.isEmpty))
    }

    @Test func servers_say_what_is_wrong_with_chat_relays() throws {
        let house = try TestHouse(), alice = try house.person("alice")
        let without = try alice.execute(ListServers(nil)).groups
        #expect(try alice.execute(ValidateServers(ProfileID(1), without)).warnings == [.noChatRelays])
        try Self.set(alice, "name=one \(Self.address("b"))")
        let groups = try alice.execute(ListServers(nil)).groups
        let validation = try alice.execute(ValidateServers(ProfileID(1), groups))
        #expect(validation.warnings.isEmpty && validation.problems.isEmpty)
        let relay = try #require(groups.flatMap(\.relays).first)
        let twice = OperatorServers(nil, groups.flatMap(\.servers), relays: [relay, relay])
        let name = relay.profile.displayName
        #expect(
            try alice.execute(ValidateServers(ProfileID(1), [twice])).problems == [
                .duplicateRelay(name: name, address: relay.text), .duplicateRelay(name: name, address: relay.text),
            ])
        var off = relay
        off.isEnabled = false
        _ = try alice.execute(UpdateServers(ProfileID(1), [], relays: [off]))
        #expect(try Self.relays(alice).map(\.isEnabled) == [false])
        let disabled = try alice.execute(ListServers(nil)).groups
        #expect(try alice.execute(ValidateServers(ProfileID(1), disabled)).warnings == [.noChatRelays])
        off.isDeleted = true
        _ = try alice.execute(UpdateServers(ProfileID(1), [], relays: [off]))
        #expect(try Self.relays(alice).isEmpty)
        #expect(throws: ChatError.channel(.unknownRelay)) {
            try alice.execute(UpdateServers(ProfileID(1), [], relays: [off]))
        }
    }

    @Test func preset_relays_come_with_the_conditions_and_are_only_switched_off() throws {
        let house = try TestHouse(), alice = try house.person("alice")
        _ = try alice.execute(AcceptConditions([.simplex]))
        let presets = try Self.relays(alice)
        #expect(presets.count == 3 && presets.allSatisfy { $0.isPreset && $0.isEnabled && $0.operator == .simplex })
        #expect(presets.allSatisfy { (try? $0.address.usableServer()) != nil })
        var removed = presets[0]
        removed.isDeleted = true
        #expect(throws: ChatError.channel(.presetRelay)) {
            try alice.execute(UpdateServers(ProfileID(1), [], relays: [removed]))
        }
        try Self.set(alice, "name=own \(Self.address("b"))")
        let beside = try Self.relays(alice)
        #expect(beside.filter(\.isPreset).count == 3 && beside.filter(\.isEnabled).map(\.isPreset) == [false])
        // A new profile gets the own ones of the active one.
        _ = try alice.execute(CreateProfile(Profile(displayName: "second")))
        #expect(try Self.relays(alice, 2).filter { !$0.isPreset }.map(\.text) == [Self.address("b")])
    }

    @Test func the_address_of_a_chat_relay_is_no_link_to_connect_with() throws {
        let house = try TestHouse(), alice = try house.person("alice")
        let address = Self.address("b")
        #expect(throws: ChatError.channel(.relayAddress)) { try alice.execute(PlanConnection(nil, link: address)) }
        for plansFirst in [true, false] {
            #expect(throws: ChatError.channel(.relayAddress)) {
                try alice.execute(Connect(nil, link: address, name: nil, plansFirst: plansFirst))
            }
        }
        #expect(throws: ChatError.channel(.unknownRelay)) {
            try alice.execute(CreateChannel(nil, on: [ChatRelayID(1)], GroupProfile(displayName: "news")))
        }
    }

    @Test(arguments: [
        "", "name=a", "name= https://relay.example/r#x", "https://relay.example/r#x",
        "name=a https://relay.example/a#\(String(repeating: "b", count: 42))A?c=\(String(repeating: "A", count: 43))",
        "name=a smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@relay.example",
    ])
    func other_texts_are_no_lists_of_chat_relays(text: String) throws {
        let command = try? ChatCommands.parse("/relays \(text)")
        #expect(!(command is SetChatRelays))
    }

    @Test func a_chat_relay_survives_json_and_a_damaged_one_is_refused() throws {
        let relay = ChatRelay(
            id: ChatRelayID(3), try ChatRelay.address(text: Self.address("b")),
            RelayProfile(displayName: "one", shortDescription: "of a friend"), domains: ["a.example", "b.example"],
            isTested: true, isEnabled: false)
        #expect(try ChatRelay(decoding: relay.encoded) == relay)
        for count in 0..<relay.encoded.count {
            #expect(throws: DecodeError.self) { try ChatRelay(decoding: Bytes(relay.encoded.prefix(count))) }
        }
    }
}
