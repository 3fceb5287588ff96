import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import SMPClient
import SMPProtocol
import TestSupport
import Testing

@testable import ChatCore

/// A subscriber of a channel, from its link or name to the requests at its relays.
@Suite struct ChannelJoiningTests {
    /// A person, and links of a channel and its relays that only this test publishes.
    private final class Newcomer {
        let bench: Workbench
        let groups: Groups
        let random = SeededRandom(seed: 41)
        let root: Ed25519.PrivateKey
        let owner: Ed25519.PrivateKey
        let ownerID: MemberID
        private var number: UInt8 = 20

        init() throws {
            bench = try Workbench()
            groups = bench.groups()
            root = Ed25519.PrivateKey(random: random)
            owner = Ed25519.PrivateKey(random: random)
            ownerID = try #require(MemberID(Bytes("the owner".utf8)))
        }

        static let publicID = Bytes(repeating: 5, count: 32)
        var connector: Connector { groups.connector }

        /// Puts records behind a new link, or others behind a known one.
        private func publish(
            _ kind: AddressKind, _ record: AddressRecord, _ entityID: Bytes?, _ key: Ed25519.PrivateKey
        ) throws -> ShortLink {
            number += 1
            let request = bench.link(number)
            let owned = try OwnedLink(to: request, entityID: entityID, rootKey: key, random: random)
            let link = try #require(owned.link(on: Workbench.otherServer, kind: kind))
            guard case .contact(let queues) = request else { throw ChatError.internal }
            bench.agent.openedLinks[link.key] = try OpenedLink(
                try owned.blobs(showing: .address(record), random: random), of: link,
                senderID: try #require(queues.queues.first).location.senderID)
            return link
        }

        func profile(_ kind: PublicGroup.Kind = .channel, claims domain: String? = nil) -> GroupProfile {
            let access = domain.map { PublicGroupAccess(domainClaim: DomainClaim($0).json) }
            return GroupProfile(
                displayName: "news", publicGroup: PublicGroup(kind, link: "l", id: Newcomer.publicID, access: access))
        }

        /// The link of the channel.
        func channel(
            _ relays: [ShortLink], _ presented: GroupProfile? = nil, entityID: Bytes = Newcomer.publicID
        ) throws -> ShortLink {
            let content = GroupLinkContent(profile: presented ?? profile(), summary: .init(memberCount: 7))
            let record = AddressRecord(
                isDirect: false, owners: [LinkOwner(id: ownerID.bytes, key: owner.publicKey, authorizedBy: root)],
                relays: relays, content: try content.linkContent(limit: 10_000))
            return try publish(.channel, record, entityID, root)
        }

        /// The link of a relay for the channel.
        func relay(_ name: String, _ id: MemberID? = nil) throws -> ShortLink {
            let content = RelayLinkContent(profile: Profile(displayName: name))
            return try publish(
                .group, AddressRecord(content: try content.linkContent(limit: 10_000)),
                (id ?? MemberID(Bytes(name.utf8)))?.bytes, Ed25519.PrivateKey(random: random))
        }

        /// A relay whose link cannot be read.
        func absentRelay(_ name: String) throws -> (link: ShortLink, opened: OpenedLink) {
            let link = try relay(name)
            let opened = bench.agent.openedLinks.removeValue(forKey: link.key)
            return (link, try #require(opened))
        }

        func plan(_ text: String, isLocal: Bool = false) async throws -> ConnectionPlan {
            try await connector.plan(try bench.profile(), link: text, isLocal: isLocal)
        }

        /// A channel that is prepared from its link.
        func prepare(_ link: ShortLink) async throws -> Group {
            let plan = try await plan(link.description)
            let text = [plan.link.full, plan.link.short].compactMap(\.self).joined(separator: " ")
            let preview = try groups.prepare(try bench.profile(), link: text, try #require(plan.channel))
            return try #require(preview.chat.group)
        }

        func group(_ id: GroupID) throws -> Group { try bench.context.lookup.group(id) }

        func relays(of group: Group) throws -> [GroupMember] {
            try bench.store.members(of: group.id).filter(\.isRelay)
        }

        /// A channel that the user has joined through its relays.
        func subscribed(_ relays: [ShortLink]) async throws -> Group {
            let group = try await prepare(try channel(relays))
            _ = try await groups.joinChannel(group, isIncognito: false)
            try bench.store.transaction {
                try bench.store.update(group.membership.id, status: .connected, at: bench.now)
                for relay in try self.relays(of: group) {
                    try bench.store.update(relay.id, status: .connected, at: bench.now)
                }
            }
            return try self.group(group.id)
        }
    }

    // MARK: - Plans

    @Test func a_new_link_shows_the_channel_and_its_relays() async throws {
        let person = try Newcomer(), relay = try person.relay("one")
        let plan = try await person.plan(try person.channel([relay]).description)
        #expect(plan.state == .ok && plan.kind == .address(.group))
        #expect(plan.channel?.profile.displayName == "news" && plan.channel?.summary?.memberCount == 7)
        #expect(plan.target?.isDirect == false && plan.target?.publicID == Newcomer.publicID)
        #expect(plan.target?.relays == [relay.keptText])
        #expect(plan.verification == nil && plan.verifiedName == nil)
    }

    @Test func a_channel_that_cannot_be_joined_says_why() async throws {
        let person = try Newcomer(), relay = try person.relay("one")
        #expect(try await person.plan(try person.channel([]).description).state == .noRelays)
        let other = try person.channel([relay], person.profile(PublicGroup.Kind(rawValue: "forum")))
        #expect(try await person.plan(other.description).state == .updateRequired)
        // The profile and the fixed record name the same channel, or none.
        let foreign = try person.channel([relay], entityID: Bytes(repeating: 6, count: 32))
        await #expect(throws: ChatError.invalidLink) { try await person.plan(foreign.description) }
        let bare = try person.channel([relay], GroupProfile(displayName: "news"))
        await #expect(throws: ChatError.invalidLink) { try await person.plan(bare.description) }
        let gone = try person.channel([relay])
        person.bench.agent.openedLinks[gone.key] = nil
        await #expect(throws: (any Error).self) { try await person.plan(gone.description) }
    }

    @Test func a_known_channel_is_known_without_its_relay() async throws {
        let person = try Newcomer(), link = try person.channel([try person.relay("one")])
        await #expect(throws: ChatError.connecting(.notResolved)) {
            try await person.plan(link.description, isLocal: true)
        }
        let group = try await person.prepare(link), count = person.bench.agent.opened.count
        for isLocal in [false, true] {
            #expect(try await person.plan(link.description, isLocal: isLocal).state == .knownGroup(group))
        }
        #expect(person.bench.agent.opened.count == count)
        _ = try await person.groups.joinChannel(group, isIncognito: false)
        try person.bench.store.transaction {
            try person.bench.store.update(group.membership.id, status: .left, at: person.bench.now)
        }
        #expect(try await person.plan(link.description).state == .ok)
    }

    // MARK: - Names

    @Test func a_name_leads_to_the_channel_that_claims_it() async throws {
        let person = try Newcomer(), agent = person.bench.agent, relay = try person.relay("one")
        let link = try person.channel([relay], person.profile(claims: "news.simplex"))
        let name = try #require(SimplexName(.publicGroup, domain: "news.simplex"))
        let contact = ShortLink(target: .address(.contact), server: link.server, key: link.key)
        agent.names["news.simplex"] = NameRecord(
            name: "news.simplex", contactLinks: [link.description],
            channelLinks: ["nothing", contact.description, link.description])
        let plan = try await person.plan("#News")
        #expect(plan.state == .ok && plan.verifiedName == name && plan.link.short == link.keptText)
        // The letter of the link is that of the kind.
        let person2 = try #require(SimplexName(.contact, domain: "news.simplex"))
        await #expect(throws: ChatError.name(.noLink, person2)) { try await person.plan("@news.simplex") }
        await #expect(throws: ChatError.relay(.init(server: Workbench.server, problem: .refused("NAME NOT_FOUND")))) {
            do { return try await person.plan("#other") } catch { throw ChatError(error) }
        }
        #expect(agent.resolved == ["news.simplex", "news.simplex", "other.simplex"])
        await #expect(throws: ChatError.connecting(.notResolved)) { try await person.plan("#news", isLocal: true) }

        let joined = try await person.groups.joinChannel(
            try person.bench.profile(), link: link.description, try #require(plan.channel),
            NameCheck(name.fullDomain), isIncognito: false)
        #expect(joined.group.isNameVerified == true)
        let count = agent.resolved.count
        #expect(try await person.plan("news.simplex", isLocal: true).state == .knownGroup(joined.group))
        #expect(agent.resolved.count == count)
        // Another claim is another name.
        try person.bench.store.transaction {
            try person.bench.store.update(
                joined.group.id, profile: person.profile(claims: "other.simplex"), name: joined.group.name,
                at: person.bench.now)
        }
        #expect(try person.group(joined.group.id).isNameVerified == nil)
        await #expect(throws: ChatError.connecting(.notResolved)) { try await person.plan("#other", isLocal: true) }
    }

    @Test(arguments: [nil, "other.simplex", "news.testing"])
    func a_name_that_is_not_claimed_leads_nowhere(claim: String?) async throws {
        let person = try Newcomer()
        let link = try person.channel([try person.relay("one")], person.profile(claims: claim))
        person.bench.agent.names["news.simplex"] = NameRecord(name: "news.simplex", channelLinks: [link.description])
        let name = try #require(SimplexName(.publicGroup, domain: "news.simplex"))
        await #expect(throws: ChatError.name(.unclaimed, name)) { try await person.plan("#news") }
        await #expect(throws: ChatError.name(.unclaimed, name)) { try await person.plan("news.simplex") }
    }

    @Test func a_relay_without_a_resolver_leaves_the_question_to_another_one() async throws {
        let person = try Newcomer(), agent = person.bench.agent
        try person.bench.store.transaction {
            for number in 3...6 as ClosedRange<UInt8> {
                let server = ServerAddress(
                    hosts: [.ipv4("127.0.0.\(number)")], port: 5223, fingerprint: Bytes(repeating: number, count: 32))
                try person.bench.store.insert(ProfileServer(ConfiguredServer(address: server)), of: ProfileID(1))
            }
        }
        let link = try person.channel([try person.relay("one")], person.profile(claims: "news.simplex"))
        agent.names["news.simplex"] = NameRecord(name: "news.simplex", channelLinks: [link.description])
        agent.nameErrors = [.refused(.name(.noResolver)), .handshake(.version)]
        #expect(try await person.plan("#news").state == .ok)
        #expect(agent.resolved.count == 3)
        // Not all relays learn what the user looks for.
        agent.nameErrors = Array(repeating: .refused(.name(.noResolver)), count: 5)
        await #expect(throws: (any Error).self) { try await person.plan("#news") }
        #expect(agent.resolved.count == 6 && agent.nameErrors.count == 2)
        // Another failure is told at once.
        agent.nameErrors = [.refused(.name(.resolver("timeout")))]
        await #expect(throws: (any Error).self) { try await person.plan("#news") }
        #expect(agent.resolved.count == 7)
    }

    // MARK: - Asking relays

    @Test func each_relay_gets_a_signed_request() async throws {
        let person = try Newcomer(), bench = person.bench
        let group = try await person.prepare(try person.channel([try person.relay("one"), try person.relay("two")]))
        let results = try await person.groups.joinChannel(group, isIncognito: false)
        #expect(results.map(\.problem) == [nil, nil])
        #expect(results.map(\.member.name) == ["one", "two"])
        #expect(bench.agent.joined.count == 2)
        let key = try #require(try bench.store.memberKey(of: group.id)).publicKey
        for (request, result) in zip(bench.agent.joined, results) {
            let element = try #require(ChatPayload.elements(of: request.information).first)
            guard case .success(.message(let message)) = element.content,
                case .group(.channelJoin(let join), _) = message.event
            else { throw ChatError.internal }
            let binding = ElementSignature.groupBinding(Newcomer.publicID, group.membership.memberID)
            #expect(element.signature?.isVerified(by: key, binding: binding) == true)
            #expect(join.relayID == result.member.memberID && join.memberID == group.membership.memberID)
            #expect(join.profile.displayName == "alice")
        }
        // The key of the owner is that of the link.
        let owner = try #require(try bench.store.member(person.ownerID, in: group.id))
        #expect(owner.role == .owner && owner.publicKey == person.owner.publicKey.der)
        #expect(try person.group(group.id).prepared?.isStarted == true)
        await #expect(throws: ChatError.membership(.refused(.begun))) {
            try await person.groups.joinChannel(try person.group(group.id), isIncognito: false)
        }
    }

    @Test func an_incognito_subscriber_has_another_name() async throws {
        let person = try Newcomer()
        let group = try await person.prepare(try person.channel([try person.relay("one")]))
        _ = try await person.groups.joinChannel(group, isIncognito: true)
        let information = try #require(person.bench.agent.joined.first?.information)
        #expect(!String(decoding: information, as: UTF8.self).contains("alice"))
        #expect(try person.group(group.id).membership.isIncognito)
    }

    @Test func a_relay_that_is_away_is_asked_later() async throws {
        let person = try Newcomer(), (absent, opened) = try person.absentRelay("two")
        let group = try await person.prepare(try person.channel([try person.relay("one"), absent]))
        let results = try await person.groups.joinChannel(group, isIncognito: false)
        #expect(results.map { $0.problem == nil } == [true, false])
        person.bench.environment.pass(.seconds(31))
        #expect(person.bench.agent.joined.count == 1)
        person.bench.agent.openedLinks[absent.key] = opened
        person.bench.environment.pass(.seconds(31))
        #expect(person.bench.agent.joined.count == 2)
    }

    @Test func nothing_is_left_of_a_channel_whose_relays_are_all_away() async throws {
        let person = try Newcomer(), absent = try person.absentRelay("one").link
        let link = try person.channel([absent]), plan = try await person.plan(link.description)
        let content = try #require(plan.channel)
        await #expect(throws: (any Error).self) {
            try await person.groups.joinChannel(
                try person.bench.profile(), link: link.description, content, nil, isIncognito: false)
        }
        #expect(try person.bench.store.channels(of: ProfileID(1)).isEmpty)
        #expect(try await person.plan(link.description).state == .ok)
    }

    @Test func a_relay_cannot_be_another_member() async throws {
        let person = try Newcomer()
        let thief = try person.relay("thief", person.ownerID)
        let group = try await person.prepare(try person.channel([try person.relay("one"), thief]))
        let results = try await person.groups.joinChannel(group, isIncognito: false)
        #expect(results.map(\.problem) == [nil, .invalidLink])
        #expect(person.bench.agent.joined.count == 1)
        // A wrong link stays wrong.
        person.bench.environment.pass(.seconds(300))
        #expect(person.bench.agent.joined.count == 1)
    }

    @Test func the_link_leads_to_the_same_channel_when_it_is_used() async throws {
        let person = try Newcomer(), link = try person.channel([try person.relay("one")])
        let group = try await person.prepare(link)
        let other = try person.channel([try person.relay("one")], entityID: Bytes(repeating: 6, count: 32))
        person.bench.agent.openedLinks[link.key] = person.bench.agent.openedLinks[other.key]
        await #expect(throws: ChatError.invalidLink) {
            try await person.groups.joinChannel(group, isIncognito: false)
        }
        #expect(person.bench.agent.joined.isEmpty)
    }

    @Test func relays_are_asked_after_a_restart() async throws {
        let person = try Newcomer(), (absent, opened) = try person.absentRelay("two")
        let group = try await person.prepare(try person.channel([try person.relay("one"), absent]))
        _ = try await person.groups.joinChannel(group, isIncognito: false)
        person.bench.agent.openedLinks[absent.key] = opened
        // Nobody has let the user in yet.
        try person.bench.groups().askRelays()
        #expect(person.bench.agent.joined.count == 1)
        try person.bench.store.transaction {
            try person.bench.store.update(group.membership.id, status: .accepted, at: person.bench.now)
        }
        let groups = person.bench.groups()
        try groups.askRelays()
        #expect(person.bench.agent.joined.count == 2)
        try groups.askRelays()
        #expect(person.bench.agent.joined.count == 2)
    }

    // MARK: - Following

    @Test func a_subscriber_follows_the_relays_of_the_link() async throws {
        let person = try Newcomer(), one = try person.relay("one"), two = try person.relay("two")
        let group = try await person.subscribed([one])
        try person.groups.follow([one, two], of: group)
        #expect(person.bench.agent.joined.count == 2)
        #expect(try person.relays(of: group).map(\.relayLink) == [one.keptText, two.keptText])
        try person.groups.follow([one, two], of: group)
        #expect(person.bench.agent.joined.count == 2)
        try person.groups.follow([two], of: try person.group(group.id))
        let left = try person.relays(of: group)
        #expect(left.map { $0.status.isGone } == [true, false])
        // A relay that comes back is asked again, as another member.
        let first = try #require(left.first)
        try person.groups.follow([one, two], of: try person.group(group.id))
        let back = try #require(try person.relays(of: group).last)
        #expect(back.relayLink == one.keptText && back.id != first.id)
    }

    @Test func others_than_subscribers_follow_no_link() async throws {
        let person = try Newcomer(), one = try person.relay("one"), two = try person.relay("two")
        let group = try await person.subscribed([one])
        for status in [GroupMember.Status.left, .removed, .deleted] {
            try person.bench.store.transaction {
                try person.bench.store.update(group.membership.id, status: status, at: person.bench.now)
            }
            try person.groups.follow([two], of: try person.group(group.id))
        }
        #expect(person.bench.agent.joined.count == 1)
    }
}
