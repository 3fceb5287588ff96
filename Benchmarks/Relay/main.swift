// Load for a relay, and what it takes.
//
//     relay-bench ADDRESS [--pid PID] [--connections 1,10,100] [--seconds 3] [--window 1] [--idle 1000]
//         [--handshakes 300] [--version 18] [--secured yes|no] [--block-encryption yes|no]
//
// ADDRESS is smp://FINGERPRINT[:PASSWORD]@HOST[:PORT]. With the number of the relay's process, which must be on this
// machine, its processor time and memory are shown too.
import ByteCoding
import CryptoCore
import Glibc
import SMPProtocol
import SecureTransport
import SystemIO

/// Ends the benchmark: a number that was measured beside an error would mislead.
func stop(_ reason: String) -> Never {
    try? FileDescriptor(owning: 2).write(Array("relay-bench: \(reason)\n".utf8))
    exit(1)
}

/// A number with this many digits behind the point.
func text(_ value: Double, _ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let whole = Int((value * scale).rounded())
    guard digits > 0 else { return "\(whole)" }
    let fraction = "\(whole % Int(scale))"
    return "\(whole / Int(scale))." + String(repeating: "0", count: digits - fraction.count) + fraction
}

func row(_ cells: [String]) {
    let widths = [16, 12, 12, 12, 14, 12]
    print(zip(cells, widths).map { String(repeating: " ", count: max(0, $1 - $0.count)) + $0 }.joined())
}

var arguments = CommandLine.arguments.dropFirst()
guard let server = arguments.popFirst().flatMap({ try? ConfiguredServer(text: $0) }) else { stop("no address") }
var options: [String: String] = [:]
while let name = arguments.popFirst() { options[name] = arguments.popFirst() }

var clientOptions = BenchClient.Options()
clientOptions.version = options["--version"].flatMap { UInt16($0) } ?? SMP.versions.max
clientOptions.encryptsBlocks = options["--block-encryption"] != "no"
var workloadOptions = Workload.Options()
workloadOptions.isSecured = options["--secured"] != "no"
workloadOptions.window = options["--window"].flatMap { Int($0) } ?? 1
workloadOptions.seconds = options["--seconds"].flatMap { Double($0) } ?? 3
workloadOptions.password = server.password
let relay = options["--pid"].flatMap { Int($0) }.map { ObservedProcess(id: $0) }
let connections = (options["--connections"] ?? "1,10,100").split(separator: ",").compactMap { Int($0) }
let idleConnections = options["--idle"].flatMap { Int($0) } ?? 1000
let handshakes = options["--handshakes"].flatMap { Int($0) } ?? 300

_ = DescriptorLimit.raise()
let loop = try EventLoop()
let context = try TLSContext(clientOf: SMP.alpn)
guard let host = server.address.hosts.first?.description else { stop("no host") }
let port = server.address.port ?? SMP.defaultPort

/// Connects so many clients, ten at a time.
@MainActor func connect(_ count: Int) throws -> [BenchClient] {
    var clients: [BenchClient] = []
    var open = 0
    while open < count {
        for _ in 0..<min(10, count - clients.count) {
            let socket = connectedSocket(host: host, port: port)
            clients.append(try BenchClient(socket, server.address, context, loop, clientOptions) { open += 1 })
        }
        loop.run { open == clients.count }
    }
    return clients
}

let idleMemory = relay?.memory
row(["connections", "messages/s", "median ms", "p99 ms", "CPU s/10,000", "RSS MiB"])
for count in connections {
    let clients = try connect(count)
    let workload = Workload(clients, loop, workloadOptions)
    let before = relay?.processorSeconds
    let result = workload.run()
    let spent = relay.map { $0.processorSeconds - (before ?? 0) }
    row([
        "\(count)", text(Double(result.messages) / result.seconds, 0), text(result.latency(0.5), 3),
        text(result.latency(0.99), 3), spent.map { text($0 / Double(max(1, result.messages)) * 10_000, 2) } ?? "-",
        relay.map { text($0.memory, 1) } ?? "-",
    ])
    for client in clients { client.close() }
}

let start = ContinuousClock.now
let before = relay?.processorSeconds
for _ in 0..<max(1, handshakes / 10) {
    for client in try connect(10) { client.close() }
}
let elapsed = (ContinuousClock.now - start).seconds
let made = Double(max(1, handshakes / 10) * 10)
let handshakeCost = relay.map { text(($0.processorSeconds - (before ?? 0)) / made * 1000, 2) + " ms of CPU each" } ?? ""
print("handshakes: \(text(made / elapsed, 0))/s \(handshakeCost)")
let idle = try connect(idleConnections)
if let relay, let idleMemory {
    print("memory: \(text(idleMemory, 1)) MiB idle, \(text(relay.memory, 1)) MiB with \(idle.count) idle connections")
}
