public import ByteCoding
public import JSONCoding

/// The record of the gate in the store: hashes of the passcodes, settings, and failed attempts.
public struct GateRecord: Hashable, Sendable {
    /// The Argon2id hash of a passcode with its cost.
    public struct Hash: Hashable, Sendable, JSONObjectCodable {
        /// The salt.
        public let salt: Bytes
        /// The hash.
        public let hash: Bytes
        /// The number of passes.
        public let passes: UInt32
        /// The memory in KiB.
        public let memory: UInt32
        /// True if the passcode consists of digits, which a prompt may show.
        public let isNumeric: Bool

        /// Creates a hash from its parts.
        public init(salt: Bytes, hash: Bytes, passes: UInt32, memory: UInt32, isNumeric: Bool) {
            self.salt = salt
            self.hash = hash
            self.passes = passes
            self.memory = memory
            self.isNumeric = isNumeric
        }

        /// Reads the JSON form.
        public init(from fields: inout JSONFields) throws(DecodeError) {
            guard let salt = try fields.optionalBytes("salt"), let hash = try fields.optionalBytes("hash"),
                let passes = UInt32(exactly: try fields.integer("passes")),
                let memory = UInt32(exactly: try fields.integer("memory"))
            else { throw .invalid("passcode") }
            self.init(
                salt: salt, hash: hash, passes: passes, memory: memory, isNumeric: try fields.bool("numeric"))
        }

        /// The fields of the JSON form.
        public var fields: JSONObject {
            [
                "salt": .string(Base64URL.encode(salt)), "hash": .string(Base64URL.encode(hash)),
                "passes": .integer(Int64(passes)), "memory": .integer(Int64(memory)), "numeric": .bool(isNumeric),
            ]
        }
    }

    /// The passcode; nil if the gate is always open.
    public var passcode: Hash?
    /// The passcode that replaces the store by an empty one.
    public var selfDestruct: Hash?
    /// The grace time after a suspension in milliseconds.
    public var grace: Int64 = 0
    /// The idle time after which the gate closes, in milliseconds; nil for never.
    public var idle: Int64?
    /// The number of failed attempts since the last successful one.
    public internal(set) var failures: Int64 = 0
    /// The time of the last failed attempt, in milliseconds since 1970.
    public internal(set) var failedAt: Int64 = 0

    /// Creates a gate record.
    public init() {}

    /// Reads the stored text.
    ///
    /// - Throws: ``DecodeError``.
    public init(decoding text: String) throws(DecodeError) {
        var fields = try JSONFields(decoding: Bytes(text.utf8))
        guard try fields.integer("v") == 1 else { throw .invalid("version") }
        passcode = try fields.optional("passcode")
        selfDestruct = try fields.optional("selfDestruct")
        // Any stored value must not cause an overflow.
        let range = 0...Int64(1) << 53
        grace = range.clamping(try fields.integer("grace"))
        idle = try fields.optionalInteger("idle").map(range.clamping)
        failures = range.clamping(try fields.integer("failures"))
        failedAt = range.clamping(try fields.integer("failedAt"))
    }

    /// The text to store.
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

    /// The record of the store that replaces this one: the typed passcode is its passcode, without a trace of another
    /// one.
    public var afterSelfDestruct: GateRecord {
        var record = self
        record.passcode = selfDestruct
        record.selfDestruct = nil
        (record.failures, record.failedAt) = (0, 0)
        return record
    }
}

extension ClosedRange<Int64> {
    /// Returns the nearest number in the range.
    fileprivate func clamping(_ number: Int64) -> Int64 { Swift.min(Swift.max(number, lowerBound), upperBound) }
}
