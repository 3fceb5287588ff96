import ByteCoding
import SMPProtocol

/// What is measured, and how.
struct Options {
    /// The kind of keys that authorize commands.
    enum Keys: String {
        /// What agents make today.
        case ed25519
        /// Authenticators, which agents may make instead.
        case x25519
    }

    /// The relay: `smp://...` of one that runs, or the path of a `tacit` that starts one for the benchmark.
    var relay = ""
    /// The process of a relay that runs. It must be on this machine.
    var process: Int?
    var connections = [1, 10, 100]
    /// Messages in flight for each connection.
    var window = 1
    var rounds = 5
    /// The length of a round for each number of connections.
    var seconds = 2.0
    /// How many connections are only held.
    var held = 1000
    var handshakes = 300
    var keys = Keys.ed25519
    /// Whether queues are secured, so that SEND is authorized.
    var isSecured = true
    var version = SMP.versions.max
    var encryptsBlocks = true

    static let usage = """
        TACIT|ADDRESS [--process ID] [--connections 1,10,100] [--window 1] [--rounds 5] [--seconds 2]
            [--held 1000] [--handshakes 300] [--keys ed25519|x25519] [--secured yes|no] [--version 18]
            [--block-encryption yes|no]
        """

    /// Nil for arguments that say nothing.
    init?(_ arguments: some Sequence<String>) {
        var arguments = Array(arguments)[...]
        guard let relay = arguments.popFirst() else { return nil }
        self.relay = relay
        while let name = arguments.popFirst() {
            guard let value = arguments.popFirst(), set(name, value) else { return nil }
        }
    }

    private mutating func set(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--process": return set(\.process, Int(value))
        case "--connections":
            let counts = value.split(separator: ",").map { Int($0) ?? 0 }
            return set(\.connections, counts.allSatisfy { $0 > 0 } ? counts : nil)
        case "--window": return set(\.window, positive(value))
        case "--rounds": return set(\.rounds, positive(value))
        case "--seconds": return set(\.seconds, Double(value))
        case "--held": return set(\.held, positive(value))
        case "--handshakes": return set(\.handshakes, positive(value))
        case "--keys": return set(\.keys, Keys(rawValue: value))
        case "--secured": return set(\.isSecured, ["yes": true, "no": false][value])
        case "--version": return set(\.version, UInt16(value).flatMap { SMP.versions.contains($0) ? $0 : nil })
        case "--block-encryption": return set(\.encryptsBlocks, ["yes": true, "no": false][value])
        default: return false
        }
    }

    private func positive(_ value: String) -> Int? {
        Int(value).flatMap { $0 > 0 ? $0 : nil }
    }

    private mutating func set<Value>(_ path: WritableKeyPath<Options, Value>, _ value: Value?) -> Bool {
        guard let value else { return false }
        self[keyPath: path] = value
        return true
    }
}
