import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPClient
import SMPProtocol
import TestSupport
import Testing

@testable import ChatCore

/// Connections, from links to contacts.
@Suite struct ConnectorTests {
    private func presentedName(_ information: Bytes) -> String? {
        guard case .success(.message(let message)) = ChatPayload.elements(of: information).first?.content else {
            return nil
        }
        switch message.event {
        case .profile(let profile, _): return profile.displayName
        case .contactRequest(let request): return request.profile.displayName
        default: return nil
        }
    }

    /// A profile whose address has settings.
    private func address(_ bench: Workbench, _ settings: AddressSettings = AddressSettings()) throws -> ConnectionID {
        let link = bench.link(5).description
        return try bench.store.transaction {
            let id = try bench.connection(.new, link: link)
            try bench.store.markAddress(id)
            try bench.store.setAddress(id, of: ProfileID(1), at: bench.now)
            try bench.store.update(settings, of: ProfileID(1))
            return id
        }
    }

    private func request(_ name: String, key: UInt8) -> Bytes {
        Workbench.information(
            .contactRequest(
                ContactRequest(profile: Profile(displayName: name), requestID: Bytes(repeating: key, count: 16))))
    }

    // MARK: - Links

    @Test func an_invitation_has_the_link_that_the_agent_made() async throws {
        let bench = try Workbench(), connector = bench.connector()
        bench.agent.link = .success(LinkPair(full: bench.link(), short: nil))
        let invitation = try await connector.invite(try bench.profile(), name: "Bob", isIncognito: false)
        #expect(invitation.link.full == bench.link().description)
        #expect(invitation.connection.status == .new && invitation.connection.isInitiated)
    }

    @Test func an_invitation_without_a_queue_leaves_nothing() async throws {
        let bench = try Workbench(), connector = bench.connector()
        bench.agent.link = .failure(.relay(Workbench.server, .timedOut))
        await #expect(throws: AgentError.relay(Workbench.server, .timedOut)) {
            try await connector.invite(try bench.profile(), name: nil, isIncognito: false)
        }
        #expect(try bench.store.pendingConnections(of: ProfileID(1)).isEmpty)
    }

    @Test func the_same_link_again_goes_on_with_its_connection() throws {
        let bench = try Workbench(), connector = bench.connector(), link = bench.link().description
        let first = try connector.connect(try bench.profile(), link: link, name: nil, isIncognito: false)
        let second = try connector.connect(try bench.profile(), link: link, name: nil, isIncognito: false)
        #expect(first.connection?.id == second.connection?.id && bench.agent.joined.count == 1)
        #expect(throws: ChatError.joinedOpenly) {
            try connector.connect(try bench.profile(), link: link, name: nil, isIncognito: true)
        }
    }

    @Test func an_own_link_is_refused() throws {
        let bench = try Workbench(), connector = bench.connector(), link = bench.link(5).description
        _ = try address(bench)
        #expect(throws: ChatError.ownLink) {
            try connector.connect(try bench.profile(), link: link, name: nil, isIncognito: false)
        }
        #expect(throws: ChatError.invalidLink) {
            try connector.connect(try bench.profile(), link: "no link", name: nil, isIncognito: false)
        }
    }

    @Test func an_incognito_connection_does_not_tell_the_name() throws {
        let bench = try Workbench(), connector = bench.connector()
        let started = try connector.connect(
            try bench.profile(), link: bench.link().description, name: nil, isIncognito: true)
        let joined = try #require(bench.agent.joined.first)
        let told = try #require(presentedName(joined.information))
        #expect(told != "alice" && told == started.connection?.incognito?.displayName)
    }

    @Test func a_connection_that_cannot_be_begun_leaves_nothing() throws {
        let bench = try Workbench(), connector = bench.connector()
        bench.agent.joinError = .connection(.incompatible)
        #expect(throws: AgentError.connection(.incompatible)) {
            try connector.connect(try bench.profile(), link: bench.link().description, name: nil, isIncognito: false)
        }
        #expect(try bench.store.pendingConnections(of: ProfileID(1)).isEmpty)
    }

    @Test func a_connection_that_a_crash_kept_from_the_agent_is_begun_at_the_next_start() throws {
        let bench = try Workbench(), link = bench.link().description
        let id = try bench.connection(.prepared, link: link)
        bench.agent.connections = []
        for _ in 0..<2 { try bench.connector().retryPendingRequests() }
        #expect(bench.agent.joined.map(\.connection) == [id])
        // An invitation without a queue is of no use.
        let lost = try bench.connection(.new)
        bench.agent.connections.remove(lost)
        try bench.connector().retryPendingRequests()
        #expect(try bench.store.connection(lost) == nil)
    }

    // MARK: - Handshakes

    @Test func a_confirmation_makes_a_contact_with_a_free_name() throws {
        let bench = try Workbench(), connector = bench.connector()
        try bench.contact("bob")
        let id = try bench.connection(.new), connection = try bench.context.lookup.connection(id)
        let information = Workbench.information(.profile(Profile(displayName: "bob")))
        let event = bench.event(id, .connection(.conf(information: information, supportsPostQuantum: false)))
        let told = try connector.recordConfirmation(event, connection, try bench.profile(), information)
        #expect(bench.agent.allowed == [id] && told.count == 1)
        #expect(try bench.store.contacts(of: ProfileID(1)).map(\.name) == ["bob", "bob_1"])
    }

    @Test func a_handshake_without_a_profile_makes_no_contact() throws {
        let bench = try Workbench(), connector = bench.connector()
        let id = try bench.connection(.new), connection = try bench.context.lookup.connection(id)
        let event = bench.event(id, .connection(.info([1, 2], supportsPostQuantum: false)))
        let told = try connector.recordContact(event, connection, try bench.profile(), [1, 2], status: .sendReady)
        #expect(told.first is MessageUnusableEvent)
        #expect(try bench.store.contacts(of: ProfileID(1)).isEmpty)
    }

    @Test func a_lost_connection_keeps_its_cause() throws {
        let bench = try Workbench(), connector = bench.connector(), bob = try bench.contact()
        let connection = try #require(bob.connection)
        let problem = try #require(ConnectionProblem.allCases.first)
        let told = try connector.recordFailure(
            bench.event(connection.id, .err(problem)), problem, connection, bob, try bench.profile())
        #expect(told.first is ConnectionFailedEvent && connector.problems[connection.id] == problem)
        #expect(try bench.context.lookup.connection(connection.id).status == .failed)
    }

    // MARK: - Requests

    @Test func a_request_waits_and_is_recorded_once() throws {
        let bench = try Workbench(), connector = bench.connector(), id = try address(bench)
        let connection = try bench.context.lookup.connection(id), information = request("bob", key: 3)
        for _ in 0..<2 {
            _ = try connector.recordRequest(
                bench.event(id, .connection(.req(bench.link(), information: information))), connection,
                try bench.profile(), bench.link(), information)
        }
        #expect(try bench.store.requests(of: ProfileID(1)).map(\.name) == ["bob"])
        #expect(bench.agent.joined.isEmpty)
    }

    @Test func an_address_that_accepts_makes_contacts_at_once() throws {
        let bench = try Workbench(), connector = bench.connector()
        let id = try address(bench, AddressSettings(accepts: true))
        let connection = try bench.context.lookup.connection(id), information = request("bob", key: 3)
        let told = try connector.recordRequest(
            bench.event(id, .connection(.req(bench.link(), information: information))), connection,
            try bench.profile(), bench.link(), information)
        #expect(told.first is RequestAcceptingEvent)
        #expect(try bench.store.contacts(of: ProfileID(1)).map(\.name) == ["bob"])
        #expect(try bench.store.requests(of: ProfileID(1)).isEmpty && bench.agent.joined.count == 1)
    }

    @Test func a_request_that_cannot_be_accepted_waits_again() throws {
        let bench = try Workbench(), connector = bench.connector(), id = try address(bench)
        let connection = try bench.context.lookup.connection(id), information = request("bob", key: 3)
        _ = try connector.recordRequest(
            bench.event(id, .connection(.req(bench.link(), information: information))), connection,
            try bench.profile(), bench.link(), information)
        let waiting = try #require(try bench.store.requests(of: ProfileID(1)).first)
        bench.agent.joinError = .connection(.incompatible)
        #expect(throws: AgentError.connection(.incompatible)) { try connector.accept(waiting, isIncognito: false) }
        #expect(try bench.store.requests(of: ProfileID(1)).map(\.name) == ["bob"])
        #expect(try bench.store.contacts(of: ProfileID(1)).isEmpty)
    }

    // MARK: - Contacts

    @Test func a_changed_profile_is_told_once_and_later_to_contacts_that_are_not_ready() throws {
        let bench = try Workbench(), connector = bench.connector()
        let ready = try bench.contact("bob"), late = try bench.contact("carol", status: .joined)
        try bench.store.transaction { try bench.store.oweProfile(of: ProfileID(1)) }
        #expect(try connector.tellChangedProfiles() == [try #require(ready.connection).id])
        #expect(try connector.tellChangedProfiles().isEmpty)
        let id = try #require(late.connection).id
        try bench.store.transaction { try bench.store.update(id, status: .ready, at: bench.now) }
        #expect(try connector.tellChangedProfiles() == [id])
        #expect(bench.agent.sent.map(\.message.event.name) == ["x.info", "x.info"])
    }

    @Test func a_deleted_contact_is_told_and_forgotten() async throws {
        let bench = try Workbench(), connector = bench.connector(), bob = try bench.contact()
        try await connector.delete(bob, keepingMessages: false, notifies: true)
        #expect(bench.agent.sent.map(\.message.event.name) == ["x.direct.del"])
        #expect(bench.agent.deleted == [try #require(bob.connection).id])
        #expect(try bench.store.contacts(of: ProfileID(1)).isEmpty)
        #expect(try bench.store.freeName("bob", in: ProfileID(1)) == "bob")
    }

    @Test func a_deleted_contact_may_leave_its_messages() async throws {
        let bench = try Workbench(), connector = bench.connector(), bob = try bench.contact()
        bench.inbox().handle(bench.text("hello", from: bob))
        try await connector.delete(bob, keepingMessages: true, notifies: false)
        #expect(try bench.context.lookup.contact(bob.id).status == .deletedByUser)
        #expect(try bench.texts(bob) == ["hello"] && bench.agent.sent.isEmpty)
    }

    // MARK: - Queues and ratchets

    @Test func a_rotation_is_noted_at_its_ends_only() throws {
        let bench = try Workbench(), connector = bench.connector(), bob = try bench.contact()
        let id = try #require(bob.connection).id
        for phase in [SwitchPhase.started, .confirmed, .secured] {
            _ = try connector.recordSwitch(
                bench.event(id, .connection(.switching(.receiving, phase))), .receiving, phase, bob, bench.profile())
        }
        #expect(try bench.context.lookup.connection(id).movesOwnQueue)
        _ = try connector.recordSwitch(
            bench.event(id, .connection(.switching(.receiving, .completed))), .receiving, .completed, bob,
            bench.profile())
        #expect(try !bench.context.lookup.connection(id).movesOwnQueue)
        #expect(
            try bench.items(bob).map(\.content)
                == [.queueSwitch(.receiving, .started), .queueSwitch(.receiving, .completed)])
    }

    @Test func a_new_ratchet_takes_the_verification_back() throws {
        let bench = try Workbench(), connector = bench.connector(), bob = try bench.contact()
        try bench.store.transaction {
            try bench.store.setVerification(Contact.Verification(code: "1", verifiedAt: bench.now), bob.id)
        }
        let id = try #require(bob.connection).id
        _ = try connector.recordSynchronization(
            bench.event(id, .connection(.rsync(.agreed))), .agreed, bob, bench.profile())
        let after = try bench.context.lookup.contact(bob.id)
        #expect(after.verification == nil && after.codeChangedAt == bench.now)
        #expect(try bench.items(bob).map(\.content) == [.synchronization(.agreed), .securityCodeChanged])
    }

    @Test func ten_refusals_in_a_row_disable_a_contact() throws {
        let bench = try Workbench(), connector = bench.connector(), bob = try bench.contact()
        var told: [any ChatEvent] = []
        for _ in 0..<10 {
            let connection = try #require(try bench.context.lookup.contact(bob.id).connection)
            told += try connector.countErrors(.refused, connection, try bench.profile())
        }
        #expect(told.count == 1 && told.first is ContactDisabledEvent)
        let disabled = try #require(try bench.context.lookup.contact(bob.id).connection)
        #expect(disabled.isDisabled)
        try connector.clearErrors(disabled)
        #expect(try bench.context.lookup.contact(bob.id).connection?.isDisabled == false)
    }

    @Test func a_full_queue_makes_a_contact_inactive_until_it_takes_messages() throws {
        let bench = try Workbench(), connector = bench.connector(), bob = try bench.contact()
        func connection() throws -> ContactConnection {
            try #require(try bench.context.lookup.contact(bob.id).connection)
        }
        var told: [any ChatEvent] = []
        for _ in 0..<2 { told += try connector.countErrors(.full, try connection(), try bench.profile()) }
        #expect(try connection().isInactive)
        for _ in 0..<2 { told += try connector.clearErrors(try connection()) }
        #expect(try !connection().isInactive)
        let changes = told.compactMap { $0 as? ConnectionInactiveEvent }
        #expect(changes.count == told.count && changes.map(\.isInactive) == [true, false])
        for event in changes {
            let entity = event.json["connectionEntity"]
            #expect(PublishedTypes.official.problem(with: entity, as: "ConnectionEntity") == nil)
            guard case .known(let decoded) = try ChatEvents.decode(event.json) else { throw ChatError.internal }
            #expect(decoded as? ConnectionInactiveEvent == event)
        }
    }
}
