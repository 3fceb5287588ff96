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

/// An owner asks a chat relay to serve a channel, and subscribers ask to join it.
@Suite struct RelayRequestTests {
    private let bench: Workbench
    private let inbox: Inbox
    private let address: ConnectionID
    private let root = Ed25519.PrivateKey(random: SeededRandom(seed: 3))
    private let ownerKey = Ed25519.PrivateKey(random: SeededRandom(seed: 4))
    private let owner = GroupBench.memberID(1), relay = GroupBench.memberID(2)

    init() throws {
        bench = try Workbench()
        inbox = bench.inbox()
        let id = try bench.connection(.new, link: "simplex:/contact")
        let now = bench.now, store = bench.store
        try store.transaction {
            try store.setChatRelay(ProfileID(1))
            try store.markAddress(id)
            try store.setAddress(id, of: ProfileID(1), at: now)
        }
        address = id
    }

    private var publicID: Bytes { SHA256.hash(root.publicKey.raw) }

    /// The link of a channel, and what stands behind it.
    private func channel(
        id: Bytes? = nil, ownerKey key: Ed25519.PrivateKey? = nil, relays: [ShortLink] = []
    ) throws -> (String, OpenedLink) {
        let random = SeededRandom(seed: 5)
        let owned = try OwnedLink(to: bench.link(), entityID: publicID, rootKey: root, random: random)
        let link = try #require(owned.link(on: Workbench.otherServer, kind: .channel))
        let profile = GroupProfile(
            displayName: "news", publicGroup: PublicGroup(link: link.description, id: id ?? publicID))
        let record = AddressRecord(
            isDirect: false,
            owners: [LinkOwner(id: owner.bytes, key: (key ?? ownerKey).publicKey, authorizedBy: root)],
            relays: relays,
            content: try GroupLinkContent(profile: profile).linkContent(limit: 10_000))
        let blobs = try owned.blobs(showing: .address(record), random: random)
        let opened = try OpenedLink(
            blobs, of: link, senderID: EntityID(Bytes(repeating: 9, count: 24)))
        return (link.description, opened)
    }

    private func invite(_ link: String) throws {
        let request = RelayInvitation(
            from: MemberIDRole(owner, .owner), Profile(displayName: "olga"), to: relay, channelLink: link)
        inbox.handle(
            bench.event(
                address,
                .connection(
                    .req(bench.link(7), information: Workbench.information(.group(.relayInvitation(request)))))))
        if let failure = bench.context.failure { throw failure }
    }

    private func served() throws -> Group? {
        try bench.store.groups(of: ProfileID(1)).first { $0.isServedByUser }
    }

    @Test func aRelayServesAChannelWhoseLinkFits() throws {
        let (link, opened) = try channel()
        bench.agent.openedLinks[try ShortLink(text: link).key] = opened
        bench.agent.link = .success(
            LinkPair(
                full: bench.link(8),
                short: ShortLink(
                    target: .address(.contact), server: Workbench.server, key: ShortLinkKey(hashing: [1]))))
        try invite(link)
        let group = try #require(try served())
        #expect(group.name == "news" && group.membership.memberID == relay)
        #expect(group.channel?.publicID == publicID && group.channel?.ownStatus == .accepted)
        let host = try #require(try bench.store.member(owner, in: group.id))
        #expect(host.role == .owner && host.publicKey == ownerKey.publicKey.der)
        let answer = try #require(bench.agent.joined.last)
        guard case .group(.relayAccepted(let own, _), _)? = Groups.message(in: answer.information)?.event else {
            Issue.record("the owner has no answer")
            return
        }
        #expect(own.contains("/g#"))
        #expect(try bench.store.relayRequests().isEmpty)
        inbox.handle(bench.event(answer.connection, .connection(.con(isPostQuantum: false))))
        #expect(bench.eventTypes().contains("userJoinedGroup"))
        // The same invitation again makes no second channel.
        try invite(link)
        #expect(try bench.store.groups(of: ProfileID(1)).count == 1)
    }

    @Test func aChannelWithAnotherIDIsNotServed() throws {
        let (link, opened) = try channel(id: Bytes(repeating: 1, count: 32))
        bench.agent.openedLinks[try ShortLink(text: link).key] = opened
        try invite(link)
        #expect(try served() == nil)
        #expect(try bench.store.relayRequests().isEmpty)
    }

    @Test func aRequestWaitsForARelayThatIsAway() throws {
        let (link, opened) = try channel()
        bench.agent.openError = .relay(Workbench.otherServer, .timedOut)
        bench.agent.link = .success(
            LinkPair(
                full: bench.link(8),
                short: ShortLink(
                    target: .address(.contact), server: Workbench.server, key: ShortLinkKey(hashing: [1]))))
        try invite(link)
        #expect(try bench.store.relayRequests().count == 1)
        bench.agent.openedLinks[try ShortLink(text: link).key] = opened
        bench.environment.pass(.seconds(60))
        #expect(try served() != nil)
        #expect(try bench.store.relayRequests().isEmpty)
    }

    /// Asks to join as a member with a key. Returns the number of connections that begin.
    ///
    /// - Parameter signer: The key that signs the request; nil for an unsigned one.
    private func join(
        _ group: Group, _ id: MemberID, _ key: Ed25519.PrivateKey, signedBy signer: Ed25519.PrivateKey?
    ) throws -> Int {
        let connection = try #require(try bench.store.groupLink(of: group.id)).connectionID
        let text = Workbench.information(
            .group(.channelJoin(ChannelJoin(Profile(displayName: "bob"), as: id, key: key.publicKey.der, at: relay))))
        let element = signer.map { ElementSignature(text, as: id, in: publicID, with: $0).encoded } ?? text
        let count = bench.agent.joined.count
        inbox.handle(
            bench.event(connection, .connection(.req(bench.link(6), information: element))))
        if let failure = bench.context.failure { throw failure }
        return bench.agent.joined.count - count
    }

    @Test func onlyASignatureBringsAMemberBack() throws {
        let (link, opened) = try channel()
        bench.agent.openedLinks[try ShortLink(text: link).key] = opened
        bench.agent.link = .success(
            LinkPair(
                full: bench.link(8),
                short: ShortLink(
                    target: .address(.contact), server: Workbench.server, key: ShortLinkKey(hashing: [1]))))
        try invite(link)
        let group = try #require(try served()), bob = GroupBench.memberID(3)
        let key = Ed25519.PrivateKey(random: SeededRandom(seed: 6))
        #expect(try join(group, bob, key, signedBy: key) == 1)
        #expect(try join(group, bob, key, signedBy: nil) == 0)
        #expect(try join(group, bob, key, signedBy: ownerKey) == 0)
        #expect(try join(group, bob, key, signedBy: key) == 1)
    }

    /// Serves the channel of a link, and returns it.
    private func serve(_ policy: ChatRelayPolicy = ChatRelayPolicy()) throws -> Group? {
        let (link, opened) = try channel()
        inbox.groups.relayPolicy = policy
        bench.agent.openedLinks[try ShortLink(text: link).key] = opened
        bench.agent.link = .success(
            LinkPair(
                full: bench.link(8),
                short: ShortLink(
                    target: .address(.contact), server: Workbench.server, key: ShortLinkKey(hashing: [1]))))
        try invite(link)
        return try served()
    }

    /// What the last answer says.
    private func answer() -> ChatMessage.Event? {
        bench.agent.joined.last.flatMap { Groups.message(in: $0.information)?.event }
    }

    @Test func theOperatorDecidesWhichChannelsAreServed() throws {
        var policy = ChatRelayPolicy()
        policy.channels = .none
        #expect(try serve(policy) == nil)
        #expect(answer() == .group(.relayRejected(RelayRejection(rawValue: "the relay serves no new channels"))))
        policy.channels = .listed([])
        #expect(try serve(policy) == nil)
        policy.channels = .all
        policy.mostChannels = 0
        #expect(try serve(policy) == nil)
        #expect(inbox.groups.relayActivity.refusals == 3)
        policy.channels = .listed([try ShortLink(text: try channel().0)])
        policy.mostChannels = 1
        #expect(try serve(policy) != nil)
        #expect(inbox.groups.relayActivity.channels == 1)
    }

    @Test func aFullChannelRefusesSubscribersButNotThoseThatReturn() throws {
        var policy = ChatRelayPolicy()
        // The relay, the owner and one subscriber.
        policy.mostMembers = 3
        let group = try #require(try serve(policy)), key = Ed25519.PrivateKey(random: SeededRandom(seed: 6))
        #expect(try join(group, GroupBench.memberID(3), key, signedBy: key) == 1)
        let other = Ed25519.PrivateKey(random: SeededRandom(seed: 7))
        #expect(try join(group, GroupBench.memberID(4), other, signedBy: other) == 1)
        guard case .group(.linkRejection(let rejection), _)? = answer() else {
            Issue.record("the subscriber was not told")
            return
        }
        #expect(rejection.invitedMember.id == GroupBench.memberID(4))
        #expect(try bench.store.member(GroupBench.memberID(4), in: group.id) == nil)
        #expect(try join(group, GroupBench.memberID(3), key, signedBy: key) == 1)
        #expect(inbox.groups.relayActivity.refusedJoins == 1)
    }

    @Test func moreRequestsThanTheLimitOfAMinuteAreIgnored() throws {
        var policy = ChatRelayPolicy()
        policy.requestsPerMinute = 2
        let group = try #require(try serve(policy)), key = Ed25519.PrivateKey(random: SeededRandom(seed: 6))
        #expect(try join(group, GroupBench.memberID(3), key, signedBy: key) == 1)
        #expect(try join(group, GroupBench.memberID(4), key, signedBy: key) == 0)
        bench.environment.pass(.seconds(60))
        #expect(try join(group, GroupBench.memberID(4), key, signedBy: key) == 1)
    }

    @Test func aRelayThatTheLinkNoLongerListsLetsTheMembersGo() throws {
        let group = try #require(try serve()), store = bench.store
        let own = try #require(try store.groupLink(of: group.id)?.link.short)
        func show(_ relays: [ShortLink]) throws {
            let (link, opened) = try channel(relays: relays)
            bench.agent.openedLinks[try ShortLink(text: link).key] = opened
        }
        func status() throws -> RelayStatus? { try store.group(group.id)?.channel?.ownStatus }
        inbox.groups.scheduleLinkChecks()
        // Not listed yet.
        bench.environment.pass(.seconds(901))
        #expect(try status() == .accepted)
        try show([try ShortLink(text: own)])
        bench.environment.pass(.seconds(901))
        #expect(try status() == .active)
        // A link that cannot be read says nothing.
        bench.agent.openedLinks = [:]
        bench.environment.pass(.seconds(901))
        #expect(try status() == .active)
        try show([])
        bench.environment.pass(.seconds(901))
        #expect(try status() == .inactive)
        let connections = try store.connections(of: group.id)
        #expect(!connections.isEmpty)
        bench.environment.pass(.seconds(80_000))
        #expect(try store.connections(of: group.id) == connections)
        bench.environment.pass(.seconds(8000))
        #expect(try store.connections(of: group.id).isEmpty)
    }

    @Test func ownersAreToldOfTheDomainForPages() throws {
        var policy = ChatRelayPolicy()
        policy.webDomain = "one.example.org"
        let group = try #require(try serve(policy))
        guard case .group(.relayAccepted(_, let capabilities), _)? = answer() else {
            Issue.record("the owner has no answer")
            return
        }
        #expect(capabilities?.webDomain == "one.example.org")
        let joined = try #require(bench.agent.joined.last).connection
        inbox.handle(bench.event(joined, .connection(.con(isPostQuantum: false))))
        let host = try #require(try bench.store.member(owner, in: group.id))
        try bench.store.transaction { try bench.store.update(host.id, versions: ChatVersion.supported) }
        let count = bench.agent.sent.count
        try inbox.groups.tellCapabilities()
        #expect(bench.agent.sent.count == count)
        inbox.groups.relayPolicy.webDomain = nil
        try inbox.groups.tellCapabilities()
        try inbox.groups.tellCapabilities()
        #expect(
            bench.agent.sent.dropFirst(count).map(\.message.event) == [
                .group(.relayCapabilities(RelayCapabilities()))
            ])
    }

    @Test func anotherProfileIsShownBehindTheLinksOfServedChannels() throws {
        let group = try #require(try serve()), store = bench.store
        let link = try #require(try store.groupLink(of: group.id)).connectionID
        try store.transaction {
            try store.update(ProfileID(1), profile: Profile(displayName: "renamed"), named: "renamed")
            try store.oweProfile(of: ProfileID(1))
        }
        _ = try inbox.connector.tellChangedProfiles()
        #expect(bench.agent.shown.contains(link))
    }

    @Test func othersThanOwnersAreIgnored() throws {
        let request = ContactRequest(profile: Profile(displayName: "bob"), requestID: Bytes(repeating: 1, count: 16))
        inbox.handle(
            bench.event(
                address,
                .connection(.req(bench.link(7), information: Workbench.information(.contactRequest(request))))))
        #expect(bench.context.failure == nil)
        #expect(try bench.store.requestCount(of: ProfileID(1)) == 0)
        #expect(bench.agent.joined.isEmpty)
    }
}
