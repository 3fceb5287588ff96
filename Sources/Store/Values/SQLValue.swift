public import ByteCoding
public import CryptoCore

/// A value for a statement.
public enum SQLValue: Sendable {
    /// NULL.
    case null
    /// A 64-bit integer.
    case integer(Int64)
    /// A text.
    case text(String)
    /// A blob.
    case blob(Bytes)
    /// A blob that is copied from secret memory directly into SQLite.
    case secret(Secret)
}

/// A type with a form in a database.
public protocol SQLBindable {
    /// The database form.
    var sqlValue: SQLValue { get }
}

extension Int64: SQLBindable {
    /// The integer.
    public var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLBindable {
    /// The integer.
    public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension UInt16: SQLBindable {
    /// The integer.
    public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLBindable {
    /// The integer 1 or 0.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLBindable {
    /// The text.
    public var sqlValue: SQLValue { .text(self) }
}

extension Array: SQLBindable where Element == UInt8 {
    /// The blob.
    public var sqlValue: SQLValue { .blob(self) }
}

extension Timestamp: SQLBindable {
    /// The milliseconds since 1970.
    public var sqlValue: SQLValue { .integer(milliseconds) }
}

extension Secret: SQLBindable {
    /// The blob in secret memory.
    public var sqlValue: SQLValue { .secret(self) }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    /// The form of the value, or NULL.
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
