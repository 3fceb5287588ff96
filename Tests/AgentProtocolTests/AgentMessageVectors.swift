import AgentProtocol
import ByteCoding
import CryptoCore
import TestSupport
import Testing

/// `agent-messages.json`: envelopes, messages and their sequence.
@Suite struct AgentMessageVectors {
    @Test(arguments: VectorFile.cases("agent-messages", kind: "envelope"))
    func envelopes(vector: Vector) throws {
        let envelope = try vector.agentEnvelope()
        let binary = vector["binary"].bytes
        #expect(envelope.encoded == binary)
        // The recorded implementation reads a link and writes it again; here it stays text until it is used.
        #expect(try AgentEnvelope(decoding: binary) == envelope)
        Damage.check(binary, ignoring: Damage.unusedBits(in: binary)) { try AgentEnvelope(decoding: $0) }
    }

    @Test(arguments: VectorFile.cases("agent-messages", kind: "parseEnvelope"))
    func parsesEnvelopes(vector: Vector) throws {
        let bytes = vector["bytes"].bytes
        let envelope = try? AgentEnvelope(decoding: bytes)
        if case .invitation(let link, _)? = envelope?.content, vector.has("error") {
            // A link that is none, or no invitation, is noticed where it is used.
            if case .invitation? = try? ConnectionRequest(text: link) { Issue.record("the link should be refused") }
            return
        }
        #expect((envelope == nil) == vector.has("error"))
        guard let envelope else { return }
        #expect(envelope.encoded == vector.reencoded(bytes))
    }

    @Test(arguments: VectorFile.cases("agent-messages", kind: "message"))
    func messages(vector: Vector) throws {
        let message = try #require(try vector.agentMessage())
        let binary = vector["binary"].bytes
        #expect(message.encoded == binary)
        let parses = vector["parses"]
        guard !parses.has("error") else {
            #expect(throws: DecodeError.self) { try AgentMessage(decoding: binary) }
            return
        }
        #expect(try AgentMessage(decoding: binary).encoded == parses.reencoded(binary))
        Damage.check(binary, ignoring: Damage.unusedBits(in: binary)) { try AgentMessage(decoding: $0) }
    }

    @Test(arguments: VectorFile.cases("agent-messages", kind: "parseMessage"))
    func parsesMessages(vector: Vector) {
        let bytes = vector["bytes"].bytes
        let message = try? AgentMessage(decoding: bytes)
        #expect((message == nil) == vector.has("error"))
        guard let message else { return }
        #expect(message.encoded == vector.reencoded(bytes))
    }

    @Test func hashChain() throws {
        let vector = try #require(VectorFile.cases("agent-messages", kind: "hashChain").first)
        var sent = MessageSequence(), received = MessageSequence()
        for recorded in vector["messages"].list {
            let binary = recorded["binary"].bytes
            guard case .message(let header, _) = try AgentMessage(decoding: binary) else {
                Issue.record("not a message")
                return
            }
            #expect(header == sent.nextHeader)
            sent.advance(over: binary)
            #expect(sent.lastHash == recorded["sha256"].bytes)
            #expect(received.receive(header, message: binary) == .ok)
            #expect(received == sent)
        }
    }

    @Test func sizes() throws {
        let vector = try #require(VectorFile.cases("agent-messages", kind: "sizes").first)
        for (list, size) in [
            ("agentMessagePadded", PaddedSize.message), ("connInfoPadded", PaddedSize.connectionInfo),
        ] {
            for recorded in vector[list].list {
                let version = UInt16(recorded["agentVersion"].int)
                let usesKEM = recorded["pq"].bool && version >= AgentVersion.postQuantum
                #expect(size(usesKEM) == recorded["padded"].int)
            }
        }
        #expect(PaddedSize.largestBody(postQuantum: false) == 15795)
        #expect(PaddedSize.largestBody(postQuantum: true) == 13573)
    }

    @Test(arguments: [
        (MessageHeader(number: 4, previousHash: [1]), MessageIntegrity.ok),
        (MessageHeader(number: 4, previousHash: [2]), .badHash),
        (MessageHeader(number: 7, previousHash: [9]), .skipped(from: 4, to: 6)),
        (MessageHeader(number: 3, previousHash: [9]), .duplicate),
        (MessageHeader(number: 2, previousHash: [9]), .badNumber(last: 3)),
        (MessageHeader(number: .max, previousHash: [9]), .skipped(from: 4, to: .max - 1)),
        (MessageHeader(number: .min, previousHash: [9]), .badNumber(last: 3)),
    ])
    func integrity(header: MessageHeader, expected: MessageIntegrity) {
        var sequence = MessageSequence(lastNumber: 3, lastHash: [1])
        #expect(sequence.receive(header, message: [5]) == expected)
        #expect(sequence == MessageSequence(lastNumber: header.number, lastHash: SHA256.hash([5])))
    }

    @Test func linesOfTheSpecification() throws {
        let envelopes = [
            "AgentConfirmation with e2e", "AgentConfirmation no e2e", "AgentMsgEnvelope", "AgentRatchetKey",
        ]
        for line in envelopes {
            let bytes = VectorFile.line(line).bytes
            #expect(try AgentEnvelope(decoding: bytes).encoded == bytes)
        }
        let messages = VectorFile.lines.filter {
            $0.key.hasPrefix("AgentMessage ") || $0.key.hasPrefix("AgentConnInfo")
        }
        #expect(messages.count == 12)
        for bytes in messages.values.joined().map(\.bytes) {
            #expect(try AgentMessage(decoding: bytes).encoded == bytes)
        }
        let invitation = VectorFile.line("AgentInvitation").bytes
        #expect(try AgentEnvelope(decoding: invitation).encoded == invitation)
    }
}

extension Vector {
    /// The bytes that reading and writing gives: the input itself, or what was recorded.
    fileprivate func reencoded(_ input: Bytes) -> Bytes {
        self["reencoded"].text == "same" ? input : self["reencoded"].bytes
    }
}
