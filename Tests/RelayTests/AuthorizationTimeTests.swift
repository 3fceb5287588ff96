import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import SystemIO
import TestSupport
import Testing

/// A command that is refused takes the same work for a queue that exists and one that does not.
@Suite(.timeLimit(.minutes(60))) struct AuthorizationTimeTests {
    private static let kinds = ["Ed25519", "Ed448", "X25519", "none"]

    private static func key(_ kind: String, _ random: any RandomSource) -> AuthorizationPrivateKey? {
        switch kind {
        case "Ed25519": .ed25519(Ed25519.PrivateKey(random: random))
        case "Ed448": .ed448(Ed448.PrivateKey(random: random))
        case "X25519": .x25519(X25519.PrivateKey(random: random))
        default: nil
        }
    }

    /// A relay with some queues, one of which has a sender key of the kind, a link and a notifier.
    private struct Target {
        let world: CoreWorld
        let folder: TemporaryFolder
        let owner: CoreClient
        let queue: TestQueue
        let contact: TestQueue

        init(_ kind: String) throws {
            folder = try TemporaryFolder()
            world = try CoreWorld("\(folder.path)/db")
            owner = world.connect()
            let key = AuthorizationTimeTests.key(kind, world.random)
            for _ in 0..<50 { _ = try owner.makeQueue(subscribe: false, withNotifier: true) }
            queue = try owner.makeQueue(key: key, subscribe: false, withNotifier: true)
            contact = try owner.makeQueue(mode: .contact, subscribe: false, blobs: LinkBlobs(fixed: [1], user: [2]))
            if let key { #expect(try owner.own(queue, .key(key.publicKey)) == .ok) }
        }

        /// Starts again, so that no queue is in memory.
        func forget() throws -> CoreClient {
            try world.restart()
            return world.connect()
        }
    }

    private static func commands(
        _ target: Target, _ key: AuthorizationPrivateKey?
    ) -> [(name: String, command: ClientCommand, id: EntityID, key: AuthorizationPrivateKey?)] {
        let send = ClientCommand.send(MessageFlags(notifies: false), body: [1, 2, 3])
        var commands: [(name: String, command: ClientCommand, id: EntityID, key: AuthorizationPrivateKey?)] = []
        if key != nil {
            commands = [
                ("SUB", .sub, target.queue.recipientID, key), ("DEL", .del, target.queue.recipientID, key),
                ("NSUB", .nsub, target.queue.notifierID ?? .empty, key),
            ]
            commands.append(("SEND", send, target.queue.senderID, key))
        }
        if let key { commands.append(("SKEY", .skey(key.publicKey), target.queue.senderID, key)) }
        return commands
    }

    @Test(arguments: kinds) func refused_commands_search_equally_often(_ kind: String) throws {
        let target = try Target(kind), strange = Self.key(kind, target.world.random)
        for (name, command, id, key) in Self.commands(target, strange) {
            // Not in memory, in memory, and not there.
            let client = try target.forget()
            var counts: [Int] = []
            for entity in [id, id, EntityID(target.world.random.bytes(24)), id] {
                let before = target.world.core.lookUps
                #expect(try client.ask(command, of: entity, key: key) == .auth, "\(name)")
                counts.append(target.world.core.lookUps - before)
            }
            #expect(counts == [2, 2, 2, 2], "\(name) \(counts)")
        }
        _ = target.folder
    }

    /// Prints quartiles in microseconds, and the chance that an existing queue takes longer; with TACIT_TIMES=PAIRS,
    /// and TACIT_TIMES_OF=COMMAND for one command.
    ///
    /// The two commands of a pair come in random order.
    @Test(.enabled(if: ProcessEnvironment.variables()["TACIT_TIMES"] != nil), arguments: kinds) func medians(
        _ kind: String
    ) throws {
        let target = try Target(kind), strange = Self.key(kind, target.world.random)
        let client = target.world.connect()
        let only = ProcessEnvironment.variables()["TACIT_TIMES_OF"]
        for (name, command, id, key) in Self.commands(target, strange) where only == nil || only == name {
            var times: [[Double]] = [[], []]
            // One, as whoever measures repeats it: what is compared must be as warm as what exists.
            let missing = EntityID(target.world.random.bytes(24))
            let pairs = Int(ProcessEnvironment.variables()["TACIT_TIMES"] ?? "") ?? 1000
            var longer = 0
            for _ in 0..<pairs {
                for index in Bool.random() ? [0, 1] : [1, 0] {
                    let entity = index == 0 ? id : missing
                    let (_, received) = try client.received(command, of: entity, key: key)
                    let start = ContinuousClock.now
                    target.world.core.receive(received, from: client.id)
                    times[index].append((ContinuousClock.now - start) / .microseconds(1))
                    try target.world.endTurn()
                    _ = client.answers()
                }
                if let one = times[0].last, let other = times[1].last, one > other { longer += 1 }
            }
            let quartiles = times.map { times in
                let sorted = times.sorted()
                return [1, 2, 3].map { Int(sorted[sorted.count * $0 / 4] * 100) }.map { Double($0) / 100 }
            }
            print(
                "\(kind) \(name): exists \(quartiles[0]) us, does not \(quartiles[1]) us, longer \(longer) of \(pairs)")
        }
    }
}
