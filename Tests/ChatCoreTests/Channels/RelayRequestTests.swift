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
    private func channel(id: Bytes? = nil, ownerKey key: Ed25519.PrivateKey? = nil) throws -> (String, OpenedLink) {
        let random = SeededRandom(seed: 5)
        let owned = try OwnedLink(to: bench.link(), entityID: publicID, rootKey: root, random: random)
        let link = try #require(owned.link(on: Workbench.otherServer, kind: .channel))
        let profile = GroupProfile(
            displayName: "news", publicGroup: PublicGroup(link: link.description, id: id ?? publicID))
        let record = AddressRecord(
            isDirect: false,
            owners: [LinkOwner(id: owner.bytes, key: (key ?? ownerKey).publicKey, authorizedBy: root)],
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
