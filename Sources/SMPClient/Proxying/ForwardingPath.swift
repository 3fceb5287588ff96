public import CryptoCore
public import SMPProtocol

/// The way to one relay through another one, the proxy: the destination sees the proxy's address instead of the client's,
/// and the proxy sees neither what is said nor to which queue (SMP v8).
///
/// The proxy is asked for a session with the destination when there is something to say, and again if it has lost it.
public final class ForwardingPath {
    /// Sends a command to the proxy; the second parameter is called once with the answer.
    public typealias Carrier = (RelayCommand, @escaping (RelaySession.Answer) -> Void) -> Void
    /// What the destination answered, or whose fault it is that it did not.
    public typealias Answer = Result<RelayMessage, ForwardingError>

    private struct Waiting {
        let command: RelayCommand
        /// Whether the proxy may be asked for another session for this command.
        let mayRenew: Bool
        let finish: (Answer) -> Void
    }

    private enum State {
        case idle
        case asking
        case standing(ProxiedDestination)
    }

    public let destination: ServerAddress
    private let password: ServerPassword?
    private let random: any RandomSource
    private let carrier: Carrier
    private var state = State.idle
    private var waiting: [Waiting] = []

    /// - Parameter password: The one that the proxy asks for.
    public init(
        to destination: ServerAddress, password: ServerPassword?, random: any RandomSource, carrier: @escaping Carrier
    ) {
        self.destination = destination
        self.password = password
        self.random = random
        self.carrier = carrier
    }

    /// Sends one of the commands that can be forwarded; `finish` is called once, also when this object is gone.
    public func send(_ command: RelayCommand, finish: @escaping (Answer) -> Void) {
        send(Waiting(command: command, mayRenew: true, finish: finish))
    }

    private func send(_ request: Waiting) {
        switch state {
        case .standing(let destination): forward(request, to: destination)
        case .asking: waiting.append(request)
        case .idle:
            waiting.append(request)
            state = .asking
            carrier(RelayCommand(.prxy(destination, password: password))) { [self] answer in opened(answer) }
        }
    }

    private func opened(_ answer: RelaySession.Answer) {
        let requests = waiting
        waiting = []
        do throws(ForwardingError) {
            let standing = try checked(answer)
            state = .standing(standing)
            for request in requests { forward(request, to: standing) }
        } catch {
            state = .idle
            for request in requests { request.finish(.failure(error)) }
        }
    }

    private func checked(_ answer: RelaySession.Answer) throws(ForwardingError) -> ProxiedDestination {
        switch answer {
        case .success(.pkey(let session)):
            do throws(SessionError) {
                return try ProxiedDestination(session, of: destination)
            } catch {
                throw .destination(error)
            }
        case .success: throw .proxy(.unexpectedAnswer)
        case .failure(let error): throw ForwardingError(answer: error)
        }
    }

    private func forward(_ request: Waiting, to standing: ProxiedDestination) {
        let forwarded: ForwardedRequest
        do throws(SessionError) {
            forwarded = try ForwardedRequest(request.command, to: standing, random: random)
        } catch {
            return request.finish(.failure(.destination(error)))
        }
        carrier(forwarded.command) { [self] answer in
            switch answer {
            case .success(.pres(let encrypted)):
                request.finish(forwarded.answer(in: encrypted).mapError { .destination($0) })
            case .success: request.finish(.failure(.proxy(.unexpectedAnswer)))
            case .failure(.refused(.proxy(.noSession))) where request.mayRenew:
                forget(standing)
                send(Waiting(command: request.command, mayRenew: false, finish: request.finish))
            case .failure(let error):
                forget(standing)
                request.finish(.failure(ForwardingError(answer: error)))
            }
        }
    }

    /// Another command may have renewed the session already.
    private func forget(_ lost: ProxiedDestination) {
        guard case .standing(let current) = state, current.transmission == lost.transmission else { return }
        state = .idle
    }
}

extension RelayCommand {
    /// Whether relays accept the command from a proxy: it is one of those of senders.
    public var canBeForwarded: Bool {
        switch command {
        case .send, .skey, .lkey, .lget: true
        default: false
        }
    }
}
