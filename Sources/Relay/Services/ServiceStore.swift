import ByteCoding
import CryptoCore
import SMPProtocol
import Store

/// A service as stored in the relay's file.
final class Service {
    /// The key of its row.
    let number: Int64
    let id: EntityID
    let role: ServiceHello.Role
    /// The SHA-256 of the certificate that identifies the service.
    let fingerprint: Bytes
    /// The number of the queues of the service, or of the notifiers for a notification server, and the hash of their
    /// ids.
    fileprivate(set) var queues: ServiceQueues

    fileprivate init(
        number: Int64, id: EntityID, role: ServiceHello.Role, fingerprint: Bytes, queues: ServiceQueues = .none
    ) {
        self.number = number
        self.id = id
        self.role = role
        self.fingerprint = fingerprint
        self.queues = queues
    }
}

/// The services of the relay: rows of its file, all of which are in memory once they were needed.
final class ServiceStore {
    private let store: RelayStore
    private var known: [Int64: Service] = [:]
    private(set) var count: Int
    private var lastNumber: Int64

    private static let columns = "SELECT number, service_id, role, fingerprint, queues FROM services"

    init(_ store: RelayStore) throws(StoreError) {
        self.store = store
        count = Int(try store.database.number("SELECT count(*) FROM services") ?? 0)
        lastNumber = try store.database.number("SELECT max(number) FROM services") ?? 0
        // No relay creates that many services; the next number would overflow.
        guard (0...Int64(1) << 62).contains(lastNumber) else { throw StoreError(.damaged) }
    }

    func service(number: Int64) throws(StoreError) -> Service? {
        if let service = known[number] { return service }
        return try load("\(ServiceStore.columns) WHERE number = ?", number)
    }

    func service(fingerprint: Bytes) throws(StoreError) -> Service? {
        try load("\(ServiceStore.columns) WHERE fingerprint = ?", fingerprint)
    }

    private func load(_ sql: String, _ value: any SQLBindable) throws(StoreError) -> Service? {
        try store.database.first(sql, value) { row throws(StoreError) in
            let number = try row.int64()
            if let service = known[number] { return service }
            let id = EntityID(Bytes(try row.bytes().prefix(Int(UInt8.max))))
            guard let role = ServiceHello.Role(stored: try row.text()) else { throw StoreError(.damaged) }
            let fingerprint = try row.bytes()
            guard let queues = try? ServiceQueues(decoding: try row.bytes()) else { throw StoreError(.damaged) }
            let service = Service(number: number, id: id, role: role, fingerprint: fingerprint, queues: queues)
            known[number] = service
            return service
        }
    }

    /// Adds a service with an unused id and fingerprint.
    func add(id: EntityID, role: ServiceHello.Role, fingerprint: Bytes) throws(StoreError) -> Service {
        lastNumber += 1
        let service = Service(number: lastNumber, id: id, role: role, fingerprint: fingerprint)
        try store.writing().run(
            "INSERT INTO services (number, service_id, role, fingerprint, queues) VALUES (?, ?, ?, ?, ?)",
            service.number, id.bytes, role.stored, fingerprint, service.queues.encoded)
        known[service.number] = service
        count += 1
        return service
    }

    /// Deletes the oldest service without queues.
    ///
    /// - Parameter isUsed: Returns true for a service with a connection.
    /// - Returns: False if there is none.
    func removeUnused(_ isUsed: (Int64) -> Bool) throws(StoreError) -> Bool {
        let sql = "SELECT number FROM services WHERE queues = ? ORDER BY number LIMIT 16"
        let numbers = try store.database.rows(sql, ServiceQueues.none.encoded) { row throws(StoreError) in
            try row.int64()
        }
        guard let number = numbers.first(where: { !isUsed($0) }) else { return false }
        try store.writing().run("DELETE FROM services WHERE number = ?", number)
        known[number] = nil
        count -= 1
        return true
    }

    // MARK: - Queues

    /// Associates a queue with a service, or with none.
    func setService(_ service: Service?, of queue: Queue) throws(StoreError) {
        guard queue.service != service?.number else { return }
        try move(queue.recipientID, from: queue.service, to: service)
        try store.writing().run("UPDATE queues SET service = ? WHERE number = ?", service?.number, queue.number)
        queue.service = service?.number
    }

    /// Associates the notifier of a queue with a service, or with none.
    func setService(_ service: Service?, ofNotifierOf queue: Queue) throws(StoreError) {
        guard let notifier = queue.notifier, notifier.service != service?.number else { return }
        try move(notifier.id, from: notifier.service, to: service)
        try store.writing().run(
            "UPDATE queues SET notifier_service = ? WHERE number = ?", service?.number, queue.number)
        queue.notifier?.service = service?.number
    }

    private func move(_ id: EntityID, from former: Int64?, to service: Service?) throws(StoreError) {
        if let former, let service = try self.service(number: former) {
            service.queues.remove(id)
            try write(service)
        }
        if let service {
            service.queues.add(id)
            try write(service)
        }
    }

    private func write(_ service: Service) throws(StoreError) {
        try store.writing().run(
            "UPDATE services SET queues = ? WHERE number = ?", service.queues.encoded, service.number)
    }

    /// Returns the queues of a service after a number, in order, and whether each has messages.
    func queues(
        of service: Service, after number: Int64, limit: Int
    ) throws(StoreError) -> [(number: Int64, hasMessages: Bool)] {
        let sql = """
            SELECT number, EXISTS (SELECT 1 FROM messages WHERE queue = queues.number) FROM queues
            WHERE service = ? AND number > ? ORDER BY number LIMIT ?
            """
        return try store.database.rows(sql, service.number, number, Int64(limit)) { row throws(StoreError) in
            (try row.int64(), try row.bool())
        }
    }
}

extension ServiceHello.Role {
    fileprivate var stored: String {
        switch self {
        case .messaging: "M"
        case .notifier: "N"
        case .proxy: "P"
        }
    }

    fileprivate init?(stored: String) {
        switch stored {
        case "M": self = .messaging
        case "N": self = .notifier
        case "P": self = .proxy
        default: return nil
        }
    }
}
