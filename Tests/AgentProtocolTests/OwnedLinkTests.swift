import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import TestSupport
import Testing

@Suite struct OwnedLinkTests {
    private let random = SeededRandom(seed: 11)
    private let record = UserLinkRecord.address(AddressRecord(content: Bytes("profile".utf8)))

    /// What a relay answers to NEW with a link.
    private func ids(_ queue: NewQueue, linkID: EntityID? = nil, senderID: EntityID? = nil) throws -> QueueIDs {
        let request = try #require(queue.request)
        let link = try #require(request.link)
        return QueueIDs(
            recipientID: EntityID(random.bytes(24)), senderID: senderID ?? link.senderID,
            dhKey: X25519.PrivateKey(random: random).publicKey, mode: request.mode, linkID: linkID ?? link.linkID)
    }

    private func blobs(_ queue: NewQueue) throws -> LinkBlobs { try #require(queue.request?.link?.blobs) }

    @Test func anAddressIsMadeOpenedAndChanged() throws {
        let new = try NewLinkedQueue.address(
            on: TestSide.server, clientText: "{}", entityID: [1, 2], random: random)
        let parameters = try new.request(showing: record, password: nil, random: random)
        #expect(parameters.request?.link?.senderID == .sender(for: new.correlationID))
        let made = try blobs(parameters)
        #expect(made.fixed.count == 2048 && made.user.count == 13824)
        let (queue, owned) = try new.made(try ids(parameters))
        #expect(new.request.queues.first.location == queue.location)
        #expect(parameters.request?.link?.linkID == owned.linkID)

        let link = try #require(owned.link(on: TestSide.server, kind: .group))
        #expect(link.linkID == owned.linkID)
        let opened = try OpenedLink(made, of: try ShortLink(text: link.description), senderID: queue.senderID)
        #expect(opened.request == new.request && opened.user == record && opened.fixed.entityID == [1, 2])

        let other = UserLinkRecord.address(AddressRecord(isDirect: false, content: Bytes(repeating: 9, count: 300)))
        guard case .lset(let id, let changed)? = try owned.setting(other, random: random) else {
            Issue.record("an address can be changed")
            return
        }
        #expect(id == owned.linkID)
        #expect(changed.fixed == made.fixed && changed.user.prefix(24) != made.user.prefix(24))
        #expect(try OpenedLink(changed, of: link, senderID: queue.senderID).user == other)
    }

    @Test func anInvitationIsMadeAndJoined() throws {
        let keys = X3DHPrivateKeys(random: RandomRatchetKeys(random))
        let new = try NewLinkedQueue.invitation(
            on: TestSide.server, keys.offer(RatchetVersion.supported), random: random)
        let shown = UserLinkRecord.invitation(Bytes("profile".utf8))
        let parameters = try new.request(showing: shown, password: nil, random: random)
        #expect(parameters.request?.mode == .messaging && parameters.request?.link?.linkID == nil)
        let linkID = EntityID(random.bytes(24))
        let (queue, owned) = try new.made(try ids(parameters, linkID: linkID))
        let connection = Connection.initiator(queue, keys: keys, isPostQuantum: false)
        #expect(connection.invitation == new.request)
        var initiator = TestSide(connection: connection, random: random)

        let link = try ShortLink(text: try #require(owned.link(on: TestSide.server)).description)
        #expect(link.target == .invitation(linkID))
        let senderKey = Ed25519.PrivateKey(random: random)
        let opened = try OpenedLink(try blobs(parameters), of: link, senderID: queue.senderID)
        #expect(opened.user == shown)
        guard case .invitation(let queues, let offer) = opened.request else {
            Issue.record("an invitation leads to an invitation")
            return
        }
        let (joining, step) = try Connection.joiner(
            queues, offer, securedWith: senderKey, information: Bytes("joiner".utf8), replyServer: TestSide.server,
            random: random, postQuantum: .off)
        #expect(joining.sendQueue?.authorizationKey.publicKey == .ed25519(senderKey.publicKey))
        guard case .createReplyQueue? = step.tasks.first, step.tasks.count == 1 else {
            Issue.record("the queue is secured already")
            return
        }
        var joiner = TestSide(connection: joining, random: random)
        joiner.take(step)
        try initiator.receive(try joiner.work())
        try initiator.allow()
        try joiner.receive(try initiator.work())
        #expect(initiator.connection.status == .ready && joiner.connection.status == .ready)
    }

    @Test func aRelayMustTakeTheLink() throws {
        let offer = X3DHPrivateKeys(random: RandomRatchetKeys(random)).offer(RatchetVersion.supported)
        let invitation = try NewLinkedQueue.invitation(on: TestSide.server, offer, random: random)
        let shown = try invitation.request(showing: .invitation([]), password: nil, random: random)
        let address = try NewLinkedQueue.address(on: TestSide.server, random: random)
        let other = try address.request(showing: record, password: nil, random: random)
        let id = EntityID(random.bytes(24))
        #expect(throws: LinkError.notTaken) { try invitation.made(try ids(shown)) }
        #expect(throws: LinkError.notTaken) { try invitation.made(try ids(shown, linkID: id, senderID: id)) }
        #expect(throws: LinkError.notTaken) { try address.made(try ids(other, linkID: id)) }
        #expect(throws: LinkError.notTaken) { try address.made(try ids(shown, linkID: id)) }
    }

    @Test func recordsFitTheLink() throws {
        let address = try NewLinkedQueue.address(on: TestSide.server, random: random)
        #expect(throws: LinkError.otherKind) {
            try address.request(showing: .invitation([]), password: nil, random: random)
        }
        // Far more than the encoding can hold.
        for size in [13_707, 70_000] {
            let large = UserLinkRecord.address(AddressRecord(content: Bytes(repeating: 0, count: size)))
            #expect(throws: LinkError.tooLarge(excess: size - 13_706)) {
                try address.request(showing: large, password: nil, random: random)
            }
        }
        #expect(throws: LinkError.self) {
            try NewLinkedQueue.address(
                on: TestSide.server, clientText: String(repeating: "x", count: 2000), random: random)
        }
        let limit = UserLinkRecord.invitation([]).contentLimit
        #expect(limit == 13_709)
    }

    @Test func onlyOwnersSign() throws {
        let rootKey = Ed25519.PrivateKey(random: random)
        let owner = Ed25519.PrivateKey(random: random)
        let stranger = Ed25519.PrivateKey(random: random)
        let (queue, owned) = try address(rootKey)
        func signed(by key: Ed25519.PrivateKey) -> OwnedLink {
            OwnedLink(
                key: owned.key, signer: key, rootKey: owned.rootKey, fixedBlob: owned.fixedBlob, linkID: owned.linkID,
                isInvitation: false)
        }
        let entry = LinkOwner(id: [1], key: owner.publicKey, authorizedBy: rootKey)
        let shared = UserLinkRecord.address(AddressRecord(owners: [entry], content: [1]))
        let link = try #require(owned.link(on: TestSide.server))
        for key in [rootKey, owner] {
            let blobs = try signed(by: key).blobs(showing: shared, random: random)
            #expect(try OpenedLink(blobs, of: link, senderID: queue.senderID).user == shared)
        }
        #expect(throws: LinkError.userSignature) { try signed(by: stranger).blobs(showing: shared, random: random) }
        #expect(throws: LinkError.userSignature) { try signed(by: owner).blobs(showing: record, random: random) }
        let wrong = LinkOwner(id: [1], key: owner.publicKey, authorizedBy: stranger)
        #expect(throws: LinkError.unauthorizedOwner) {
            try owned.blobs(showing: .address(AddressRecord(owners: [wrong], content: [])), random: random)
        }
    }

    @Test func linksLeadToTheQueueAndServerThatTheyName() throws {
        let (queue, owned) = try address(Ed25519.PrivateKey(random: random))
        let blobs = try owned.blobs(showing: record, random: random)
        let link = try #require(owned.link(on: TestSide.server))
        #expect(throws: LinkError.otherQueue) { try OpenedLink(blobs, of: link, senderID: EntityID([1])) }
        let foreign = ServerAddress(hosts: [.domain("other.example")], port: nil, fingerprint: Bytes(1...32))
        #expect(throws: LinkError.otherServer) {
            try OpenedLink(blobs, of: try #require(owned.link(on: foreign)), senderID: queue.senderID)
        }
        #expect(throws: LinkError.notAuthentic) {
            try OpenedLink(
                blobs, of: ShortLink(target: .invitation(link.linkID), server: link.server, key: link.key),
                senderID: queue.senderID)
        }
        let shortened = link.shortened(for: [TestSide.server])
        #expect(throws: LinkError.unknownServer) { try OpenedLink(blobs, of: shortened, senderID: queue.senderID) }
        // A server that got more hosts and another port since is the one that was asked.
        let moved = ServerAddress(
            hosts: TestSide.server.hosts + [.onion("abc.onion")], port: 443, fingerprint: TestSide.server.fingerprint)
        let opened = try OpenedLink(blobs, of: try #require(owned.link(on: moved)), senderID: queue.senderID)
        #expect(opened.fixed.request.queues.first.location == queue.location)
        #expect(opened.request.queues.first.location.server == moved)
        #expect(opened.request.queues.first.location.dhKey == queue.location.dhKey)
    }

    private func address(_ rootKey: Ed25519.PrivateKey) throws -> (queue: ReceiveQueue, link: OwnedLink) {
        let new = try NewLinkedQueue.address(on: TestSide.server, rootKey: rootKey, random: random)
        return try new.made(try ids(try new.request(showing: record, password: nil, random: random)))
    }
}
