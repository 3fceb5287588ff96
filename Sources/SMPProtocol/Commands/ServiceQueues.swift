public import ByteCoding
import CryptoCore

/// The number of a service's queues and the hash of their ids, by which both ends compare their lists (SMP v19).
public struct ServiceQueues: Hashable, Sendable, ByteCodable {
    /// The number of queues.
    public private(set) var count: Int64
    /// The combination of the MD5 hashes of all ids by exclusive or, 16 bytes. The order of the ids does not matter.
    public private(set) var hash: Bytes

    /// No queue.
    public static let none = ServiceQueues(count: 0)

    /// Creates a number of queues whose ids are unknown, as in versions below 19.
    public init(count: Int64) {
        self.count = count
        hash = Bytes(repeating: 0, count: MD5.size)
    }

    /// Creates the number and the hash of these queues.
    public init(_ ids: some Sequence<EntityID>) {
        self = .none
        for id in ids { add(id) }
    }

    /// Adds a queue that is not included.
    public mutating func add(_ id: EntityID) {
        count = count.addingReportingOverflow(1).partialValue
        combine(id)
    }

    /// Removes an included queue.
    public mutating func remove(_ id: EntityID) {
        count = count.subtractingReportingOverflow(1).partialValue
        combine(id)
    }

    private mutating func combine(_ id: EntityID) {
        hash = zip(hash, MD5.hash(id.bytes)).map { $0 ^ $1 }
    }

    /// Reads the binary form.
    ///
    /// - Throws: ``DecodeError`` for another size of the hash.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        count = try reader.int64()
        hash = try reader.shortBytes()
        guard hash.count == MD5.size else { throw .invalid("hash of queue ids") }
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.int64(count)
        writer.shortBytes(hash)
    }
}
