import ByteCoding
import SMPProtocol
import SystemIO

/// The client of the operator's resolver of names (SMP v20): one request with HTTP/1.1, or one run of a program, for each name.
final class NameResolver {
    /// The service or program; nil for a relay without a resolver.
    var source: NameSource? {
        didSet { if source != oldValue { cache.clear() } }
    }
    private let loop: EventLoop
    private var cache = NameCache()
    private var running: [UInt64: HTTPRequest?] = [:]
    private var waiting = WaitingLine<() -> Void>()
    private var waitingCount = 0
    private var lastNumber: UInt64 = 0

    /// The largest number of concurrent requests, and of programs.
    private static let concurrency = 32, programs = 8
    /// The largest number of names that wait for one of them.
    private static let waitingLimit = 1024
    /// The time limit of a request, from connecting to the end of the response.
    private static let deadline = Duration.seconds(10)

    init(_ source: NameSource?, loop: EventLoop) {
        self.source = source
        self.loop = loop
    }

    /// Requests the record of a name.
    ///
    /// - Parameter finish: Called once, later, with the record or the error for the client.
    func resolve(_ domain: SimplexDomain, finish: @escaping (Result<NameRecord, NameError>) -> Void) {
        guard let source else { return finish(.failure(.noResolver)) }
        if let known = cache.result(for: domain, at: .now) { return finish(known) }
        guard running.count >= NameResolver.limit(of: source) else { return begin(domain, source, finish) }
        guard waitingCount < NameResolver.waitingLimit else { return finish(.failure(.resolver("busy"))) }
        waitingCount += 1
        waiting.append { [unowned self] in begin(domain, source, finish) }
    }

    private static func limit(of source: NameSource) -> Int {
        switch source {
        case .service: concurrency
        case .program: programs
        }
    }

    /// Ends all requests without a response.
    func close() {
        running.removeAll()
        waiting = WaitingLine()
        waitingCount = 0
    }

    private func begin(
        _ domain: SimplexDomain, _ source: NameSource, _ finish: @escaping (Result<NameRecord, NameError>) -> Void
    ) {
        lastNumber += 1
        let number = lastNumber
        let end = { [weak self] (result: Result<NameRecord, NameError>) in
            // Absent after ``close()``.
            guard let self, running.removeValue(forKey: number) != nil else { return }
            cache.keep(result, for: domain, at: .now)
            finish(result)
            if let next = waiting.popFirst() {
                waitingCount -= 1
                next()
            }
        }
        switch source {
        case .service(let address):
            // A domain consists of letters, digits, hyphens and dots, which need no encoding in a path.
            running[number] = HTTPRequest(
                "\(address.path)/resolve/\(domain)", of: address, deadline: NameResolver.deadline, loop: loop
            ) { end(NameResolver.record($0, of: domain)) }
        case .program(let program):
            running.updateValue(nil, forKey: number)
            loop.offload({ program.record(of: domain) }, then: end)
        }
    }

    private static func record(
        _ result: Result<HTTPResponse, HTTPRequest.Failure>, of domain: SimplexDomain
    ) -> Result<NameRecord, NameError> {
        switch result {
        case .failure(.timedOut): .failure(.resolver("timeout"))
        case .failure(.transport): .failure(.resolver("transport failure"))
        case .failure(.tooLarge): .failure(.resolver("response too large"))
        case .success(let response):
            switch response.status {
            case 400, 404: .failure(.notFound)
            case 400...: .failure(.resolver("HTTP \(response.status)"))
            default: NameRecord.answer(response.body, for: domain)
            }
        }
    }
}
