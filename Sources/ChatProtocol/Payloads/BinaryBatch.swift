public import ByteCoding

/// A payload of elements in their order, each with a two-byte length (`=`, network-7.md 7.1).
///
/// Relays pass on several elements in one. Even a single element has the count before it, because it need not be JSON.
public struct BinaryBatch: Hashable, Sendable {
    /// The elements, at most ``ChatLimit/elements``.
    public private(set) var elements: [Bytes] = []
    /// The size of the payload in bytes.
    public private(set) var size = BinaryBatch.header
    /// The largest size of the payload in bytes.
    public let limit: Int

    /// The letter and the count.
    private static let header = 2
    /// The size of the length before an element.
    private static let lengthSize = 2

    /// Creates an empty batch.
    public init(limit: Int = ChatLimit.message) {
        self.limit = min(limit, Int(UInt16.max))
    }

    /// The size of the largest element that fits into an empty batch, in bytes.
    public var largestElement: Int { limit - BinaryBatch.header - BinaryBatch.lengthSize }

    /// Appends an element. Returns false, without a change, if it does not fit behind the others.
    public mutating func append(_ element: Bytes) -> Bool {
        let grown = size + BinaryBatch.lengthSize + element.count
        guard grown <= limit, elements.count < ChatLimit.elements else { return false }
        elements.append(element)
        size = grown
        return true
    }

    /// Creates the batch of a payload.
    ///
    /// - Throws: ``DecodeError`` if it is not one, or exceeds `limit`.
    public init(decoding payload: Bytes, limit: Int = ChatLimit.message) throws(DecodeError) {
        self.init(limit: limit)
        var reader = ByteReader(payload)
        guard try reader.uint8() == BinaryBatch.letter else { throw .invalid("batch") }
        for element in try reader.list({ reader throws(DecodeError) in try reader.largeBytes() }) {
            guard append(element) else { throw .invalid("batch") }
        }
        try reader.finish()
    }

    /// The payload; nil for a batch without elements.
    public var payload: Bytes? {
        guard !elements.isEmpty else { return nil }
        var writer = ByteWriter()
        writer.uint8(BinaryBatch.letter)
        writer.list(elements) { $0.largeBytes($1) }
        return writer.bytes
    }

    static let letter = UInt8(ascii: "=")
}

extension BinaryBatch {
    /// Distributes elements over as few batches as their order allows.
    ///
    /// Elements that do not fit into a batch alone are left out.
    public static func batches(of elements: [Bytes], limit: Int = ChatLimit.message) -> [BinaryBatch] {
        var batches: [BinaryBatch] = [], batch = BinaryBatch(limit: limit)
        for element in elements where element.count <= batch.largestElement {
            if batch.append(element) { continue }
            batches.append(batch)
            batch = BinaryBatch(limit: limit)
            _ = batch.append(element)
        }
        if !batch.elements.isEmpty { batches.append(batch) }
        return batches
    }

    /// Distributes what some receivers have to know before a batch: as much as possible stands in it, before its own elements,
    /// and the rest in batches that come first.
    ///
    /// Elements that do not fit into a batch alone are left out.
    ///
    /// - Returns: The batches in the order in which they are sent. The last one is this batch with what stands before it.
    public func preceded(by introductions: [Bytes]) -> [BinaryBatch] {
        var whole = self, inside: [Bytes] = [], before: [Bytes] = []
        for element in introductions {
            if whole.append(element) { inside.append(element) } else { before.append(element) }
        }
        var last = BinaryBatch(limit: limit)
        for element in inside + elements { _ = last.append(element) }
        return BinaryBatch.batches(of: before, limit: limit) + [last]
    }
}
