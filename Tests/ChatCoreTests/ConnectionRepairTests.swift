import AgentProtocol
import ChatCore
import ChatProtocol
import SMPProtocol
import TestSupport
import Testing

/// Queues that move, ratchets that are replaced, and relays that refuse, as people see them.
@Suite struct ConnectionRepairTests {
    private func notices(_ store: TestStore, _ name: String) throws -> [ChatItem.Content] {
        try store.items(name).map(\.content).filter { if case .message = $0 { false } else { true } }
    }

    @Test func aQueueMoves() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let chat = ChatTarget.name("bob")
        let started = try alice.execute(SwitchQueue(chat))
        #expect(started.kind == .switchStarted && started.contact.name == "bob")
        #expect(started.condition.isSwitching && started.condition.canAbortSwitch)
        for store in [alice, bob] { _ = try store.fetch() }
        #expect(try alice.contacts().map { $0.connection?.movesOwnQueue } == [true])
        #expect(try bob.contacts().map { $0.connection?.movesContactQueue } == [true])
        #expect(throws: ChatError.notPossible(.switchQueue, "bob")) { try alice.execute(SwitchQueue(chat)) }
        for _ in 0..<3 { for store in [alice, bob] { _ = try store.fetch() } }
        _ = try alice.fetch()
        let phases = alice.events().compactMap { event in
            (event as? QueueSwitchedEvent).flatMap { $0.direction == .receiving ? $0.phase : nil }
        }
        #expect(phases == [.started, .confirmed, .secured, .completed])
        #expect(try alice.contacts().map { $0.connection?.movesOwnQueue } == [false])
        #expect(try bob.contacts().map { $0.connection?.movesContactQueue } == [false])
        #expect(
            try notices(alice, "bob") == [.queueSwitch(.receiving, .started), .queueSwitch(.receiving, .completed)])
        #expect(try notices(bob, "alice") == [.queueSwitch(.sending, .started), .queueSwitch(.sending, .completed)])
        // Both entries count as unread, as in the official client.
        #expect(try bob.contacts().map(\.unreadCount) == [2])
        try bob.send("through the new queue", to: "alice")
        for store in [bob, alice] { _ = try store.fetch() }
        #expect(try alice.texts("bob").last == "through the new queue")
        #expect(throws: ChatError.notPossible(.abortSwitch, "bob")) { try alice.execute(AbortSwitch(chat)) }
    }

    /// What a full queue holds up says so, until the contact has read and it goes on.
    @Test func aMessageThatIsHeldUpSaysWhy() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        for number in 0..<130 { try alice.send("\(number)", to: "bob") }
        let report = try alice.fetch()
        #expect(report.waiting == 2)
        let held = try alice.items("bob").filter { $0.status == .sendWarning(.quota) }
        #expect(held.map(\.content.plainText) == ["128"])
        #expect(
            alice.events().contains { ($0 as? ItemsUpdatedEvent)?.items.map(\.item) == held })
        let status = try alice.execute(ShowStatus())
        #expect(status.waiting == 2 && status.heldUp == 1)
        try alice.reopen()
        for store in [bob, alice, alice, bob] { _ = try store.fetch() }
        #expect(try bob.texts("alice") == (0..<130).map { "\($0)" })
        #expect(try alice.items("bob").allSatisfy { $0.status != .sendWarning(.quota) && $0.status != .sendNew })
    }

    @Test func aMoveIsGivenUp() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        _ = try alice.execute(SwitchQueue(.name("bob")))
        _ = try alice.fetch()
        let aborted = try alice.execute(AbortSwitch(.name("bob")))
        #expect(aborted.kind == .switchAborted && !aborted.condition.isSwitching)
        for store in [alice, bob, alice] { _ = try store.fetch() }
        #expect(
            try notices(alice, "bob") == [.queueSwitch(.receiving, .started), .queueSwitch(.receiving, .aborted)])
    }

    /// A contact that moves its queue all the time does not fill the conversation.
    @Test func noticesAreNotRepeatedWithoutEnd() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        for _ in 0..<10 {
            _ = try alice.execute(SwitchQueue(.name("bob")))
            _ = try alice.fetch()
            _ = try alice.execute(AbortSwitch(.name("bob")))
            for store in [bob, alice] { _ = try store.fetch() }
        }
        #expect(try notices(alice, "bob").count == 16)
        #expect(try notices(bob, "alice").count == 8)
    }

    @Test func aNewRatchetChangesTheSecurityCode() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let chat = ChatTarget.name("bob")
        #expect(throws: ChatError.notPossible(.synchronize, "bob")) {
            try alice.execute(SynchronizeRatchet(chat, isForced: false))
        }
        let started = try alice.execute(SynchronizeRatchet(chat, isForced: true))
        #expect(started.kind == .synchronizationStarted && started.condition.synchronization == .started)
        // What is written meanwhile waits for the new ratchet, and keeps its order.
        for text in ["one", "two"] { #expect(try alice.send(text, to: "bob").status == .sendNew) }
        for store in [alice, bob, alice, bob, alice, bob] { _ = try store.fetch() }
        #expect(try bob.texts("alice").suffix(2) == ["one", "two"])
        #expect(
            try notices(alice, "bob")
                == [
                    .synchronization(.started), .synchronization(.agreed), .securityCodeChanged, .synchronization(.ok),
                ])
        #expect(
            try notices(bob, "alice") == [.synchronization(.agreed), .securityCodeChanged, .synchronization(.ok)])
        let states = alice.events().compactMap { ($0 as? RatchetSynchronizedEvent)?.state }
        #expect(states == [.started, .agreed, .ok])
    }

    /// Both are told of the connection of two members, in the group.
    @Test func aQueueAndARatchetOfAMemberAreReplaced() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        try bob.join(try house.linkedGroup(of: alice))
        try house.settle([alice, bob]) { try bob.isInGroup(with: 1) && alice.isInGroup(with: 1) }
        func entries(_ store: TestStore) throws -> [ChatItem.Content] {
            let items = try store.execute(ShowChat(.reference(.group(try store.group().id)), .last(100))).items
            return items.map(\.content).filter { content in
                switch content {
                case .queueSwitch, .synchronization, .securityCodeChanged: true
                default: false
                }
            }
        }
        let group = GroupTarget.id(try alice.group().id), member = MemberTarget.ids([try alice.member("bob").id])
        _ = try alice.execute(SwitchMemberQueue(group, member))
        for _ in 0..<4 { for store in [bob, alice] { _ = try store.fetch() } }
        let phases = { (store: TestStore) in
            store.events().compactMap { $0 as? MemberQueueSwitchedEvent }
        }
        let (own, others) = (phases(alice), phases(bob))
        #expect(own.map(\.phase) == [.started, .confirmed, .secured, .completed])
        #expect(own.allSatisfy { $0.direction == .receiving && $0.member.profile.displayName == "bob" })
        #expect(others.first?.phase == .started && others.last?.phase == .completed)
        #expect(others.allSatisfy { $0.direction == .sending && $0.member.profile.displayName == "alice" })
        #expect(try entries(alice).isEmpty)
        #expect(try entries(bob) == [.queueSwitch(.sending, .started), .queueSwitch(.sending, .completed)])

        _ = try alice.execute(SynchronizeMember(group, member, isForced: true))
        for _ in 0..<3 { for store in [bob, alice] { _ = try store.fetch() } }
        let states = { (store: TestStore) in
            store.events().compactMap { ($0 as? MemberSynchronizedEvent)?.state }
        }
        #expect(states(alice) == [.started, .agreed, .ok])
        #expect(states(bob) == [.agreed, .ok])
        #expect(try entries(alice) == [.synchronization(.agreed), .synchronization(.ok)])
        try bob.say("through the new ratchet")
        try house.settle([bob, alice])
        #expect(try alice.heard().last == "through the new ratchet")
    }

    @Test func aQueueThatIsGoneIsNoticedAndCounted() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let (carol, dave) = (try house.person("carol"), try house.person("dave"))
        try carol.join(try dave.invite())
        for store in [carol, dave, carol] { _ = try store.fetch() }
        house.stopRelay()
        try house.forgetQueues()
        try house.startRelay()
        for number in 0..<10 {
            #expect(try alice.contacts()[0].isReady)
            try alice.send("\(number)", to: "bob")
            _ = try alice.fetch()
        }
        let contact = try alice.contacts()[0]
        #expect(contact.connection?.authErrorCount == 10 && !contact.isReady)
        #expect(contact.connection?.isRefused == true)
        #expect(alice.events().contains { $0 is ContactDisabledEvent })
        #expect(throws: ChatError.contactNotActive("bob")) { try alice.send("more", to: "bob") }
        // That nothing can be received stands in the conversation once.
        _ = try bob.fetch()
        _ = try bob.fetch()
        #expect(try notices(bob, "alice") == [.queueRefused])
    }
}
