import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import CryptoCore
import SMPProtocol
import SystemIO
import TestSupport
import Testing

/// Contacts that know a made up name, and never hear of the real one.
@Suite struct IncognitoTests {
    /// A name that stands nowhere by chance.
    private static let name = "Wilhelmina"
    private let house: TestHouse
    private let alice: TestStore
    private let bob: TestStore

    init() throws {
        house = try TestHouse()
        (alice, bob) = (try house.person(Self.name), try house.person("bob"))
    }

    private func fetch(_ stores: TestStore...) throws {
        for store in stores { _ = try store.fetch() }
    }

    /// The made up name of alice, when bob and she are connected, and that bob's store holds no other.
    private func checkConnected() throws -> String {
        let name = try #require(try alice.contacts().first?.connection?.incognito?.displayName)
        let contact = try #require(try bob.contacts().first)
        #expect(contact.profile.displayName == name && contact.name == name && name != Self.name)
        #expect(contact.profile.fullName.isEmpty && contact.profile.shortDescription == nil)
        #expect(contact.profile.image == nil && contact.profile.preferences != nil)
        try alice.send("hello", to: "bob")
        try fetch(alice, bob)
        #expect(try bob.texts(name) == ["hello"])
        try checkNothingIsKnown()
        return name
    }

    /// Bob's store is a plain one: what is in it can be searched for.
    private func checkNothingIsKnown() throws {
        bob.close()
        for file in ["simplex_v1_chat.db", "simplex_v1_agent.db"].map({ "\(bob.folder.path)/\($0)" }) {
            for path in [file, "\(file)-wal"] where Files.exists(path) {
                let bytes = try Files.read(path, limit: 1 << 26)
                #expect(!String(decoding: bytes, as: UTF8.self).contains(Self.name), "\(path)")
            }
        }
        try bob.open(.writing)
    }

    private func describe(_ store: TestStore, _ text: String) throws -> Int {
        let command = DescribeProfile(name: "\(Self.name) the \(text)", about: text)
        guard case .updated(_, _, let told, _) = try store.execute(command) else { throw ChatError.internal }
        return told
    }

    private func shown(_ link: String, to store: TestStore) throws -> Profile? {
        let plan = try store.execute(PlanConnection(nil, link: link)).plan
        return plan.content?.profile
    }

    // MARK: - Ways to connect

    @Test(arguments: [true, false]) func anInvitationOfOnesOwn(isShort: Bool) throws {
        let invitation = try alice.execute(Invite(nil, name: nil, isIncognito: true))
        let link = invitation.link, made = invitation.connection
        // Neither the short link nor a change of the profile tells who made it.
        #expect(try describe(alice, "First") == 0)
        let text = isShort ? link.preferred : link.full
        if isShort { #expect(try shown(text, to: bob)?.displayName == made.incognito?.displayName) }
        try bob.join(text)
        try alice.reopen()
        try fetch(bob, alice, bob, alice)
        #expect(try checkConnected() == made.incognito?.displayName)
        #expect(try describe(alice, "Second") == 0)
        try fetch(alice, bob)
        try checkNothingIsKnown()
    }

    @Test func theInvitationOfSomebodyElse() throws {
        let link = try bob.invite()
        let started = try alice.execute(Connect(nil, link: link, name: nil, isIncognito: true))
        let joined = started.connection
        #expect(started.type == "sentConfirmation")
        // The process ends before the relay was asked.
        try alice.reopen()
        #expect(try describe(alice, "First") == 0)
        try fetch(alice, bob, alice, bob)
        #expect(try checkConnected() == joined?.incognito?.displayName)
        #expect(try describe(alice, "Second") == 0)
        try fetch(alice, bob)
        try checkNothingIsKnown()
    }

    @Test func theAddressOfSomebodyElse() throws {
        let link = try bob.createAddress().preferred
        _ = try alice.execute(Connect(nil, link: link, name: nil, isIncognito: true))
        try fetch(alice, bob)
        let requests = try bob.execute(ListRequests(nil)).requests
        let request = try #require(requests.first)
        #expect(request.profile.displayName != Self.name)
        _ = try bob.execute(AcceptRequest(.id(request.id)))
        try fetch(bob, alice, bob, alice)
        #expect(try checkConnected() == request.profile.displayName)
    }

    @Test func aRequestThatIsAccepted() throws {
        // The long link shows nobody.
        let link = try alice.createAddress().full
        try bob.join(link)
        try fetch(bob, alice)
        #expect(throws: ChatError.connecting(.shownProfile)) {
            try alice.execute(AcceptRequest(.name("bob"), isIncognito: true))
        }
        let contact = try alice.execute(AcceptRequest(.name("bob"), isIncognito: true, allowsShown: true)).contact
        try alice.reopen()
        try fetch(alice, bob, alice, bob)
        #expect(try checkConnected() == contact.connection?.incognito?.displayName)
    }

    // MARK: - Rules

    @Test func whoKnowsTheNameCannotBeMetIncognito() throws {
        let link = try bob.invite()
        try alice.join(link)
        #expect(throws: ChatError.joinedOpenly) {
            try alice.execute(Connect(nil, link: link, name: nil, isIncognito: true))
        }
        // The other way round it goes on as it began.
        let other = try bob.invite()
        _ = try alice.execute(Connect(nil, link: other, name: nil, isIncognito: true))
        #expect(try alice.join(other).incognito != nil)
    }

    @Test func othersAreStillTold() throws {
        let carol = try house.person("carol")
        try carol.join(try alice.invite())
        _ = try alice.execute(Connect(nil, link: try bob.invite(), name: nil, isIncognito: true))
        try fetch(carol, alice, bob, carol, alice, bob)
        #expect(try describe(alice, "First") == 1)
        try fetch(carol, bob)
        #expect(try carol.contacts().first?.profile.displayName == "\(Self.name) the First")
        try checkNothingIsKnown()
    }

    /// An older program would tell everybody the profile: it does not get the contacts that do not know it.
    @Test func anOlderProgramDoesNotGetThem() throws {
        _ = try alice.execute(Connect(nil, link: try bob.invite(), name: nil, isIncognito: true))
        try fetch(alice, bob, alice, bob)
        _ = try checkConnected()
        alice.close()
        let older = StoreUpgrade.Schemas(chat: 8, agent: FixtureStore.newest.agent)
        #expect(try StoreUpgrade.run(alice.folder, confirmation: .yesUpDown, to: older).result == .ok)
        #expect(try StoreUpgrade.run(alice.folder, confirmation: .yesUp).result == .ok)
        try alice.open(.writing)
        let contact = try #require(try alice.contacts().first)
        #expect(contact.status == .deletedByUser && contact.connection == nil)
        #expect(try alice.texts("bob", .sent) == ["hello"])
    }

    // MARK: - Names

    @Test func namesAreDrawnEvenly() throws {
        #expect(RandomName.adjectives.count == 64 && RandomName.nouns.count == 64)
        #expect(Set(RandomName.adjectives + RandomName.nouns).count == 128)
        for adjective in RandomName.adjectives {
            for noun in RandomName.nouns { try Profile(displayName: adjective + noun).checkForSending() }
        }
        let random = SeededRandom(seed: 1)
        let names = (0..<4096).map { _ in RandomName.make(random) }
        // Of as many draws as there are names, the share of names that are drawn is 1 - 1/e.
        #expect((2450...2730).contains(Set(names).count))
    }
}
