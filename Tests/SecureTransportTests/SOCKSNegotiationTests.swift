import ByteCoding
import CryptoCore
import SecureTransport
import TestSupport
import Testing

/// The client's part of SOCKS5 without a network, and how a proxy is written.
@Suite struct SOCKSNegotiationTests {
    private static let proxy = SOCKSProxy(
        host: "127.0.0.1", port: 1080, login: .password(user: "me", password: "word"))

    /// Everything that a proxy says, in the pieces that the client asks for.
    private static func run(_ answers: Bytes) throws -> (sent: [Bytes], rest: Bytes) {
        var negotiation = try #require(
            SOCKSNegotiation(through: proxy, to: "relay.example", port: 5223, random: SystemRandom()))
        var sent = [negotiation.greeting], rest = answers[...]
        while true {
            let missing = negotiation.missing
            #expect(missing > 0)
            guard !rest.isEmpty else { throw DecodeError.truncated }
            let part = Bytes(rest.prefix(missing))
            rest = rest.dropFirst(missing)
            switch try negotiation.receive(part) {
            case .wait: break
            case .send(let bytes): sent.append(bytes)
            case .connected: return (sent, Bytes(rest))
            }
        }
    }

    private static let replies: [Bytes] = [
        [5, 0, 0, 1, 192, 0, 2, 1, 0x14, 0x67],
        [5, 0, 0, 4] + Bytes(1...16) + [0, 80],
        [5, 0, 0, 3, 4] + Bytes("name".utf8) + [0, 80],
        [5, 0, 0, 3, 0, 0, 80],
    ]

    @Test(arguments: replies)
    func nothingBehindTheReplyIsTaken(reply: Bytes) throws {
        let (sent, rest) = try Self.run([5, 2, 1, 0] + reply + [9, 9, 9])
        #expect(rest == [9, 9, 9])
        #expect(sent.count == 3)
        #expect(sent[1] == [1, 2] + Bytes("me".utf8) + [4] + Bytes("word".utf8))
        #expect(sent[2] == [5, 1, 0, 3, 13] + Bytes("relay.example".utf8) + [0x14, 0x67])
    }

    @Test(arguments: replies)
    func damagedAnswersEndInAnErrorOrNothing(reply: Bytes) {
        for variant in Damage.variants(of: [5, 2, 1, 0] + reply) {
            do {
                _ = try Self.run(variant)
            } catch {
                #expect(error is SOCKSError || error as? DecodeError == .truncated)
            }
        }
        // Of the answers, the address that a proxy bound and the length of its name mean nothing to a client.
        let ignored = Set(4..<(4 + reply.count)).subtracting(4..<8)
        Damage.check([5, 2, 1, 0] + reply, ignoring: ignored) { answers in
            let (sent, rest) = try Self.run(answers)
            return sent + [rest]
        }
    }

    @Test func excess_reply_is_rejected() throws {
        var negotiation = try #require(
            SOCKSNegotiation(through: Self.proxy, to: "relay.example", port: 5223, random: SystemRandom()))
        #expect(throws: SOCKSError.invalidAnswer) { try negotiation.receive([5, 0, 5]) }
    }

    @Test func unoffered_method_is_rejected() throws {
        let anonymous = SOCKSProxy(host: "127.0.0.1", port: 1080, login: .anonymous)
        var negotiation = try #require(
            SOCKSNegotiation(through: anonymous, to: "relay.example", port: 5223, random: SystemRandom()))
        #expect(throws: SOCKSError.invalidAnswer) { try negotiation.receive([5, 2]) }
    }

    // MARK: - Text

    @Test func proxy_texts_are_parsed() throws {
        let expected: [(String, SOCKSProxy)] = [
            ("tor", .tor), ("socks5h://127.0.0.1:9050", .tor),
            ("socks5://localhost", SOCKSProxy(host: "localhost", port: 1080)),
            ("socks5h://localhost:1/", SOCKSProxy(host: "localhost", port: 1)),
            ("socks5h://[::1]:1080", SOCKSProxy(host: "::1", port: 1080)),
            ("socks5h://@host:1", SOCKSProxy(host: "host", port: 1, login: .anonymous)),
            (
                "socks5h://me:word@host:1",
                SOCKSProxy(host: "host", port: 1, login: .password(user: "me", password: "word"))
            ),
            (
                "socks5h://a%40b:c%3Ad:%25@host:1",
                SOCKSProxy(host: "host", port: 1, login: .password(user: "a@b", password: "c:d:%"))
            ),
        ]
        for (text, proxy) in expected { #expect(try SOCKSProxy(text: text) == proxy) }
        #expect(try SOCKSProxy(text: "socks5h://me:word@[::1]:1").description == "socks5h://[::1]:1")
    }

    @Test(arguments: [
        "", "Tor", "http://host:1", "host:1", "socks4://host:1", "socks5h://", "socks5h://host:0",
        "socks5h://host:65536",
        "socks5h://host:", "socks5h://host:1/path", "socks5h://me@host:1", "socks5h://:word@host", "socks5h://me:@host",
        "socks5h://a@b:c@host", "socks5h://me:%zz@host", "socks5h://me:%2@host", "socks5h://me:%ff@host",
        "socks5h://[::1:1", "socks5h://a b:1", "socks5h://me:%+1@host",
    ])
    func whatIsNoProxy(text: String) {
        #expect(throws: DecodeError.self) { try SOCKSProxy(text: text) }
    }
}
