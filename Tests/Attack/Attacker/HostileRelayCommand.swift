import AttackSupport
import ByteCoding
import CryptoCore
import Glibc
import SMPProtocol
import SecureTransport
import SystemIO

/// A relay that breaks the rules, until its standard input ends.
///
///     attacker relay [--times SECONDS,...] [--pong MILLISECONDS] [--mute] [--present FORM] [--proxied FORM]
///
/// prints its address. FORM is a number of certificates, `expired` or `early` for a chain that is right otherwise, or the
/// name of a forged chain; `attacker relay --list` prints these names. The address carries the fingerprint that the chain
/// is a forgery of. With `--proxied` a second line has the address of the relay that is forged behind this one.
enum HostileRelayCommand {
    static func run(_ words: [String]) throws {
        if words == ["--list"] {
            for chain in try PresentedChain.forged(pinned: IssuedCertificate.authority("SMP server CA").der) {
                print(chain.name)
            }
            return
        }
        var words = words[...], faults = HostileRelay.Faults(), port: UInt16 = 0
        var fingerprint: Bytes?, behind: Bytes?
        while let word = words.popFirst() {
            switch word {
            case "--mute": faults.isMute = true
            case "--port": port = words.popFirst().flatMap { UInt16($0) } ?? 0
            case "--times": faults.times = (words.popFirst() ?? "").split(separator: ",").compactMap { Int64($0) }
            case "--pong": faults.pongInterval = .milliseconds(Int(words.popFirst() ?? "") ?? 2000)
            case "--present": (faults.presented, fingerprint) = try chain(words.popFirst() ?? "")
            case "--proxied": (faults.proxied, behind) = try chain(words.popFirst() ?? "")
            default: stop("relay: no option \(word)")
            }
        }
        let loop = try EventLoop()
        let relay = try HostileRelay(loop, port: port, faults: faults, fingerprint: fingerprint)
        say("\(relay.address)")
        if let behind {
            say("\(ServerAddress(hosts: [.domain("far.example")], port: 5223, fingerprint: behind))")
        }
        var hasEnded = false
        try loop.watch(0, for: .reading) { _ in
            var byte: UInt8 = 0
            hasEnded = unsafe read(0, &byte, 1) < 1
        }
        loop.run { hasEnded }
        for (tag, count) in relay.commands.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            say("\(tag.rawValue) \(count)")
        }
    }

    /// The chain of a form, and the fingerprint that a client expects of it.
    private static func chain(_ form: String) throws -> (PresentedChain, Bytes) {
        let now = SystemClock.milliseconds() / 1000
        var chains: [PresentedChain] = []
        switch form {
        case "2", "3", "4": chains = try PresentedChain.genuine().filter { $0.name == form }
        case "expired":
            chains = [try PresentedChain.genuine(validity: now - 7200...now - 3600)[0]]
        case "early":
            chains = [try PresentedChain.genuine(validity: now + 3600...now + 7200)[0]]
        default:
            let pinned = try IssuedCertificate.authority("SMP server CA").der
            guard let chain = try PresentedChain.forged(pinned: pinned).first(where: { $0.name == form }) else { break }
            return (chain, SHA256.hash(pinned))
        }
        guard let chain = chains.first else { stop("relay: no chain \(form)") }
        return (chain, chain.fingerprint)
    }
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
    try? FileDescriptor(owning: dup(1)).write(Array((line + "\n").utf8))
}
