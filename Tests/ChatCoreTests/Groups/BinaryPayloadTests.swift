import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import TestSupport
import Testing

@testable import ChatCore

/// Binary payloads of members: batches with forwarded and signed elements.
@Suite struct BinaryPayloadTests {
    private static let junk = Bytes("{}".utf8)

    private func message(_ text: String, _ id: UInt8) -> Bytes {
        ChatMessage(id: Workbench.sharedID(id), event: .message(MessageContainer(MessageContent(text)))).encoded
    }

    private func forwarded(
        _ original: Bytes, of author: MemberID, named name: String = "", at time: Timestamp
    ) -> Bytes {
        ForwardedElement(original, of: author, named: name, at: time).encoded
    }

    private func batch(_ elements: [Bytes]) -> Bytes {
        var writer = ByteWriter()
        writer.character("=")
        writer.list(elements) { $0.largeBytes($1) }
        return writer.bytes
    }

    @Test func a_history_in_a_binary_batch_is_read() throws {
        let team = try GroupBench(), host = try team.member("host", .admin), zoe = GroupBench.memberID(7)
        let begin = Timestamp(seconds: team.bench.now.seconds - 3600)
        let history = (1...5).map { number in
            forwarded(
                message("message \(number)", UInt8(number)), of: number % 2 == 0 ? host.memberID : zoe, named: "zoe",
                at: begin + .seconds(Int64(number)))
        }
        try team.receive(payload: batch(history + [message("welcome", 9)]), from: host)
        #expect(try team.texts() == (1...5).map { "message \($0)" } + ["welcome"])
        let items = try team.items()
        #expect(items.prefix(5).map(\.time) == (1...5).map { begin + .seconds(Int64($0)) })
        #expect(items.map { $0.group?.author?.name } == ["zoe", "host", "zoe", "host", "zoe", "host"])
        #expect(items[0].group?.author?.status == .unknown && items[0].group?.forwarder?.id == host.id)
        let author = try #require(items[0].group?.author)
        #expect(try team.member(author.id).role == .author)
        // What comes again, directly or in the other form, is there once.
        try team.receive(payload: batch(history.reversed()), from: host)
        try team.receive([team.forward(text("message 1"), 1, of: zoe)], from: host)
        #expect(try team.items().count == 6)
    }

    @Test func every_order_of_the_elements_leaves_the_same() throws {
        var orders: [[Int]] = [[]]
        for count in 1...4 {
            orders = orders.flatMap { order in (0..<count).map { Array(order[..<$0]) + [count - 1] + order[$0...] } }
        }
        #expect(orders.count == 24)
        for order in orders {
            let team = try GroupBench(), host = try team.member("host", .admin)
            let bob = try team.member("bob", .member, .pre, isConnected: false)
            let time = Timestamp(seconds: team.bench.now.seconds - 60)
            let update = ChatMessage(
                id: Workbench.sharedID(2),
                event: .update(MessageUpdate(Workbench.sharedID(1), MessageContent("second"))))
            let elements = [
                forwarded(message("first", 1), of: bob.memberID, at: time),
                forwarded(update.encoded, of: bob.memberID, at: time + .seconds(10)),
                BinaryPayloadTests.junk,
                ElementSignature(.group, [Bytes(repeating: 1, count: 64)], of: message("signed", 3)).encoded,
            ]
            try team.receive(payload: batch(order.map { elements[$0] }), from: host)
            #expect(try Set(team.texts()) == ["second", "signed", "a message could not be read"], "\(order)")
            #expect(try team.items().count == 3)
        }
    }

    @Test func a_refused_element_leaves_an_entry_and_spoils_no_other() throws {
        let team = try GroupBench(), host = try team.member("host", .admin), bob = try team.member("bob")
        let refused: [Bytes] = [
            BinaryPayloadTests.junk, [], Bytes("?".utf8), Bytes("/G".utf8), Bytes(">C".utf8),
            forwarded(
                forwarded(message("nested", 1), of: bob.memberID, at: team.bench.now), of: bob.memberID,
                at: team.bench.now),
        ]
        for (number, element) in refused.enumerated() {
            let first = UInt8(10 + 2 * number)
            _ = team.bench.events()
            try team.receive(
                payload: batch([message("before", first), element, message("after", first + 1)]), from: host)
            #expect(try team.texts().suffix(3) == ["before", "a message could not be read", "after"])
            let reasons = team.bench.events().compactMap { ($0 as? MessageUnusableEvent)?.reason }
            #expect(reasons == [GroupRefusal.malformed.rawValue])
        }
        // The user sees nothing of a member that is blocked.
        try team.bench.store.transaction { try team.bench.store.setBlockedForAll(true, host.id, at: team.bench.now) }
        let count = try team.items().count
        try team.receive(payload: batch(refused), from: host)
        #expect(try team.items().count == count)
    }

    @Test func a_forward_of_what_may_not_be_forwarded_is_refused_alone() throws {
        let team = try GroupBench(), host = try team.member("host", .admin), bob = try team.member("bob")
        let connected = ChatMessage(
            id: Workbench.sharedID(8), event: .group(.memberConnected(host.memberID)))
        let time = team.bench.now
        let elements = [
            forwarded(connected.encoded, of: bob.memberID, at: time),
            ForwardedElement(message("a post", 1), of: nil, at: time).encoded,
            forwarded(message("forged", 2), of: GroupBench.memberID(1), at: time),
            forwarded(message("good", 3), of: bob.memberID, at: time),
        ]
        _ = team.bench.events()
        try team.receive(payload: batch(elements), from: host)
        #expect(try team.texts() == ["good"])
        let reasons = team.bench.events().compactMap { ($0 as? MessageUnusableEvent)?.reason }
        #expect(
            reasons
                == [GroupRefusal.forwardedEvent, .channelPost, .ownName].map(\.rawValue).sorted())
        try team.receive(payload: forwarded(message("forged", 4), of: host.memberID, at: time), from: bob)
        #expect(try team.texts() == ["good"])
    }

    // MARK: - Forwarders

    @Test func only_the_expected_forwarder_speaks_for_a_member() throws {
        let team = try GroupBench(), host = try team.member("host", .admin)
        let other = try team.member("other", .admin, .post)
        let bob = try team.member("bob", .member, .post), cath = try team.member("cath", .member, .post)
        try team.bench.store.transaction { try team.bench.store.setInviter(other.id, of: cath.id) }
        for (id, forwarder) in [host, other].enumerated() {
            for (place, author) in [bob, cath].enumerated() {
                try team.receive(
                    payload: forwarded(
                        message("\(forwarder.name) for \(author.name)", UInt8(10 * id + place)), of: author.memberID,
                        at: team.bench.now), from: forwarder)
            }
        }
        #expect(try team.texts() == ["host for bob", "host for cath", "other for cath"])
        try team.receive(
            payload: forwarded(message("unknown", 90), of: GroupBench.memberID(9), named: "zoe", at: team.bench.now),
            from: other)
        #expect(try team.texts().last == "unknown")
    }

    // MARK: - Signatures

    @Test func a_signature_counts_where_the_key_is_known() throws {
        let team = try GroupBench(), bob = try team.member("bob"), host = try team.member("host", .admin)
        let key = try Ed25519.PrivateKey(seed: Secret(copying: Bytes(repeating: 5, count: 32)))
        let der = key.publicKey.der
        func signed(_ text: Bytes, binding: ElementSignature.Binding = .group, wrong: Bool = false) throws -> Bytes {
            let unsigned = ElementSignature(binding, [], of: text)
            let bytes = unsigned.signedBytes(binding: ElementSignature.memberBinding(bob.memberID, key: der))
            let signature = key.sign(wrong ? bytes + [0] : bytes)
            return ElementSignature(binding, [signature], of: text).encoded
        }
        // Without a key nothing is verified.
        try team.receive(payload: try signed(message("one", 1), wrong: true), from: bob)
        #expect(try team.texts() == ["one"])
        try team.bench.store.transaction {
            try team.bench.store.setPublicKey(der, of: bob.id)
            // The first key stays.
            try team.bench.store.setPublicKey([1], of: bob.id)
        }
        try team.receive(
            payload: batch([
                try signed(message("two", 2)), try signed(message("forged", 3), wrong: true), message("three", 4),
                try signed(message("four", 5), binding: .direct, wrong: true),
            ]), from: bob)
        let refusal = "sent a message with a wrong signature, which was refused"
        #expect(try team.texts() == ["one", "two", refusal, "three", "four"])
        // The same through an admin.
        try team.receive(
            payload: batch([
                forwarded(try signed(message("five", 6)), of: bob.memberID, at: team.bench.now),
                forwarded(try signed(message("forged", 7), wrong: true), of: bob.memberID, at: team.bench.now),
            ]), from: host)
        #expect(try Set(team.texts()) == ["one", "two", "three", "four", "five", refusal])
        #expect(try team.texts().filter { $0 == refusal }.count == 2)
        // A message whose signature was wrong did not come.
        try team.receive("in truth", 7, from: bob)
        #expect(try team.texts().contains("in truth"))
    }

    @Test func the_key_of_an_introduced_member_is_kept() throws {
        let team = try GroupBench(), host = try team.member("host", .admin)
        let key = try Ed25519.PrivateKey(seed: Secret(copying: Bytes(repeating: 6, count: 32))).publicKey.der
        for (number, key) in [(UInt8(1), key), (2, Bytes("no key".utf8))] {
            let info = MemberInfo(
                GroupBench.memberID(40 + number), .member, versions: ChatVersion.supported,
                profile: Profile(displayName: "m\(number)"),
                otherFields: ["memberKey": .string(Base64URL.encode(key))])
            try team.receive(.group(.memberJoined(info)), number, from: host)
        }
        let keys = try (UInt8(41)...42).map { number in
            let member = try #require(try team.bench.store.member(GroupBench.memberID(number), in: team.id))
            return try team.bench.store.publicKey(of: member.id)
        }
        #expect(keys == [key, nil])
    }
}
