import AgentProtocol
import ByteCoding
import CryptoCore
import Glibc
import Ratchet
import SMPProtocol
import Store
import Testing

@testable import Agent

/// A move of a store to the official agent and back.
struct OfficialTrip {
    private(set) var remainders: [OfficialAgentExport.Remainder: Int] = [:]
    /// What became of the connections: nil for one that the official agent did not take over.
    private(set) var names: [ConnectionID: Bytes] = [:]
    private(set) var before: [ConnectionID: [String]] = [:]
    private(set) var after: [ConnectionID: [String]] = [:]
    private var ready: Set<ConnectionID> = []
    private(set) var discarded = (before: 0, after: 0)

    static let time = Timestamp(milliseconds: 1_800_000_000_000)

    /// Takes the store at a path to a database of the official agent beside it, and puts what comes back in its place.
    @discardableResult
    init(
        _ path: String, _ schema: ForeignSchema = OfficialAgentSchema.schema, links: [ShortLink] = [],
        look: (Database) throws -> Void = { _ in }
    ) throws {
        let official = path + ".official-\(UInt64.random(in: 0 ... .max))"
        var tokens: [Bytes: [Int64: Bytes]] = [:]
        do {
            let database = try Database(official, .create)
            try schema.create(in: database, at: OfficialTrip.time)
            let store = AgentStore(database: try Database(path, .readOnly))
            var export = OfficialAgentExport(store.database, into: database, at: OfficialTrip.time)
            try export.run(profiles: [ProfileID(1)])
            for link in links { try export.addOpenedLink(link, of: ProfileID(1)) }
            remainders = export.remainders
            for id in try store.connectionIDs() {
                guard let name = export.connectionID(id) else { continue }
                names[id] = name
                if try store.connection(id)?.connection.status == .ready { ready.insert(id) }
                before[id] = try OfficialTrip.portrait(of: id, store)
                for sent in try store.sentMessages(of: id) {
                    guard let token = try store.token(of: sent.number, in: id) else { continue }
                    let number = try #require(try export.messageNumber(token, in: id))
                    tokens[name, default: [:]][number] = token
                }
            }
            discarded.before = try store.discardedQueues().count
            #expect(try database.rows("PRAGMA foreign_key_check") { _ in true }.isEmpty)
            try look(database)
        }
        try takeBack(official, path, schema, tokens)
    }

    /// Takes what the official agent has into a store at `path`, in place of the one there.
    private mutating func takeBack(
        _ official: String, _ path: String, _ schema: ForeignSchema, _ tokens: [Bytes: [Int64: Bytes]]
    ) throws {
        let next = path + ".next-\(UInt64.random(in: 0 ... .max))"
        do {
            let store = try AgentStore(next, .create, key: nil, slots: nil, .process)
            let foreign = try Database.foreign(at: official)
            try foreign.checkForeign(schema)
            var taken = OfficialAgentImport(try OfficialAgent(foreign), into: store.database, at: OfficialTrip.time)
            let targets = names.map { id, name in
                (
                    name,
                    OfficialAgentImport.Target(id: id, profileID: ProfileID(1), isReady: ready.contains(id))
                )
            }
            _ = try taken.run(Dictionary(uniqueKeysWithValues: targets), owner: ProfileID(1)) { name, number in
                tokens[name]?[number]
            }
            #expect(taken.remainders.isEmpty)
            for id in try store.connectionIDs() { after[id] = try OfficialTrip.portrait(of: id, store) }
            discarded.after = try store.discardedQueues().count
        }
        for ending in ["-wal", "-shm"] { _ = unsafe unlink(path + ending) }
        guard unsafe rename(next, path) == 0 else { throw Crash() }
    }

    /// Everything about a connection that has to survive, as lines that can be compared.
    static func portrait(of id: ConnectionID, _ store: AgentStore) throws -> [String] {
        let stored = try #require(try store.connection(id))
        let connection = stored.connection
        var lines = [
            "\(connection.status) \(connection.agentVersion) \(connection.isPostQuantum) \(connection.synchronization)",
            "sent \(connection.sent) received \(connection.received)",
            "ratchet \(hex(connection.ratchet?.stored()))",
            "current \(text(connection.receiveQueue)) \(text(connection.sendQueue))",
        ]
        lines.append("\(connection.role)")
        if connection.status == .new || connection.synchronization == .started {
            lines.append("keys \(hex(connection.agreementKeys?.stored()))")
        }
        if let rotation = connection.receiveRotation {
            lines.append("moving \(rotation.stage) \(text(rotation.queue))")
        }
        // The test of a new queue is an ordinary message there.
        if let rotation = connection.sendRotation, rotation.stage == .keySent {
            lines.append("moved \(rotation.stage) \(text(rotation.queue))")
        }
        for task in try store.tasks(of: id) {
            if case .send(let message) = task.task {
                let kind = message.kind == .queueTest ? OutgoingMessage.Kind.control : message.kind
                lines.append(
                    "sends \(kind) \(message.number) \(Hex.encode(message.hash)) \(message.notifies) "
                        + "\(Hex.encode(message.envelope)) \(task.createdAt)")
            } else {
                lines.append("does \(task.task)")
            }
        }
        for sent in try store.sentMessages(of: id) {
            let token = try store.token(of: sent.number, in: id)
            lines.append("said \(sent.number) \(Hex.encode(sent.hash)) \(Hex.encode(token ?? []))")
        }
        let keys = try store.skippedKeys(of: id).all().map { hex($0.stored()) }
        lines += keys.sorted().map { "skipped \($0)" }
        lines += try store.seenHashes(of: id).map { "seen \(Hex.encode($0.hash)) \($0.time)" }.sorted()
        lines += try store.dueReceipts(of: id, 1000).map { "due \($0.number) \(Hex.encode($0.hash))" }
        // A link that was used is of no use any more.
        if connection.status == .new, let link = try store.link(of: id) {
            lines.append(
                "link \(link.server) \(Hex.encode(link.link.key.bytes)) \(hex(link.link.signer.seed)) "
                    + "\(Hex.encode(link.link.fixedBlob)) \(Hex.encode(link.link.linkID?.bytes ?? []))")
        }
        return lines
    }

    private static func hex(_ secret: Secret?) -> String { secret.map { Hex.encode($0.copyBytes()) } ?? "none" }

    private static func text(_ queue: ReceiveQueue?) -> String {
        guard let queue else { return "none" }
        return [
            "\(queue.server)", Hex.encode(queue.recipientID.bytes), Hex.encode(queue.senderID.bytes),
            "\(queue.mode as QueueMode?)", hex(queue.authorizationKey.stored), hex(queue.relaySecret),
            hex(queue.agreementKey.secret), "\(queue.sender?.version ?? 0)", hex(queue.sender?.secret),
        ].joined(separator: " ")
    }

    private static func text(_ queue: SendQueue?) -> String {
        guard let queue else { return "none" }
        return [
            "\(queue.server)", Hex.encode(queue.senderID.bytes), "\(queue.mode as QueueMode?)", "\(queue.version)",
            hex(queue.authorizationKey.stored), Hex.encode(queue.agreementKey.der), hex(queue.secret),
        ].joined(separator: " ")
    }
}
