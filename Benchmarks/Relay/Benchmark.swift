import SMPProtocol
import SecureTransport
import SystemIO

/// The measurements, one after the other.
final class Benchmark {
    private(set) var measurements = Measurements()
    private let options: Options
    private let server: ConfiguredServer
    /// Nil for a relay whose process is not known: then only times are measured.
    private let relay: ObservedProcess?
    private let loop: EventLoop
    private let context: TLSContext
    private let host: String

    init(_ options: Options, _ server: ConfiguredServer, _ relay: ObservedProcess?) throws {
        guard let host = server.address.hosts.first?.description else { stop("no host") }
        self.options = options
        self.server = server
        self.relay = relay
        self.host = host
        _ = DescriptorLimit.raise()
        loop = try EventLoop()
        context = try TLSContext(clientOf: SMP.alpn)
    }

    /// Memory first: it is that of a relay which has done nothing else.
    func run() throws {
        addMemory("relay.memory.idle")
        try hold(options.held)
        for _ in 0..<options.rounds {
            try shakeHands(options.handshakes)
            for count in options.connections { try send(count) }
        }
        addMemory("relay.memory.afterwards")
    }

    private func addMemory(_ name: String) {
        if let relay { measurements.add(name, relay.memory, "MiB", digits: 1) }
    }

    /// Connections with a queue each that nobody sends to.
    private func hold(_ count: Int) throws {
        let clients = try connect(count)
        let workload = Workload(clients, loop, options, password: server.password)
        workload.makeQueues()
        addMemory("relay.memory.\(count)")
        workload.deleteQueues()
        for client in clients { client.close() }
    }

    private func shakeHands(_ count: Int) throws {
        let start = ContinuousClock.now, before = relay?.processorSeconds
        for client in try connect(count) { client.close() }
        let seconds = (ContinuousClock.now - start).seconds
        measurements.add("relay.handshakes", Double(count) / seconds, "1/s", digits: 0)
        guard let relay, let before else { return }
        let spent = relay.processorSeconds - before
        measurements.add("relay.handshakes.cpu", spent / Double(count) * 1000, "ms", digits: 2)
    }

    /// Messages over so many connections.
    private func send(_ count: Int) throws {
        let clients = try connect(count)
        let workload = Workload(clients, loop, options, password: server.password)
        workload.makeQueues()
        let before = relay?.processorSeconds
        let result = workload.run()
        if let relay, let before {
            let spent = relay.processorSeconds - before
            measurements.add(
                "relay.cpu.\(count)", spent / Double(max(1, result.messages)) * 10_000, "s/10000", digits: 2)
        }
        measurements.add("relay.messages.\(count)", Double(result.messages) / result.seconds, "1/s", digits: 0)
        measurements.add("relay.latency.\(count)", result.latency(0.5), "ms", digits: 3)
        measurements.add("relay.latency.\(count).p99", result.latency(0.99), "ms", digits: 3)
        workload.deleteQueues()
        for client in clients { client.close() }
    }

    /// Connects so many clients, ten at a time.
    private func connect(_ count: Int) throws -> [BenchClient] {
        var clients: [BenchClient] = []
        var open = 0
        while open < count {
            for _ in 0..<min(10, count - clients.count) {
                guard let socket = connectedSocket(host: host, port: server.address.port ?? SMP.defaultPort) else {
                    stop("the relay cannot be reached")
                }
                clients.append(try BenchClient(socket, server.address, context, loop, options) { open += 1 })
            }
            loop.run { open == clients.count }
        }
        return clients
    }
}
