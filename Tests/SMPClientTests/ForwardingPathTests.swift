import ByteCoding
import CryptoCore
import SMPClient
import SMPProtocol
import SecureTransport
import TestSupport
import Testing

/// The client's way through a proxy, and what it believes.
@Suite struct ForwardingPathTests {
    private let queue = EntityID(Bytes(1...24))
    private let message = ClientCommand.send(MessageFlags(notifies: true), body: Bytes("hello".utf8))

    private func send(
        _ path: ForwardingPath, _ command: ClientCommand? = nil, key: AuthorizationPrivateKey? = nil
    ) -> ForwardingPath.Answer? {
        var answers: [ForwardingPath.Answer] = []
        path.send(RelayRequest(command ?? message, entityID: queue, key: key)) { answers.append($0) }
        #expect(answers.count <= 1)
        return answers.last
    }

    @Test func commandsReachTheDestination() throws {
        let proxy = try ProxyDouble(), password = try ServerPassword("secret")
        let path = proxy.path(password: password)
        let signer = Ed25519.PrivateKey(random: SystemRandom()), boxer = X25519.PrivateKey(random: SystemRandom())
        #expect(send(path, key: .ed25519(signer)) == .success(.ok))
        #expect(send(path, .skey(.x25519(boxer.publicKey)), key: .x25519(boxer)) == .success(.ok))
        #expect(proxy.asked.count == 1)
        #expect(proxy.asked.allSatisfy { $0 == (proxy.address, password) })
        #expect(proxy.forwarded.map(\.0) == [message, .skey(.x25519(boxer.publicKey))])
        #expect(proxy.forwarded.allSatisfy { $0.1.entityID == queue })
        // Authorized for the session with the destination, in the version that is agreed for it.
        let keys: [AuthorizationKey] = [.ed25519(signer.publicKey), .x25519(boxer.publicKey)]
        for (index, key) in keys.enumerated() {
            #expect(proxy.isAuthorized(proxy.forwarded[index].1, with: key, version: SMP.proxiedVersions.max))
        }
        #expect(Set(proxy.keys).count == 2)
    }

    @Test func names_are_resolved_behind_a_proxy() throws {
        let proxy = try ProxyDouble(), path = proxy.path()
        let domain = try SimplexDomain(text: "alice.simplex")
        let record = RelayMessage.rname(NameRecord(name: "alice.simplex", contactLinks: ["simplex:/a#1"]))
        proxy.answer = record
        var answers: [ForwardingPath.Answer] = []
        path.send(RelayRequest(.rslv(domain))) { answers.append($0) }
        #expect(answers == [.success(record)])
        #expect(proxy.forwarded.map(\.0) == [.rslv(domain)])
        #expect(RelayRequest(.rslv(domain)).canBeForwarded)
    }

    @Test func names_are_not_sent_to_former_versions() throws {
        let proxy = try ProxyDouble(), path = proxy.path()
        proxy.describe = { session in
            ProxiedSession(
                sessionID: session.sessionID, versions: VersionRange(8, SMP.names - 1),
                credentials: session.credentials)
        }
        var answers: [ForwardingPath.Answer] = []
        path.send(RelayRequest(.rslv(try SimplexDomain(text: "alice.simplex")))) { answers.append($0) }
        #expect(answers == [.failure(.destination(.handshake(.version)))])
        #expect(proxy.forwarded.isEmpty)
        #expect(ForwardingError.destination(.handshake(.version)).isLackOfSupport)
    }

    @Test func theLargestMessageFits() throws {
        let proxy = try ProxyDouble(), path = proxy.path()
        let signer = AuthorizationPrivateKey.ed25519(Ed25519.PrivateKey(random: SystemRandom()))
        func largest(_ count: Int) -> ClientCommand {
            .send(MessageFlags(notifies: true), body: Bytes(repeating: 7, count: count))
        }
        #expect(send(path, largest(16048), key: signer) == .success(.ok))
        #expect(send(path, largest(16049), key: signer) == .failure(.destination(.tooLarge)))
    }

    @Test func destination_errors_are_passed_on() throws {
        let proxy = try ProxyDouble(), path = proxy.path()
        proxy.answer = .err(.authorization)
        #expect(send(path) == .failure(.destination(.refused(.authorization))))
        proxy.answer = .err(.quota)
        #expect(send(path) == .failure(.destination(.refused(.quota))))
        #expect(proxy.asked.count == 1)
    }

    @Test func errors_are_attributed_to_proxy_or_destination() throws {
        let expected: [(SessionError, ForwardingError, isLackOfSupport: Bool)] = [
            (.connection(.closed), .proxy(.connection(.closed)), false),
            (.connection(.unknownHost), .proxy(.connection(.unknownHost)), true),
            (.timedOut, .proxy(.timedOut), false),
            (.refused(.command(.unknown)), .proxy(.refused(.command(.unknown))), true),
            // A queue that is gone is the word of a destination, never of a proxy.
            (.refused(.authorization), .proxy(.refused(.authorization)), false),
            (.refused(.proxy(.password)), .proxy(.refused(.proxy(.password))), true),
            (.refused(.proxy(.broker(.network))), .destination(.refused(.proxy(.broker(.network)))), false),
            (.refused(.proxy(.broker(.host))), .destination(.refused(.proxy(.broker(.host)))), true),
            (.refused(.proxy(.relay(.authorization))), .destination(.refused(.proxy(.relay(.authorization)))), false),
            (
                .refused(.proxy(.broker(.transport(.version)))),
                .destination(.refused(.proxy(.broker(.transport(.version))))), true
            ),
        ]
        for (error, expectedError, isLackOfSupport) in expected {
            let proxy = try ProxyDouble(), path = proxy.path()
            proxy.refusals = [.failure(error)]
            #expect(send(path) == .failure(expectedError))
            #expect(expectedError.isLackOfSupport == isLackOfSupport)
            // The next command asks again, and an error of its own counts the same.
            #expect(send(path) == .success(.ok))
            proxy.refusals = [.failure(error)]
            #expect(send(path) == .failure(expectedError))
            #expect(send(path) == .success(.ok))
        }
        let proxy = try ProxyDouble()
        proxy.refusals = [.success(.pong)]
        #expect(send(proxy.path()) == .failure(.proxy(.unexpectedAnswer)))
    }

    // MARK: - Who the destination is

    @Test func foreign_session_is_rejected() throws {
        let proxy = try ProxyDouble(), other = try ProxyDouble()
        let expected: [((ProxiedSession) -> ProxiedSession, SessionError)] = [
            ({ _ in other.session }, .connection(.wrongIdentity(.fingerprint))),
            (
                // The right certificates, and a key that another signed.
                {
                    ProxiedSession(
                        sessionID: $0.sessionID, versions: $0.versions,
                        credentials: SessionCredentials(
                            chain: $0.credentials.chain, signedKey: other.session.credentials.signedKey))
                }, .handshake(.badAuthorization)
            ),
            (
                // The right identity below another's leaf.
                {
                    ProxiedSession(
                        sessionID: $0.sessionID, versions: $0.versions,
                        credentials: SessionCredentials(
                            chain: [other.session.credentials.chain[0], $0.credentials.chain[1]],
                            signedKey: other.session.credentials.signedKey))
                }, .connection(.wrongIdentity(.path))
            ),
            (
                {
                    ProxiedSession(
                        sessionID: $0.sessionID, versions: $0.versions,
                        credentials: SessionCredentials(
                            chain: [$0.credentials.chain[1]], signedKey: $0.credentials.signedKey))
                }, .connection(.wrongIdentity(.chainLength(1)))
            ),
            (
                {
                    ProxiedSession(
                        sessionID: $0.sessionID,
                        versions: VersionRange(SMP.proxiedVersions.max + 1, SMP.proxiedVersions.max + 2),
                        credentials: $0.credentials)
                }, .handshake(.version)
            ),
            (
                { ProxiedSession(sessionID: [], versions: $0.versions, credentials: $0.credentials) },
                .handshake(.session)
            ),
        ]
        for (describe, error) in expected {
            proxy.describe = describe
            #expect(send(proxy.path()) == .failure(.destination(error)))
        }
        #expect(proxy.forwarded.isEmpty && other.forwarded.isEmpty)
    }

    @Test func damaged_responses_are_rejected() throws {
        let proxy = try ProxyDouble(), path = proxy.path()
        for change in [0, 15, 16, 5000, -1] {
            proxy.tamper = { bytes in
                var bytes = bytes
                bytes[change < 0 ? bytes.count + change : change] ^= 1
                return bytes
            }
            #expect(send(path) == .failure(.destination(.connection(.invalidTraffic))))
        }
        proxy.tamper = { Bytes($0.prefix(10)) }
        #expect(send(path) == .failure(.destination(.connection(.invalidTraffic))))
        proxy.tamper = { _ in [] }
        #expect(send(path) == .failure(.destination(.connection(.invalidTraffic))))
    }

    // MARK: - Sessions that end

    @Test func aLostSessionIsAskedForAgainOnce() throws {
        let proxy = try ProxyDouble(), path = proxy.path()
        #expect(send(path) == .success(.ok))
        proxy.loseSession()
        #expect(send(path) == .success(.ok))
        #expect(proxy.asked.count == 2 && proxy.forwarded.count == 2)
        let lost = RelaySession.Answer.failure(.refused(.proxy(.noSession)))
        proxy.refusals = [lost, .success(.pkey(proxy.session)), lost]
        #expect(send(path) == .failure(.proxy(.refused(.proxy(.noSession)))))
        #expect(proxy.asked.count == 3)
    }

    @Test func commandsThatWaitShareASession() throws {
        let proxy = try ProxyDouble(), path = proxy.path()
        proxy.isHolding = true
        var answers: [ForwardingPath.Answer] = []
        for _ in 0..<3 { path.send(RelayRequest(message, entityID: queue)) { answers.append($0) } }
        #expect(proxy.asked.count == 1)
        proxy.release()
        #expect(answers == Array(repeating: .success(.ok), count: 3))
        // All of them learn of the loss of the session, and it is renewed once.
        proxy.isHolding = true
        proxy.loseSession()
        for _ in 0..<3 { path.send(RelayRequest(message, entityID: queue)) { answers.append($0) } }
        proxy.release()
        #expect(answers.count == 6 && answers.allSatisfy { $0 == .success(.ok) })
        #expect(proxy.asked.count == 2)
    }
}
