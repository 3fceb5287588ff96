import Agent
import AgentProtocol
public import ByteCoding
import ChatProtocol
import CryptoCore
public import JSONCoding

/// Why a chat relay failed its test.
public struct ChatRelayTestFailure: Hashable, Sendable {
    /// The step that failed. The raw values are those of the API.
    public enum Step: String, CaseIterable, Hashable, Sendable {
        case getLink, decodeLink, connect, waitResponse, verify
    }

    public let step: Step
    public let error: ChatError

    init(_ step: Step, _ error: ChatError) {
        self.step = step
        self.error = error
    }
}

extension ChatRelayTestFailure: JSONObjectCodable {
    /// Reads a `RelayTestFailure` of the API.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.word("rtfStep", Step.init(rawValue:)), try fields.required("rtfError"))
    }

    /// `RelayTestFailure` of the API.
    public var fields: JSONObject { ["rtfStep": .string(step.rawValue), "rtfError": error.json] }
}

/// Tests of chat relays: a relay signs random bytes with the key of its address (network-7.md 9.4).
final class ChatRelayTests: Collaborator {
    /// A test that waits for its answer.
    private struct Test {
        let challenge: Bytes
        let key: Ed25519.PublicKey
        let finish: (ChatRelayTestFailure?) -> Void
    }

    /// How long a relay may take.
    private static let deadline = Duration.seconds(40)
    private static let challengeSize = 32

    let context: CoreContext
    let connector: Connector
    private var tests: [ConnectionID: Test] = [:]

    init(_ context: CoreContext, connector: Connector) {
        self.context = context
        self.connector = connector
    }

    /// Tests the relay at an address.
    ///
    /// - Returns: The profile that its address shows, if it is one, and why it failed.
    func run(
        _ address: ShortLink, for profile: OwnProfile
    ) async throws -> (profile: RelayProfile?, failure: ChatRelayTestFailure?) {
        let opened: OpenedLink
        do { opened = try await connector.open(address, profile) } catch {
            return (nil, ChatRelayTestFailure(.getLink, ChatError(error)))
        }
        guard opened.isRelayAddress, let content = try? RelayLinkContent(linkContent: opened.user.content) else {
            return (nil, ChatRelayTestFailure(.decodeLink, .channel(.noRelayAddress)))
        }
        let shown = RelayProfile(content.profile)
        return (shown, try await ask(opened, profile))
    }

    private func ask(_ opened: OpenedLink, _ profile: OwnProfile) async throws -> ChatRelayTestFailure? {
        let agent = try agent
        guard let replyServer = try connector.servers.longestAddress(for: profile.id) else {
            return ChatRelayTestFailure(.connect, .noServer)
        }
        // As an address of no profile it is deleted at the next start if the program ends meanwhile.
        let id = try store.transaction {
            try store.insertAddressConnection(of: profile.id, status: .prepared, isInitiated: false, at: now)
        }
        let challenge = context.environment.random.bytes(ChatRelayTests.challengeSize)
        var cancel: () -> Void = {}
        let failure: ChatRelayTestFailure? = await withCheckedContinuation { continuation in
            tests[id] = Test(challenge: challenge, key: opened.fixed.rootKey) { continuation.resume(returning: $0) }
            cancel = context.after(ChatRelayTests.deadline) { [weak self] in
                self?.finish(id, ChatRelayTestFailure(.waitResponse, .channel(.testTimeout)))
            }
            do {
                let message = ChatMessage(event: .group(.relayTest(challenge: challenge)))
                try agent.join(
                    id, profile.id, .full(opened.request),
                    information: try ChatPayload.prepare(message.encoded, for: .handshake, postQuantum: false),
                    replyServer: replyServer, postQuantum: .off)
            } catch {
                finish(id, ChatRelayTestFailure(.connect, ChatError(error)))
            }
        }
        cancel()
        if try agent.contains(id) { try agent.delete(id) }
        try connector.forget(id)
        return failure
    }

    /// True if a connection is one of a test.
    func isTest(_ id: ConnectionID) -> Bool { tests[id] != nil }

    /// Takes an event of the connection of a test.
    func record(_ event: AgentEvent) throws -> [any ChatEvent] {
        let events = try context.commit(event) { [] }
        switch event.content {
        case .connection(.conf(let information, _)): finish(event.connectionID, answer(information, event.connectionID))
        case .err: finish(event.connectionID, ChatRelayTestFailure(.connect, .channel(.testFailed)))
        default: break
        }
        return events
    }

    private func answer(_ information: Bytes, _ id: ConnectionID) -> ChatRelayTestFailure? {
        guard let test = tests[id], let message = Groups.message(in: information),
            case .group(.relayTest(_, let signature), _) = message.event
        else { return ChatRelayTestFailure(.waitResponse, .channel(.testFailed)) }
        // The answer is to the bytes that were sent, whatever it repeats.
        guard let signature, test.key.verify(signature, of: test.challenge) else {
            return ChatRelayTestFailure(.verify, .channel(.testSignature))
        }
        return nil
    }

    private func finish(_ id: ConnectionID, _ failure: ChatRelayTestFailure?) {
        tests.removeValue(forKey: id)?.finish(failure)
    }
}

extension OpenedLink {
    /// True if the content is that of a relay's address, and not of another link.
    fileprivate var isRelayAddress: Bool {
        if case .address(_, let record) = user { record.isDirect } else { false }
    }
}
