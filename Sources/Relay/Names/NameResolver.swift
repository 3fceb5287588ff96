import ByteCoding
import SMPProtocol
import SystemIO

/// The client of the operator's resolver of names (SMP v20): one request with HTTP/1.1 for each name.
final class NameResolver {
    /// The address; nil for a relay without a resolver.
    var address: ResolverAddress?
    private let loop: EventLoop
    private var running: [UInt64: HTTPRequest] = [:]
    private var waiting = WaitingLine<() -> Void>()
    private var waitingCount = 0
    private var lastNumber: UInt64 = 0

    /// The largest number of concurrent requests.
    private static let concurrency = 32
    /// The largest number of names that wait for one of them.
    private static let waitingLimit = 1024
    /// The time limit of a request, from connecting to the end of the response.
    private static let deadline = Duration.seconds(10)

    init(_ address: ResolverAddress?, loop: EventLoop) {
        self.address = address
        self.loop = loop
    }

    /// Requests the record of a name.
    ///
    /// - Parameter finish: Called once, later, with the record or the error for the client.
    func resolve(_ domain: SimplexDomain, finish: @escaping (Result<NameRecord, NameError>) -> Void) {
        guard let address else { return finish(.failure(.noResolver)) }
        guard running.count >= NameResolver.concurrency else { return begin(domain, at: address, finish) }
        guard waitingCount < NameResolver.waitingLimit else { return finish(.failure(.resolver("busy"))) }
        waitingCount += 1
        waiting.append { [unowned self] in begin(domain, at: address, finish) }
    }

    /// Ends all requests without a response.
    func close() {
        running.removeAll()
        waiting = WaitingLine()
        waitingCount = 0
    }

    private func begin(
        _ domain: SimplexDomain, at address: ResolverAddress,
        _ finish: @escaping (Result<NameRecord, NameError>) -> Void
    ) {
        lastNumber += 1
        let number = lastNumber
        // A domain consists of letters, digits, hyphens and dots, which need no encoding in a path.
        running[number] = HTTPRequest(
            "\(address.path)/resolve/\(domain)", of: address, deadline: NameResolver.deadline, loop: loop
        ) { [weak self] result in
            guard let self else { return }
            running[number] = nil
            finish(NameResolver.record(result))
            if let next = waiting.popFirst() {
                waitingCount -= 1
                next()
            }
        }
    }

    private static func record(_ result: Result<HTTPResponse, HTTPRequest.Failure>) -> Result<NameRecord, NameError> {
        switch result {
        case .failure(.timedOut): .failure(.resolver("timeout"))
        case .failure(.transport): .failure(.resolver("transport failure"))
        case .failure(.tooLarge): .failure(.resolver("response too large"))
        case .success(let response):
            switch response.status {
            case 400, 404: .failure(.notFound)
            case 400...: .failure(.resolver("HTTP \(response.status)"))
            default:
                if let record = try? NameRecord(decoding: response.body) {
                    .success(record)
                } else {
                    .failure(.resolver("invalid response"))
                }
            }
        }
    }
}
