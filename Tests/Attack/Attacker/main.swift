// The other side in the attack suite: relays, contacts and clients that break the rules.
//
//     attacker contact FOLDER RELAY LINK FORM [COUNT] ...
//     attacker relay FORM [--port PORT] ...
//     attacker flood FORM RELAY [CLIENTS]
//     attacker honest RELAY [DESTINATION]
//     attacker flood-files FORM RELAY [CLIENTS]
//     attacker honest-files RELAY
//
// Each prints a line when it is ready, then what it sees, and ends with its standard input or after its time.
import Glibc
import SystemIO

/// A form of attack: its word, and what it does with the arguments behind it.
struct Attack {
    let name: String
    let run: ([String]) throws -> Void
}

let attacks: [Attack] = [
    Attack(name: "contact", run: HostileContactCommand.run),
    Attack(name: "relay", run: HostileRelayCommand.run),
    Attack(name: "flood", run: FloodCommand.run),
    Attack(name: "honest", run: HonestCommand.run),
    Attack(name: "flood-files", run: FileFloodCommand.run),
    Attack(name: "honest-files", run: HonestFilesCommand.run),
]

func stop(_ reason: String) -> Never {
    try? FileDescriptor(owning: 2).write(Array("attacker: \(reason)\n".utf8))
    exit(1)
}

let words = Array(CommandLine.arguments.dropFirst())
guard let word = words.first, let attack = attacks.first(where: { $0.name == word }) else {
    stop("name one of \(attacks.map(\.name).joined(separator: ", "))")
}
do {
    try attack.run(Array(words.dropFirst()))
} catch {
    stop("\(error)")
}
