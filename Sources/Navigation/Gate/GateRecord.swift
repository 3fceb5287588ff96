public import ByteCoding
public import JSONCoding

/// What the gate keeps in the store: the passcodes as hashes, its settings, and the tries that failed.
public struct GateRecord: Hashable, Sendable {
    /// A passcode as it is stored: what Argon2id makes of it, and what that costs.
    public struct Hash: Hashable, Sendable, JSONObjectCodable {
        public let salt: Bytes
        public let hash: Bytes
        public let passes: UInt32
        /// In KiB.
        public let memory: UInt32
        /// Whether it consists of digits, which a face may say when it asks.
        public let isNumeric: Bool

        public init(salt: Bytes, hash: Bytes, passes: UInt32, memory: UInt32, isNumeric: Bool) {
            self.salt = salt
            self.hash = hash
            self.passes = passes
            self.memory = memory
            self.isNumeric = isNumeric
        }

        public init(from fields: inout JSONFields) throws(DecodeError) {
            guard let salt = try fields.optionalBytes("salt"), let hash = try fields.optionalBytes("hash"),
                let passes = UInt32(exactly: try fields.integer("passes")),
                let memory = UInt32(exactly: try fields.integer("memory"))
            else { throw .invalid("passcode") }
            self.init(
                salt: salt, hash: hash, passes: passes, memory: memory, isNumeric: try fields.bool("numeric"))
        }

        public var fields: JSONObject {
            [
                "salt": .string(Base64URL.encode(salt)), "hash": .string(Base64URL.encode(hash)),
                "passes": .integer(Int64(passes)), "memory": .integer(Int64(memory)), "numeric": .bool(isNumeric),
            ]
        }
    }

    /// The passcode; nil: the gate is open always.
    public var passcode: Hash?
    /// The passcode that puts an empty store in place of this one.
    public var selfDestruct: Hash?
    /// For how long after a suspension nobody is asked, in milliseconds.
    public var grace: Int64 = 0
    /// After how long without a key the gate closes, in milliseconds; nil: never.
    public var idle: Int64?
    /// Tries that failed since the last that did not.
    public internal(set) var failures: Int64 = 0
    /// When the last of them was, in milliseconds since 1970.
    public internal(set) var failedAt: Int64 = 0

    public init() {}

    /// Reads what was stored.
    public init(decoding text: String) throws(DecodeError) {
        var fields = try JSONFields(decoding: Bytes(text.utf8))
        guard try fields.integer("v") == 1 else { throw .invalid("version") }
        passcode = try fields.optional("passcode")
        selfDestruct = try fields.optional("selfDestruct")
        // Whatever is on the disk, calculating with it must not overflow.
        let range = 0...Int64(1) << 53
        grace = range.clamping(try fields.integer("grace"))
        idle = try fields.optionalInteger("idle").map(range.clamping)
        failures = range.clamping(try fields.integer("failures"))
        failedAt = range.clamping(try fields.integer("failedAt"))
    }

    /// The text to be stored.
    public var encoded: String {
        var fields: JSONObject = ["v": 1]
        fields.set("passcode", passcode)
        fields.set("selfDestruct", selfDestruct)
        fields.set("grace", grace)
        fields.set("idle", idle)
        fields.set("failures", failures)
        fields.set("failedAt", failedAt)
        return fields.line
    }

    /// What the store that takes the place of this one keeps: the passcode that was typed is its passcode, and nothing says
    /// that there was another.
    public var afterSelfDestruct: GateRecord {
        var record = self
        record.passcode = selfDestruct
        record.selfDestruct = nil
        (record.failures, record.failedAt) = (0, 0)
        return record
    }
}

extension ClosedRange<Int64> {
    /// The number in the range that is nearest to another.
    fileprivate func clamping(_ number: Int64) -> Int64 { Swift.min(Swift.max(number, lowerBound), upperBound) }
}
