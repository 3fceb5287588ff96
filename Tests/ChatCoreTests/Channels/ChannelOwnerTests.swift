import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import SMPProtocol
import TestSupport
import Testing

@testable import ChatCore

/// The owner of a channel: its link, its relays and its roster.
@Suite struct ChannelOwnerTests {
    /// A person whose profile has one chat relay.
    private final class Owner {
        let bench: Workbench
        let groups: Groups
        let inbox: Inbox
        let random = SeededRandom(seed: 40)
        let relayKey: Ed25519.PrivateKey

        init() throws {
            bench = try Workbench()
            groups = bench.groups()
            inbox = bench.inbox()
            relayKey = Ed25519.PrivateKey(random: random)
            let address = try publish(.relay, RelayLinkContent(profile: Profile(displayName: "carrier")))
            try bench.store.transaction {
                try bench.store.insert(ChatRelay(address, RelayProfile(displayName: "carrier")), of: ProfileID(1))
            }
        }

        /// A link of another person, whose content the fake agent opens.
        func publish(_ kind: AddressKind, _ content: RelayLinkContent, _ entityID: Bytes? = nil) throws -> ShortLink {
            let request = bench.link()
            let owned = try OwnedLink(to: request, entityID: entityID, rootKey: relayKey, random: random)
            let link = try #require(owned.link(on: Workbench.otherServer, kind: kind))
            let record = AddressRecord(content: try content.linkContent(limit: 10_000))
            guard case .contact(let queues) = request else { throw ChatError.internal }
            bench.agent.openedLinks[link.key] = try OpenedLink(
                try owned.blobs(showing: .address(record), random: random), of: link,
                senderID: try #require(queues.queues.first).location.senderID)
            return link
        }

        func create(_ preferences: GroupPreferences? = nil) async throws -> Group {
            let made = try await groups.createChannel(
                GroupProfile(displayName: "news", preferences: preferences), of: try bench.profile(),
                on: [ChatRelayID(1)], isIncognito: false)
            guard case .created(let group) = made else { throw ChatError.internal }
            return group
        }

        func relay(of group: Group) throws -> (relay: GroupRelay, member: GroupMember) {
            let relay = try #require(try bench.store.groupRelays(of: group.id).first)
            return (relay, try bench.context.lookup.member(relay.memberID))
        }

        func receive(_ content: AgentEvent.Content, on connection: ConnectionID) {
            inbox.handle(bench.event(connection, content))
        }

        func receive(_ event: GroupEvent, from member: GroupMember) throws {
            let body = ChatMessage(id: nil, event: .group(event)).encoded
            let message = ReceivedMessage(
                number: 1, hash: [], relayTime: bench.now, integrity: .ok, isPostQuantum: false, body: body)
            receive(.connection(.msg(message)), on: try #require(member.connection?.id))
        }

        /// The relay accepts under a link that names it as `entityID`, and is connected.
        func accept(_ group: Group, as entityID: Bytes? = nil) throws -> ShortLink {
            let (_, member) = try relay(of: group)
            let link = try publish(
                .group, RelayLinkContent(profile: Profile(displayName: "carrier two")),
                entityID ?? member.memberID.bytes)
            let connection = try #require(member.connection?.id)
            let answer = ChatMessage(event: .group(.relayAccepted(link: link.description))).encoded
            receive(.connection(.conf(information: answer, supportsPostQuantum: false)), on: connection)
            return link
        }
    }

    @Test func channel_has_a_signed_link_with_its_owner_and_asks_its_relay() async throws {
        let owner = try Owner(), group = try await owner.create()
        let channel = try #require(group.channel), publicGroup = try #require(group.profile.publicGroup)
        #expect(channel.isRoot && channel.memberCount == 1 && publicGroup.id == channel.publicID)
        let root = try #require(try owner.bench.store.rootKey(of: group.id))
        #expect(channel.publicID == SHA256.hash(root.publicKey.raw))
        let record = try #require(owner.bench.agent.linkRecords.first)
        #expect(!record.isDirect && record.relays.isEmpty)
        try LinkOwner.check(record.owners, rootKey: root.publicKey)
        #expect(record.owners.map(\.id) == [group.membership.memberID.bytes])
        #expect(record.owners.map(\.key.der) == [try #require(group.membership.publicKey)])
        let content = try GroupLinkContent(linkContent: record.content)
        #expect(content.profile.publicGroup == publicGroup && content.summary?.memberCount == 1)
        let link = try owner.groups.link(of: group)
        #expect(link.link.short == publicGroup.link && publicGroup.link.contains("/c#") && link.role == .observer)

        let (relay, member) = try owner.relay(of: group)
        #expect(relay.status == .invited && member.role == .relay && member.status == .invited)
        let joined = try #require(owner.bench.agent.joined.last)
        guard case .group(.relayInvitation(let invitation), _) = Groups.message(in: joined.information)?.event else {
            Issue.record("the relay was not asked")
            return
        }
        #expect(invitation.relayID == member.memberID && invitation.channelLink == publicGroup.link)
        #expect(invitation.fromMember == MemberIDRole(group.membership.memberID, .owner))
        // The keys are no part of what programs are told.
        let text = group.json.line
        #expect(!text.contains("Priv") && !text.contains("groupKeys"))
    }

    @Test func relay_is_published_after_it_has_the_roster() async throws {
        let owner = try Owner(), group = try await owner.create(), agent = owner.bench.agent
        let link = try owner.accept(group)
        var (relay, member) = try owner.relay(of: group)
        let connection = try #require(member.connection?.id)
        #expect(relay.status == .accepted && member.status == .accepted && agent.allowed == [connection])
        #expect(member.publicKey == owner.relayKey.publicKey.der && member.relayLink == link.description)
        #expect(member.profile.displayName == "carrier two")
        #expect(owner.bench.eventTypes().contains("groupRelayUpdated"))

        try owner.bench.store.transaction {
            try owner.bench.store.update(member.id, versions: ChatVersion.supported)
        }
        owner.receive(.connection(.con(isPostQuantum: false)), on: connection)
        let header = try #require(agent.bodies.first { $0.first == UInt8(ascii: "/") })
        let signature = try ElementSignature(decoding: header)
        let key = try #require(try owner.bench.store.memberKey(of: group.id)).publicKey
        let binding = ElementSignature.groupBinding(try #require(group.channel).publicID, group.membership.memberID)
        #expect(signature.isVerified(by: key, binding: binding))
        let message = try #require(Groups.message(in: signature.text))
        guard case .group(.roster(0, let file), _) = message.event else {
            Issue.record("no roster")
            return
        }
        let chunk = try FileChunk(decoding: try #require(agent.bodies.last))
        #expect(chunk.content == .data(number: 1, [0, 0]) && chunk.messageID == message.id)
        #expect(file.size == 2 && file.digest == SHA512.hash([0, 0]))
        let before = agent.linkRecords.count
        // An acknowledgement of another version says nothing.
        try owner.receive(.rosterAcknowledged(version: 5), from: member)
        #expect(try owner.relay(of: group).relay.status == .accepted && agent.linkRecords.count == before)
        try owner.receive(.rosterAcknowledged(version: 0), from: member)
        #expect(try owner.relay(of: group).relay.status == .acknowledgedRoster)
        let record = try #require(agent.linkRecords.last)
        #expect(record.relays.count == 1 && record.relays.allSatisfy { $0.isSame(as: link) })
        _ = owner.bench.eventTypes()
        owner.receive(.link(record), on: try owner.groups.link(of: group).connectionID)
        #expect(try owner.relay(of: group).relay.status == .active)
        let event = try #require(owner.bench.events().compactMap { $0 as? ChannelLinkEvent }.first)
        #expect(event.isRelaysChanged && event.relays.map(\.status) == [.active])
        // The link without the relay takes it out of use.
        owner.receive(
            .link(AddressRecord(isDirect: false, content: [])), on: try owner.groups.link(of: group).connectionID)
        (relay, member) = try owner.relay(of: group)
        #expect(relay.status == .inactive)
    }

    @Test func relay_under_another_id_is_not_let_in() async throws {
        let owner = try Owner(), group = try await owner.create()
        _ = try owner.accept(group, as: [1, 2, 3])
        let (relay, member) = try owner.relay(of: group)
        #expect(relay.status == .rejected && member.publicKey == nil && owner.bench.agent.allowed.isEmpty)
    }

    @Test func relay_that_refuses_is_noted() async throws {
        let owner = try Owner(), group = try await owner.create()
        let connection = try #require(try owner.relay(of: group).member.connection?.id)
        let answer = ChatMessage(event: .group(.relayRejected(RelayRejection(rawValue: "rejoin_rejected")))).encoded
        owner.receive(.connection(.conf(information: answer, supportsPostQuantum: false)), on: connection)
        let (relay, member) = try owner.relay(of: group)
        #expect(relay.status == .rejected && member.status == .left && owner.bench.agent.allowed == [connection])
    }

    @Test func link_of_a_relay_is_read_again_after_a_restart() async throws {
        let owner = try Owner(), group = try await owner.create()
        let opened = owner.bench.agent.openedLinks
        let connection = try #require(try owner.relay(of: group).member.connection?.id)
        let link = try owner.publish(
            .group, RelayLinkContent(profile: Profile(displayName: "carrier")),
            try owner.relay(of: group).member.memberID.bytes)
        let all = owner.bench.agent.openedLinks
        owner.bench.agent.openedLinks = opened
        let answer = ChatMessage(event: .group(.relayAccepted(link: link.description))).encoded
        owner.receive(.connection(.conf(information: answer, supportsPostQuantum: false)), on: connection)
        #expect(try owner.relay(of: group).relay.status == .invited && owner.bench.agent.allowed.isEmpty)
        owner.bench.agent.openedLinks = all
        try owner.bench.groups().retryPending()
        #expect(try owner.relay(of: group).relay.status == .accepted && owner.bench.agent.allowed == [connection])
    }

    @Test func channel_is_not_made_if_a_relay_is_gone() async throws {
        let owner = try Owner()
        owner.bench.agent.openedLinks = [:]
        let made = try await owner.groups.createChannel(
            GroupProfile(displayName: "news"), of: try owner.bench.profile(), on: [ChatRelayID(1)], isIncognito: false)
        guard case .failed(let results) = made else {
            Issue.record("a channel without a relay")
            return
        }
        #expect(results.count == 1 && results.allSatisfy { $0.error != nil })
        #expect(owner.bench.agent.linkRecords.isEmpty && owner.bench.agent.joined.isEmpty)
        await #expect(throws: ChatError.channel(.unknownRelay)) {
            try await owner.groups.createChannel(
                GroupProfile(displayName: "news"), of: try owner.bench.profile(), on: [ChatRelayID(9)],
                isIncognito: false)
        }
    }

    @Test func role_of_a_member_goes_to_relays_behind_the_roster_that_has_it() async throws {
        let owner = try Owner(), group = try await owner.create(), agent = owner.bench.agent
        _ = try owner.accept(group)
        let (_, relay) = try owner.relay(of: group)
        try owner.bench.store.transaction { try owner.bench.store.update(relay.id, versions: ChatVersion.supported) }
        owner.receive(.connection(.con(isPostQuantum: false)), on: try #require(relay.connection?.id))
        let key = Ed25519.PrivateKey(random: owner.random).publicKey.der
        let id = try owner.bench.store.transaction {
            try owner.bench.store.take("bob", in: ProfileID(1))
            let id = try owner.bench.store.insertMember(
                ChatStore.NewMember(
                    groupID: group.id, memberID: GroupBench.memberID(9), role: .observer, category: .post,
                    status: .announced, name: "bob", profile: Profile(displayName: "bob"), contactID: nil,
                    inviter: .unknown, versions: ChatVersion.supported), at: owner.bench.now)
            try owner.bench.store.setPublicKey(key, of: id)
            return id
        }
        let before = agent.bodies.count
        let present = try owner.bench.context.lookup.group(group.id)
        _ = try await owner.groups.setRole(.moderator, of: [id], in: present)
        let sent = agent.bodies.dropFirst(before)
        #expect(sent.count == 3)
        let elements = sent.map { body -> String in
            if let chunk = try? FileChunk(decoding: body), case .data(_, let bytes) = chunk.content {
                let roster = try? Roster(decoding: bytes)
                return "\(roster?.entries.map(\.role.rawValue) ?? [])"
            }
            let event = (try? ElementSignature(decoding: body)).flatMap { Groups.message(in: $0.text)?.event }
            switch event {
            case .group(.roster(let version, _), _): return "roster \(version)"
            case .group(.roleChanged(_, let role), let fields):
                let change = RosterChange(fields)
                return "\(role.rawValue) \(change.version ?? -1) \(change.memberKey == key)"
            default: return "unsigned"
            }
        }
        #expect(elements == ["roster 1", "[\"moderator\"]", "moderator 1 true"])
        // Who is removed leaves the roster first.
        _ = try owner.groups.remove([id], from: try owner.bench.context.lookup.group(group.id), withMessages: false)
        let chunks = agent.bodies.compactMap { try? FileChunk(decoding: $0) }
        #expect(chunks.last?.content == .data(number: 1, [0, 0]))
        #expect(try owner.bench.context.lookup.group(group.id).channel?.rosterVersion == 2)
    }

    @Test func channel_refuses_what_is_for_groups() async throws {
        let owner = try Owner(), group = try await owner.create(), bob = try owner.bench.contact()
        await #expect(throws: ChatError.channel(.link)) {
            try await owner.groups.createLink(of: group, role: .member)
        }
        await #expect(throws: ChatError.channel(.link)) { try await owner.groups.deleteLink(of: group) }
        await #expect(throws: ChatError.channel(.invitation)) {
            try await owner.groups.invite(bob, to: group, as: .member)
        }
        await #expect(throws: ChatError.channel(.relaysPresent)) {
            try await owner.groups.addRelays([ChatRelayID(1)], to: group)
        }
        let team = try owner.groups.create(
            GroupProfile(displayName: "team"), of: try owner.bench.profile(), isIncognito: false)
        await #expect(throws: ChatError.channel(.noChannel)) {
            try await owner.groups.addRelays([ChatRelayID(1)], to: team)
        }
    }

    @Test func relay_passes_its_test_with_the_key_of_its_address_only() async throws {
        let owner = try Owner(), agent = owner.bench.agent, tests = owner.bench.relayTests
        let address = try #require(try owner.bench.store.chatRelays(of: ProfileID(1)).first).address
        let profile = try owner.bench.profile(), other = Ed25519.PrivateKey(random: owner.random)
        for (key, step) in [(owner.relayKey, nil), (other, ChatRelayTestFailure.Step.verify)] {
            agent.onJoin = { [inbox = owner.inbox, bench = owner.bench] joined in
                guard case .group(.relayTest(let challenge, _), _) = Groups.message(in: joined.information)?.event
                else { return }
                let answer = GroupEvent.relayTest(challenge: challenge, signature: key.sign(challenge))
                let information = ChatMessage(event: .group(answer)).encoded
                inbox.handle(
                    bench.event(
                        joined.connection, .connection(.conf(information: information, supportsPostQuantum: false))))
            }
            let result = try await tests.run(address, for: profile)
            #expect(result.profile?.displayName == "carrier" && result.failure?.step == step)
            // Nothing of the test stays.
            #expect(agent.connections.isEmpty)
            #expect(try owner.bench.store.livingConnections().isEmpty)
        }
        agent.openedLinks = [:]
        #expect(try await tests.run(address, for: profile).failure?.step == .getLink)
    }
}
