import AgentProtocol
import AttackSupport
import ByteCoding
import ChatCore
import CryptoCore
import SMPClient
import SMPProtocol
import SecureTransport
import SystemIO

// What an attacker chooses most freely: chains of certificates, times, receipts, answers of a proxy.

extension FuzzTarget {
    /// Chains that are put together from certificates of a relay and of an attacker, some of them changed: none with a
    /// certificate of the attacker proves an identity.
    static let chains = FuzzTarget(name: "chains") { input in
        guard let pool = CertificatePool.shared else { return promise(false, "no certificates could be made") }
        var reader = ByteReader(input), chain: [Bytes] = []
        while chain.count < 5, let choice = try? reader.uint8() {
            var certificate = pool.certificates[Int(choice & 15) % pool.certificates.count]
            if choice >= 0xc0, let place = try? reader.uint16(), let value = try? reader.uint8() {
                certificate[Int(place) % certificate.count] ^= value
            }
            chain.append(certificate)
        }
        for identity in pool.identities {
            guard (try? CertificateChain(chain).verify(fingerprint: SHA256.hash(identity))) != nil else { continue }
            // The relay's own certificates may be put together in several ways.
            promise(
                chain.allSatisfy(pool.genuine.contains), "a certificate of somebody else is in a chain that is right")
        }
    }

    /// Times of relays, of contacts and of stored files.
    static let dates = FuzzTarget(name: "dates") { input in
        var reader = ByteReader(input)
        while let number = try? reader.int64() {
            for moment in [Timestamp(milliseconds: number), Timestamp(seconds: number)] {
                let text = moment.description
                promise(text.utf8.count == 24, "a time has \(text.utf8.count) bytes")
                promise((try? Timestamp(text: text))?.description == text, "a time is not read as it was written")
                promise(Timestamp.range.contains(moment.clamped), "a time is out of range")
                promise(moment.seconds <= moment.milliseconds / 1000, "seconds are rounded up")
                _ = LocalTime.text(milliseconds: moment.milliseconds)
                _ = LocalTime.text(milliseconds: moment.milliseconds, utc: true)
                _ = moment + .seconds(number)
                _ = moment + .milliseconds(number)
            }
        }
        let text = String(decoding: input, as: UTF8.self)
        if let moment = try? Timestamp(text: text) {
            promise((try? Timestamp(text: moment.description)) == moment, "a time changes when it is written")
        }
    }

    /// Receipts and numbers of messages, as a contact chooses them.
    static let receipts = FuzzTarget(name: "receipts") { input in
        roundTrip([UInt8(ascii: "V")] + input, AgentMessageBody.self)
        roundTrip(input, MessageReceipt.self)
        var reader = ByteReader(input), sequence = MessageSequence()
        while let number = try? reader.int64() {
            let header = MessageHeader(number: number, previousHash: sequence.lastHash)
            switch sequence.receive(header, message: input) {
            case .skipped(let first, let last):
                promise(first <= last, "a gap of less than one message")
                let text = ChatItem.Content.integrity(.skipped(from: first, to: last)).plainText
                promise(!text.contains("-") && text.utf8.count < 60, "a gap is told as: \(text)")
            case .ok, .badNumber, .badHash, .duplicate: break
            }
        }
    }

    /// What a proxy answers to PRXY and PFWD, and what the relay behind it answers.
    static let proxyAnswers = FuzzTarget(name: "proxy-answers") { input in
        guard let pool = CertificatePool.shared, let first = input.first else { return }
        let rest = Bytes(input.dropFirst()), random = FixedRandom(seed: 3)
        let key = X25519.PrivateKey(random: FixedRandom(seed: 4))
        let server = ServerAddress(hosts: [.domain("far.example")], port: nil, fingerprint: pool.chain.fingerprint)
        let path = ForwardingPath(to: server, password: nil, random: random) { command, finish in
            switch command.command {
            case .prxy where first & 1 == 0:
                finish(
                    .success(
                        .pkey(
                            ProxiedSession(
                                sessionID: Bytes(repeating: 7, count: 32), versions: SMP.proxiedVersions,
                                credentials: SessionCredentials(
                                    chain: pool.chain.chain.certificates,
                                    signedKey: SignedSessionKey(key.publicKey, signedBy: pool.chain.key))))))
            case .pfwd(let version, let clientKey, _) where first & 2 == 0:
                // The layers are right, and what is in them is not.
                guard let secret = try? key.agree(with: clientKey), let id = command.correlationID,
                    let sealed = try? Forwarding.sealAnswer(
                        first & 4 == 0
                            ? rest
                            : Transmission(correlationID: id, entityID: .empty, command: rest).encoded(
                                in: TransmissionSession(version: version, sessionID: Bytes(repeating: 7, count: 32))),
                        correlationID: id, secret: secret)
                else { return finish(.failure(.unexpectedAnswer)) }
                finish(.success(.pres(encrypted: sealed)))
            default:
                let answer = try? RelayMessage(decoding: rest, version: 18)
                if case .err(let error)? = answer { return finish(.failure(.refused(error))) }
                finish(answer.map { .success($0) } ?? .failure(.unexpectedAnswer))
            }
        }
        var answers = 0
        path.send(RelayRequest(.lget, entityID: EntityID(Bytes(repeating: 1, count: 24)))) { answer in
            answers += 1
            if case .failure(let error) = answer { _ = "\(error)" }
        }
        promise(answers == 1, "a command has \(answers) answers")
    }
}

/// Certificates of a relay with chains of two, three and four, and of an attacker who knows them.
private struct CertificatePool: Sendable {
    let certificates: [Bytes]
    let identities: [Bytes]
    /// Those that the relay's authority has issued, and its own.
    let genuine: [Bytes]
    let chain: PresentedChain

    static let shared = try? CertificatePool()

    init() throws {
        let chains = try PresentedChain.genuine()
        chain = chains[0]
        genuine = chains.flatMap(\.chain.certificates)
        identities = chains.map { $0.chain.certificates[1] }
        let forged = try PresentedChain.forged(pinned: identities[0])
        var all: [Bytes] = []
        for certificate in genuine + forged.flatMap(\.chain.certificates) where !all.contains(certificate) {
            all.append(certificate)
        }
        certificates = Array(all.prefix(16))
    }
}
