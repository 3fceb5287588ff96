import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import TestSupport
import Testing

/// Short links, notifiers, and commands that come through a proxy.
@Suite struct LinkAndNotifierRuleTests {
    private let blobs = LinkBlobs(fixed: Bytes(repeating: 1, count: 2048), user: Bytes(repeating: 2, count: 13824))

    private func setLink(_ id: EntityID, fixed: UInt8 = 1, user: UInt8 = 2) -> ClientCommand {
        .lset(
            linkID: id,
            LinkBlobs(fixed: Bytes(repeating: fixed, count: 2048), user: Bytes(repeating: user, count: 13824)))
    }

    @Test func theLinkOfAContactQueue() throws {
        let world = try CoreWorld()
        let client = world.connect(), other = world.connect()
        let queue = try client.makeQueue(mode: .contact, blobs: blobs)
        let id = try #require(queue.linkID)
        let link = RelayMessage.lnk(senderID: queue.senderID, blobs)
        let key = ed25519(world)
        #expect(try other.ask(.lget, of: id) == link)
        #expect(try other.ask(.lkey(key.publicKey), of: id, key: key) == .auth)
        #expect(try client.own(queue, setLink(id, user: 9)) == .ok)
        guard case .lnk(_, let changed) = try other.ask(.lget, of: id) else { return #expect(Bool(false)) }
        #expect(changed.fixed == blobs.fixed && changed.user.first == 9)
        #expect(try client.own(queue, setLink(id, fixed: 9)) == .auth)
        #expect(try client.own(queue, setLink(EntityID(Bytes(1...24)))) == .auth)
        for _ in 0..<2 {
            #expect(try client.own(queue, .ldel) == .ok)
            #expect(try other.ask(.lget, of: id) == .auth)
        }
        // Nothing of the former link binds the next one.
        #expect(try client.own(queue, setLink(EntityID(Bytes(1...24)), fixed: 3)) == .ok)
        #expect(try client.own(queue, .del) == .ok)
        #expect(try other.ask(.lget, of: EntityID(Bytes(1...24))) == .auth)
    }

    /// A row with an empty id could not be read again, and would end the turns of all clients.
    @Test func new_refuses_an_empty_link_id() throws {
        let client = try CoreWorld().connect()
        #expect(throws: ProtocolError.authorization) {
            try client.makeQueue(mode: .contact, blobs: blobs, linkID: .empty)
        }
    }

    @Test func theLinkOfAnInvitation() throws {
        let world = try CoreWorld()
        let client = world.connect(), other = world.connect()
        let queue = try client.makeQueue(blobs: blobs)
        let id = try #require(queue.linkID), key = ed25519(world), wrong = ed25519(world)
        let link = RelayMessage.lnk(senderID: queue.senderID, blobs)
        #expect(try other.ask(.lget, of: id) == .auth)
        #expect(try other.ask(.lkey(key.publicKey), of: id, key: wrong) == .auth)
        for _ in 0..<2 { #expect(try other.ask(.lkey(key.publicKey), of: id, key: key) == link) }
        #expect(try other.ask(.lkey(wrong.publicKey), of: id, key: wrong) == .auth)
        #expect(try client.own(queue, setLink(id)) == .auth)
        #expect(try other.send("x", to: queue) == .auth)
        #expect(try other.ask(.lkey(key.publicKey), of: id, key: key) == link)
        #expect(try other.send("x", to: queue, key: key) == .ok)
        // With the first message the link has served its purpose.
        #expect(try other.ask(.lkey(key.publicKey), of: id, key: key) == .auth)
    }

    /// A command is unknown in a session of a version that did not have it, whatever it would be answered otherwise.
    @Test(arguments: 6...18 as ClosedRange<UInt16>)
    func oldSessionsDoNotKnowNewCommands(version: UInt16) throws {
        let world = try CoreWorld()
        let client = world.connect(version: version)
        let key = ed25519(world), id = EntityID(Bytes(1...24))
        let proxy = X25519.PrivateKey(random: world.random).publicKey
        let address = ServerAddress(
            hosts: [.domain("other.example")], port: nil, fingerprint: Bytes(repeating: 1, count: 32))
        let commands: [(ClientCommand, signed: Bool, named: Bool, first: UInt16)] = [
            (.sub, true, true, 6), (.skey(key.publicKey), true, true, 9), (.lget, false, true, 15),
            (.lkey(key.publicKey), true, true, 15), (setLink(id), true, true, 15), (.ldel, true, true, 15),
            (.rkey([key.publicKey]), true, true, 15), (.subs(nil), true, true, 16), (.nsubs(nil), true, true, 16),
            (.prxy(address, password: nil), false, false, 8), (.rfwd(encrypted: [1]), false, false, 8),
            (.pfwd(version: 17, key: proxy, encrypted: [1]), false, true, 8),
        ]
        for (command, signed, named, first) in commands {
            let answer = try client.ask(command, of: named ? id : .empty, key: signed ? key : nil)
            #expect((answer == .err(.command(.unknown))) == (version < first), "\(command.tag)")
        }
    }

    @Test(arguments: [(UInt16(14), false), (15, true)])
    func links_require_their_version(version: UInt16, areKnown: Bool) throws {
        let world = try CoreWorld()
        let client = world.connect(version: version)
        let queue = try client.makeQueue(mode: .contact)
        let id = EntityID(Bytes(1...24)), unknown = RelayMessage.err(.command(.unknown))
        #expect(try client.own(queue, setLink(id)) == (areKnown ? .ok : unknown))
        #expect(try client.ask(.lget, of: id) == (areKnown ? .lnk(senderID: queue.senderID, blobs) : unknown))
        #expect(try client.own(queue, .ldel) == (areKnown ? .ok : unknown))
    }

    @Test func idsThatClientsChooseAreNotTakenTwice() throws {
        let world = try CoreWorld()
        let client = world.connect(), key = ed25519(world)
        let queue = try client.makeQueue(mode: .contact, blobs: blobs)
        let id = try #require(queue.linkID)
        func new(link: EntityID, sender: EntityID, _ correlationID: CorrelationID) throws -> RelayMessage {
            let request = QueueRequest(
                mode: .contact, link: NewLink(linkID: link, senderID: sender, blobs: blobs))
            let new = NewQueue(recipientKey: key.publicKey, dhKey: client.ownKey.publicKey, request: request)
            return try client.ask(.new(new), key: key, correlationID: correlationID)
        }
        let first = CorrelationID(Bytes(1...24)), second = CorrelationID(Bytes(2...25))
        let free = EntityID(Bytes(3...26)), otherFree = EntityID(Bytes(4...27))
        #expect(try new(link: free, sender: .sender(for: second), first) == .prohibited)
        #expect(try new(link: id, sender: .sender(for: first), first) == .auth)
        #expect(try new(link: free, sender: .sender(for: first), first).tag == .ids)
        #expect(try new(link: otherFree, sender: .sender(for: first), first) == .auth)
        // SECURITY: nobody takes over the link of another.
        let attacker = try client.makeQueue(mode: .contact)
        #expect(try client.own(attacker, setLink(id)) == .auth)
        #expect(try client.ask(.lget, of: id) == .lnk(senderID: queue.senderID, blobs))
    }

    // MARK: - Notifiers

    private func check(_ answer: Answer?, _ secret: Secret, _ message: EncryptedMessage) throws {
        guard let answer, case .nmsg(let nonce, let encrypted) = answer.message else { return #expect(Bool(false)) }
        #expect(
            try NotificationMetadata(opening: encrypted, nonce: nonce, secret: secret)
                == NotificationMetadata(messageID: message.messageID, time: 1_700_000_000))
    }

    @Test func aNotifierIsToldOfMessagesThatMayWake() throws {
        let world = try CoreWorld()
        let client = world.connect(), notifier = world.connect()
        let queue = try client.makeQueue(withNotifier: true)
        let id = try #require(queue.notifierID), key = try #require(queue.notifierKey)
        #expect(try notifier.ask(.nsub, of: id, key: ed25519(world)) == .auth)
        #expect(try notifier.ask(.nsub, of: queue.recipientID, key: key) == .auth)
        #expect(try notifier.ask(.nsub, of: id, key: key) == .sok(serviceID: nil))
        let silent = ClientCommand.send(MessageFlags(notifies: false), body: [1])
        #expect(try client.ask(silent, of: queue.senderID) == .ok)
        #expect(!world.core.owesNotifications)
        #expect(try client.own(queue, .ack(messageID: .empty)) == .ok)
        _ = client.takeEvents()
        #expect(try client.send("loud", to: queue) == .ok)
        guard case .msg(let message) = client.takeEvents().first?.message else { return #expect(Bool(false)) }
        #expect(world.core.owesNotifications)
        world.core.deliverNotifications()
        try world.endTurn()
        let told = notifier.takeEvents()
        #expect(told.count == 1 && told.first?.entityID == id)
        try check(told.first, #require(queue.notifierSecret), message)
        #expect(!world.core.owesNotifications)
    }

    @Test func notifications_wait_for_notifier_and_expire() throws {
        let world = try CoreWorld()
        let client = world.connect()
        let queue = try client.makeQueue(withNotifier: true)
        let id = try #require(queue.notifierID), key = try #require(queue.notifierKey)
        for index in 0..<12 { #expect(try client.send("\(index)", to: queue) == .ok) }
        #expect(!world.core.owesNotifications)
        let notifier = world.connect()
        #expect(try notifier.ask(.nsub, of: id, key: key) == .sok(serviceID: nil))
        world.core.deliverNotifications()
        try world.endTurn()
        #expect(notifier.takeEvents().count == 8)
        notifier.disconnect()
        #expect(try client.send("x", to: queue) == .ok)
        world.clock.now = world.clock.now + .seconds(100_000)
        _ = world.core.beginExpiry()
        let later = world.connect()
        #expect(try later.ask(.nsub, of: id, key: key) == .sok(serviceID: nil))
        #expect(!world.core.owesNotifications)
    }

    @Test func notificationsTakeRoom() throws {
        let world = try CoreWorld()
        let client = world.connect(), notifier = world.connect()
        for _ in 0..<100 {
            let queue = try client.makeQueue(withNotifier: true)
            let id = try #require(queue.notifierID), key = try #require(queue.notifierKey)
            #expect(try notifier.ask(.nsub, of: id, key: key) == .sok(serviceID: nil))
            #expect(try client.send("x", to: queue) == .ok)
        }
        world.core.makeRoom(1, for: notifier.id)
        // 64 notifications take the room of one block; the others wait until there is room again.
        for (room, count) in [(1, 64), (1, 64), (2, 100)] {
            if room == 2 { world.core.makeRoom(room, for: notifier.id) }
            world.core.deliverNotifications()
            for (connection, told) in try world.core.endTurn() {
                #expect(connection == notifier.id && told.allSatisfy { $0.message.tag == .nmsg })
            }
            #expect(world.core.statistics.notifications == count)
        }
        #expect(!world.core.owesNotifications)
    }

    @Test func newCredentialsEndTheOldOnes() throws {
        let world = try CoreWorld()
        let client = world.connect(), notifier = world.connect(), other = world.connect()
        let queue = try client.makeQueue(withNotifier: true)
        let id = try #require(queue.notifierID), key = try #require(queue.notifierKey)
        #expect(try notifier.ask(.nsub, of: id, key: key) == .sok(serviceID: nil))
        #expect(try other.ask(.nsub, of: id, key: key) == .sok(serviceID: nil))
        #expect(notifier.takeEvents() == [Answer(.empty, id, .end)])
        let keys = NotifierKeys(authorizationKey: key.publicKey, dhKey: client.ownKey.publicKey)
        guard case .nid(let replaced) = try client.own(queue, .nkey(keys)) else { return #expect(Bool(false)) }
        #expect(other.takeEvents() == [Answer(.empty, id, .deld)])
        #expect(try other.ask(.nsub, of: id, key: key) == .auth)
        #expect(try other.ask(.nsub, of: replaced.notifierID, key: key) == .sok(serviceID: nil))
        for _ in 0..<2 { #expect(try client.own(queue, .ndel) == .ok) }
        #expect(other.takeEvents() == [Answer(.empty, replaced.notifierID, .deld)])
        #expect(try other.ask(.nsub, of: replaced.notifierID, key: key) == .auth)
    }

    // MARK: - Forwarding

    /// Sends a command as a proxy does, and opens the answer.
    private func forward(
        _ proxy: CoreClient, version: UInt16, _ command: ClientCommand, of entityID: EntityID,
        key: AuthorizationPrivateKey? = nil, damage: Bool = false
    ) throws -> RelayMessage {
        let random = proxy.world.random
        let session = TransmissionSession(version: version, sessionID: proxy.session.sessionID)
        let client = X25519.PrivateKey(random: random), inner = CorrelationID(random: random)
        let secret = try client.agree(with: proxy.relayKey.publicKey)
        let proxySecret = try proxy.ownKey.agree(with: proxy.relayKey.publicKey)
        let bytes = command.encoded(version: version)
        let transmission =
            try key.map {
                try Transmission(
                    bytes, entityID: entityID, correlationID: inner, key: $0, session: session,
                    relayKey: proxy.relayKey.publicKey)
            } ?? Transmission(correlationID: inner, entityID: entityID, command: bytes)
        var encrypted = try Forwarding.seal(transmission.encoded(in: session), correlationID: inner, secret: secret)
        if damage { encrypted[100] ^= 1 }
        let outer = CorrelationID(random: random)
        let forwarded = ForwardedCommand(
            correlationID: inner, version: version, key: client.publicKey, encrypted: encrypted)
        let answer = try proxy.ask(
            .rfwd(encrypted: forwarded.seal(correlationID: outer, secret: proxySecret)), correlationID: outer)
        guard case .rres(let result) = answer else { return answer }
        let opened = try ForwardedAnswer(opening: result, correlationID: outer, secret: proxySecret)
        #expect(opened.correlationID == inner)
        let plain = try Forwarding.openAnswer(opened.encrypted, correlationID: inner, secret: secret)
        let told = try Transmission(decoding: plain, session: session)
        #expect(told.correlationID == inner)
        #expect(told.entityID == entityID)
        return try RelayMessage(decoding: told.command, version: version)
    }

    @Test(arguments: [8, 9, 15, 17] as [UInt16])
    func commandsOfSendersCanBeForwarded(_ version: UInt16) throws {
        let world = try CoreWorld()
        let client = world.connect(), proxy = world.connect()
        for kind in ["ed25519", "x25519"] {
            let queue = try client.makeQueue(), key = QueueRuleTests.makeKey(kind, world.random)
            if version >= 9 {
                #expect(try forward(proxy, version: version, .skey(key.publicKey), of: queue.senderID, key: key) == .ok)
            } else {
                #expect(try client.own(queue, .key(key.publicKey)) == .ok)
            }
            let send = ClientCommand.send(MessageFlags(notifies: false), body: Bytes(repeating: 65, count: 16048))
            #expect(try forward(proxy, version: version, send, of: queue.senderID, key: key) == .ok)
            #expect(try queue.read(#require(client.takeEvents().first).message).utf8.count == 16048)
            #expect(try forward(proxy, version: version, send, of: queue.senderID) == .auth)
            #expect(
                try forward(proxy, version: version, .sub, of: queue.recipientID, key: queue.recipientKey)
                    == .prohibited)
            #expect(try forward(proxy, version: version, .ping, of: .empty) == .prohibited)
        }
        let contact = try client.makeQueue(mode: .contact, blobs: blobs)
        let link = try #require(contact.linkID)
        let shown: RelayMessage =
            version >= SMP.shortLinks ? .lnk(senderID: contact.senderID, blobs) : .err(.command(.unknown))
        #expect(try forward(proxy, version: version, .lget, of: link) == shown)
    }

    @Test func malformed_forwarding_is_rejected() throws {
        let world = try CoreWorld()
        let proxy = world.connect()
        #expect(try proxy.ask(.rfwd(encrypted: Bytes(repeating: 1, count: 16330))) == .err(.crypto))
        #expect(try proxy.ask(.rfwd(encrypted: [])) == .err(.crypto))
        let send = ClientCommand.send(MessageFlags(notifies: false), body: [1])
        let entity = EntityID(Bytes(1...24))
        #expect(try forward(proxy, version: 17, send, of: entity, damage: true) == .err(.crypto))
        #expect(try forward(proxy, version: 99, send, of: entity) == .err(.command(.syntax)))
        #expect(try forward(proxy, version: 17, send, of: .empty) == .err(.command(.noEntity)))
        let secret = try proxy.ownKey.agree(with: proxy.relayKey.publicKey), id = CorrelationID(random: world.random)
        let garbage = SecretBox.seal([1, 2, 3], nonce: id.nonce, key: secret)
        #expect(try proxy.ask(.rfwd(encrypted: garbage), correlationID: id) == .err(.command(.syntax)))
    }
}
