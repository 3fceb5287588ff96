import AgentProtocol
import ChatProtocol
import SMPProtocol
import Testing

@testable import ChatCore

/// The servers of profiles, and those of new queues.
@Suite struct ServersTests {
    private func disable(_ bench: Workbench) throws {
        try bench.store.transaction {
            for var server in try bench.store.servers(of: ProfileID(1)) {
                server.isEnabled = false
                try bench.store.update(server)
            }
        }
    }

    @Test func a_queue_is_made_elsewhere_if_there_is_a_choice() throws {
        let bench = try Workbench(), servers = bench.servers()
        #expect(try servers.server(for: ProfileID(1), besides: [Workbench.server]).address == Workbench.server)
        try bench.store.transaction {
            try bench.store.insert(ProfileServer(ConfiguredServer(address: Workbench.otherServer)), of: ProfileID(1))
        }
        for _ in 0..<8 {
            let chosen = try servers.server(for: ProfileID(1), besides: [Workbench.server])
            #expect(chosen.address == Workbench.otherServer)
        }
    }

    @Test func without_servers_nothing_new_is_begun_but_answers_are_given() throws {
        let bench = try Workbench(), servers = bench.servers()
        try disable(bench)
        #expect(throws: ChatError.noServer) { try servers.server(for: ProfileID(1)) }
        #expect(try servers.replyServer(for: ProfileID(1), besides: nil)?.address == Workbench.server)
        #expect(try servers.longestAddress(for: ProfileID(1)) == Workbench.server)
    }

    @Test func presets_without_accepted_conditions_are_not_used() throws {
        let bench = try Workbench(), servers = bench.servers()
        try disable(bench)
        try bench.store.transaction { try servers.addPresets(of: .flux, to: ProfileID(1), isUsed: true) }
        #expect(throws: ChatError.conditionsNotAccepted) { try servers.server(for: ProfileID(1)) }
        try bench.store.transaction { try bench.store.accept(.current, of: .flux, at: bench.now) }
        #expect(try servers.used(by: ProfileID(1)).count == PresetServers.usedCount(of: .flux))
    }

    @Test func a_new_profile_begins_with_the_own_servers_of_the_active_one() throws {
        let bench = try Workbench(), servers = bench.servers()
        let id = try bench.store.transaction {
            try bench.store.accept(.current, of: .flux, at: bench.now)
            let id = try bench.store.insertProfile(Profile(displayName: "work"), at: bench.now)
            try servers.give(to: id, after: ProfileID(1))
            return id
        }
        #expect(try servers.used(by: id).map(\.address) == [Workbench.server])
        // It does not use presets, because the other one does not; it can switch them on.
        #expect(try bench.store.servers(of: id).contains { $0.isPreset && !$0.isEnabled })
    }

    @Test func a_rotated_queue_goes_to_another_server_or_nowhere() throws {
        let bench = try Workbench(), servers = bench.servers()
        #expect(
            try servers.rotationServer(for: ProfileID(1), used: [Workbench.otherServer])?.address == Workbench.server)
        try bench.store.transaction {
            try bench.store.insert(ProfileServer(ConfiguredServer(address: Workbench.otherServer)), of: ProfileID(1))
        }
        let chosen = try servers.rotationServer(for: ProfileID(1), used: [Workbench.server, Workbench.otherServer])
        #expect(chosen?.address == Workbench.otherServer)
    }
}
