import AgentProtocol
import ChatCore
import ChatProtocol
import SMPProtocol
import TestSupport
import Testing

/// Receipts between two stores: what was sent, what is asked for, and who does not want them.
@Suite struct ReceiptTests {
    @Test func aMessageIsKnownToHaveArrived() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let item = try alice.send("hello", to: "bob")
        _ = try alice.fetch()
        _ = alice.events()
        #expect(try alice.items("bob").last?.status == .sendSent)
        _ = try bob.fetch()
        _ = try alice.fetch()
        #expect(try alice.items("bob").last?.status == .sendReceived(isIntact: true))
        let updates = alice.events().compactMap { ($0 as? ItemsUpdatedEvent)?.items.map(\.item.id) }
        #expect(updates == [[item.id]])
        // The receipt itself leaves no trace with bob.
        #expect(try bob.texts("alice") == ["hello"])
        #expect(try bob.fetch().received == 0)
    }

    @Test func oneCanWaitForTheReceipt() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let item = try alice.send("hello", to: "bob")
        let early = try alice.execute(WaitForDelivery(of: item.id, timeout: .milliseconds(300)))
        #expect(early.obstacle == nil && early.item.item.status == .sendSent)
        _ = try bob.fetch()
        let late = try alice.execute(WaitForDelivery(of: item.id, timeout: .seconds(20)))
        #expect(late.obstacle == nil && late.item.item.status == .sendReceived(isIntact: true))
        // What has arrived needs no waiting.
        house.stopRelay()
        _ = try alice.execute(WaitForDelivery(of: item.id, timeout: .seconds(20)))
    }

    /// The settings of a profile and of a contact, and whether a receipt comes.
    @Test(arguments: [
        ([String](), true), (["/_set receipts contacts 1 off"], false), (["/receipts @alice off"], false),
        (["/_set receipts contacts 1 off", "/receipts @alice on"], true),
        (["/receipts @alice off", "/_set receipts contacts 1 on"], false),
        (["/receipts @alice off", "/_set receipts contacts 1 on clear_overrides=on"], true),
        (["/receipts @alice off", "/receipts @alice default"], true), (["/set receipts all off"], false),
        (["/receipts @alice on", "/set receipts all off"], false), (["/set receipts contacts off"], false),
    ])
    func settingsAreObeyed(commands: [String], comes: Bool) throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        for command in commands { _ = try bob.execute(ChatCommands.parse(command)) }
        _ = try alice.send("hello", to: "bob")
        for store in [alice, bob, alice] { _ = try store.fetch() }
        #expect(try alice.items("bob").last?.status == (comes ? .sendReceived(isIntact: true) : .sendSent))
    }

    @Test func settingsAreShown() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let before = try alice.execute(ShowActiveProfile()).profile
        #expect(before.sendsReceipts)
        _ = try alice.execute(SetReceipts(nil, false, clearsContacts: false))
        _ = try bob.execute(SetContactReceipts(.name("alice"), false))
        let after = try alice.execute(ShowActiveProfile()).profile
        #expect(!after.sendsReceipts)
        #expect(try bob.contacts().map(\.sendsReceipts) == [false])
        #expect(try alice.contacts().map(\.sendsReceipts) == [nil])
    }

    @Test func aReceiptSurvivesAStoreThatIsNotClosed() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        _ = try alice.send("hello", to: "bob")
        _ = try alice.fetch()
        _ = try bob.fetch()
        try bob.reopen()
        try alice.reopen()
        for store in [bob, alice] { _ = try store.fetch() }
        #expect(try alice.items("bob").last?.status == .sendReceived(isIntact: true))
    }
}
