import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing

/// `boxes.json`: the key chains of block encryption.
@Suite struct BlockVectors {
    @Test(arguments: VectorFile.cases("boxes", kind: "secretboxChain"))
    func chains(vector: Vector) throws {
        let secret = Secret(copying: vector["secret"].bytes)
        let (fromRelay, fromClient) = BlockChain.pair(sessionID: vector["salt"].bytes, secret: secret)
        check(fromRelay, vector["serverSendChainKey"], vector["serverSendSteps"])
        check(fromClient, vector["clientSendChainKey"], vector["clientSendSteps"])
        var relay = BlockCipher(side: .relay, sessionID: vector["salt"].bytes, secret: secret)
        var client = BlockCipher(side: .client, sessionID: vector["salt"].bytes, secret: secret)
        for block in vector["serverSendBlocks"].list {
            let sealed = try relay.seal(block["plain"].bytes)
            #expect(SHA256.hash(sealed) == LongBytes(block["encrypted"]).sha256)
            #expect(try client.open(sealed) == block["plain"].bytes)
        }
        for block in vector["clientSendBlocks"].list {
            let sealed = try client.seal(block["plain"].bytes)
            #expect(SHA256.hash(sealed) == LongBytes(block["encrypted"]).sha256)
            #expect(try relay.open(sealed) == block["plain"].bytes)
        }
    }

    private func check(_ chain: BlockChain, _ start: Vector, _ steps: Vector) {
        var chain = chain
        #expect(chain.chainKey.copyBytes() == start.bytes)
        for step in steps.list {
            let (key, nonce) = chain.next()
            #expect(key.copyBytes() == step["key"].bytes)
            #expect(nonce.bytes == step["nonce"].bytes)
        }
    }

    @Test func aLostBlockMakesTheConnectionUseless() throws {
        let secret = Secret(random: SystemRandom(), count: 32)
        var relay = BlockCipher(side: .relay, sessionID: [1], secret: secret)
        var client = BlockCipher(side: .client, sessionID: [1], secret: secret)
        _ = try relay.seal([1])
        let second = try relay.seal([2])
        #expect(throws: CryptoError.authenticationFailed) { try client.open(second) }
    }

    @Test func aBlockHoldsWhatItsPaddingLeaves() throws {
        var plain = BlockCipher()
        #expect(try plain.open(plain.seal(Bytes(repeating: 1, count: 16382))).count == 16382)
        #expect(throws: CryptoError.messageTooLarge) { try plain.seal(Bytes(repeating: 1, count: 16383)) }
        var encrypting = BlockCipher(side: .client, sessionID: [], secret: Secret(random: SystemRandom(), count: 32))
        #expect(try encrypting.seal(Bytes(repeating: 1, count: 16366)).count == SMP.blockSize)
        #expect(throws: CryptoError.messageTooLarge) { try encrypting.seal(Bytes(repeating: 1, count: 16367)) }
    }

    @Test func linesOfTheSpecification() throws {
        let session = VectorFile.line("sessionId").bytes
        let secret = Secret(copying: VectorFile.line("x25519 dh(07,09)").bytes)
        var (fromRelay, fromClient) = BlockChain.pair(sessionID: session, secret: secret)
        #expect(fromRelay.chainKey.copyBytes() == VectorFile.line("ck1 (server->client)").bytes)
        #expect(fromClient.chainKey.copyBytes() == VectorFile.line("ck2 (client->server)").bytes)
        for step in ["step1", "step2"] {
            let (key, nonce) = fromRelay.next()
            #expect(key.copyBytes() == VectorFile.line("ck1 \(step) sk").bytes)
            #expect(nonce.bytes == VectorFile.line("ck1 \(step) nonce").bytes)
            guard step == "step1" else { continue }
            #expect(fromRelay.chainKey.copyBytes() == VectorFile.line("ck1 step1 next ck").bytes)
        }
        var relay = BlockCipher(side: .relay, sessionID: session, secret: secret)
        let block = try relay.seal(Bytes("hello".utf8))
        #expect(Bytes(block.prefix(48)) == VectorFile.line("block1('hello') first 48 bytes").bytes)
        #expect(SHA256.hash(block) == VectorFile.line("block1('hello') sha256").bytes)
    }
}
