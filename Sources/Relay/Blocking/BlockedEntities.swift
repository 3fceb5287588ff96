import ByteCoding
public import SMPProtocol
import Store
import SystemIO

/// The queues, links and file chunks that the operator has blocked, by the ids with which clients name them.
///
/// The text form has a line for each: the id in base64url, a space, and the blocking as on the wire:
/// `reason=spam,notice={"ttl":86400}`.
public struct BlockedEntities: Hashable, Sendable {
    /// The blocked ids with the reasons.
    public private(set) var entries: [EntityID: Blocking] = [:]

    /// Blocks nothing.
    public init() {}

    /// True if nothing is blocked.
    public var isEmpty: Bool { entries.isEmpty }

    /// The blocking of an id; nil for none.
    public subscript(id: EntityID) -> Blocking? {
        get { entries[id] }
        set { entries[id] = newValue }
    }

    /// Returns the blocking of the first blocked one of these ids.
    func blocking(of ids: [EntityID?]) -> Blocking? {
        guard !isEmpty else { return nil }
        return ids.lazy.compactMap { $0 }.compactMap { entries[$0] }.first
    }

    /// Reads the text form.
    ///
    /// - Throws: ``RelayError/blocked(line:)``.
    init(text: String) throws(RelayError) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let id = try? Base64URL.decode(String(parts[0])),
                (1...Int(UInt8.max)).contains(id.count), let blocking = try? Blocking(text: String(parts[1]))
            else { throw .blocked(line: index + 1) }
            entries[EntityID(id)] = blocking
        }
    }

    /// The text form.
    var text: String {
        let lines = entries.map { "\(Base64URL.encode($0.key.bytes)) \($0.value.text)\n" }.sorted()
        let title = "# Blocked queues, links and file chunks. 'tacit relay block' and 'tacit relay unblock' write this."
        return title + "\n" + lines.joined()
    }
}

extension RelayFolder {
    /// The largest size of the list of blocked ids in bytes: half a million ids.
    private static let blockedLimit = 64 << 20

    /// Returns the blocked ids of a relay, which may be running.
    ///
    /// - Throws: ``RelayError``.
    public static func blocked(in path: String) throws(RelayError) -> BlockedEntities {
        guard Files.exists("\(path)/\(Name.settings)") else { throw .missing }
        let file = "\(path)/\(Name.blocked)"
        guard Files.exists(file) else { return BlockedEntities() }
        let text: String
        do throws(SystemError) {
            text = String(decoding: try Files.read(file, limit: blockedLimit), as: UTF8.self)
        } catch {
            throw .system(error)
        }
        return try BlockedEntities(text: text)
    }

    /// Returns true if the relay, which may be running, has a queue, a link or a file chunk with this id.
    ///
    /// - Throws: ``RelayError``.
    public static func contains(_ id: EntityID, in path: String) throws(RelayError) -> Bool {
        guard Files.exists("\(path)/\(Name.settings)") else { throw .missing }
        let searches = [
            (
                Name.database,
                """
                SELECT EXISTS (SELECT 1 FROM queues WHERE sender_id = ?1) OR EXISTS (SELECT 1 FROM queues WHERE link_id = ?1)
                    OR EXISTS (SELECT 1 FROM queues WHERE recipient_id = ?1)
                """
            ),
            (
                Name.files,
                """
                SELECT EXISTS (SELECT 1 FROM chunks WHERE sender_id = ?1)
                    OR EXISTS (SELECT 1 FROM recipients WHERE recipient_id = ?1)
                """
            ),
        ]
        do throws(StoreError) {
            for (name, sql) in searches where Files.exists("\(path)/\(name)") {
                let found = try Database("\(path)/\(name)", .readOnly).first(sql, id.bytes) {
                    row throws(StoreError) in try row.bool()
                }
                if found == true { return true }
            }
            return false
        } catch {
            throw .store(error)
        }
    }

    /// Changes the blocked ids of a relay. A running relay reads them within seconds.
    ///
    /// - Throws: ``RelayError``.
    public static func changeBlocked<Value>(
        in path: String, _ change: (inout BlockedEntities) -> Value
    ) throws(RelayError) -> Value {
        var entities = try blocked(in: path)
        let former = entities
        let result = change(&entities)
        guard entities != former else { return result }
        do throws(SystemError) {
            try Files.replace("\(path)/\(Name.blocked)", Bytes(entities.text.utf8))
        } catch {
            throw .system(error)
        }
        return result
    }
}

extension RelayCore {
    /// Refuses a command for a blocked queue.
    ///
    /// - Throws: ``ProtocolError/blocked(_:)``.
    func refuseBlocked(_ queue: Queue) throws(ProtocolError) {
        if let blocking = rules.blocked.blocking(of: [queue.recipientID, queue.senderID, queue.linkID]) {
            statistics.blockedCommands += 1
            throw .blocked(blocking)
        }
    }

    /// Tells the subscribers of queues that were blocked now.
    func reportBlocking(_ blocked: [EntityID: Blocking]) throws {
        for (id, blocking) in blocked {
            let queue = try queues.queue(senderID: id) ?? queues.queue(linkID: id) ?? queues.queue(recipientID: id)
            guard let queue else { continue }
            let subscriber = subscribers[queue.number]?.client ?? queue.service.flatMap { serviceSubscribers[$0] }
            if let subscriber { report(.err(.blocked(blocking)), of: queue.recipientID, to: subscriber) }
        }
    }
}
