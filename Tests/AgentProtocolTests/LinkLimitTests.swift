import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import TestSupport
import Testing

/// Text has no limits of its own, but everything in a link must fit into the binary form, which traps otherwise.
@Suite struct LinkLimitTests {
    private let random = SeededRandom(seed: 1)

    private func queues(clientText: String?) throws -> ConnectionQueues {
        let server = ServerAddress(hosts: [.domain("h")], port: nil, fingerprint: [1])
        let location = QueueLocation(
            server: server, senderID: EntityID([2]), dhKey: X25519.PrivateKey(random: random).publicKey, mode: .contact)
        return ConnectionQueues(
            versions: VersionRange(2, 7), queues: [QueueAddress(versions: VersionRange(1, 4), location: location)],
            clientText: clientText)
    }

    /// The store keeps the server of a queue as text, which has no form without a fingerprint.
    @Test func aQueueHasAFingerprint() throws {
        for size in [0, 1, 32, 255] {
            let server = ServerAddress(
                hosts: [.domain("h")], port: nil, fingerprint: Bytes(repeating: 1, count: size))
            let location = QueueLocation(
                server: server, senderID: EntityID([2]), dhKey: X25519.PrivateKey(random: random).publicKey,
                mode: .messaging)
            let queue = QueueAddress(versions: VersionRange(1, 4), location: location)
            #expect(((try? QueueAddress(decoding: queue.encoded)) == queue) == (size > 0))
            for version: UInt16 in [1, 4] {
                let agreed = AgreedQueueAddress(version: version, location: location)
                #expect(((try? AgreedQueueAddress(decoding: agreed.encoded)) == nil) == (size == 0))
            }
        }
    }

    @Test(arguments: [(15, 10, true), (16, 10, false), (4, 250, false)])
    func hostsOfAShortLink(others: Int, size: Int, isAllowed: Bool) throws {
        let hosts = (0..<others).map { _ in String(repeating: "b", count: size) }.joined(separator: ",")
        let key = String(repeating: "A", count: 43)
        let first = String(repeating: "a", count: 250)
        let link = try? ShortLink(text: "https://\(first)/i#AAAA/\(key)?h=\(hosts)&c=\(key)")
        #expect((link != nil) == isAllowed)
        if let link { #expect(try ShortLink(decoding: link.encoded).server == link.server) }
    }

    @Test func clientText() throws {
        let longest = ConnectionRequest.contact(try queues(clientText: String(repeating: "a", count: 65535)))
        #expect(try ConnectionRequest(decoding: ConnectionRequest(text: longest.description).encoded) == longest)
        let tooLong = ConnectionRequest.contact(try queues(clientText: String(repeating: "a", count: 65536)))
        #expect(throws: DecodeError.invalid("client text")) { try ConnectionRequest(text: tooLong.description) }
    }

    @Test func keyOfTheOffer() throws {
        for (count, isAllowed) in [(65535, true), (65536, false)] {
            let offer = RatchetOffer(
                versions: RatchetVersion.supported, key1: X448.PrivateKey(random: random).publicKey,
                key2: X448.PrivateKey(random: random).publicKey, kemKey: Bytes(repeating: 3, count: count))
            let request = ConnectionRequest.invitation(try queues(clientText: nil), offer)
            let read = try? ConnectionRequest(text: request.description)
            #expect((read == request) == isAllowed)
            #expect((read == nil) != isAllowed)
            if let read { #expect(try ConnectionRequest(decoding: read.encoded) == request) }
        }
    }
}
