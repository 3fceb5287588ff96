public import ByteCoding
public import CryptoCore

/// A value on its way into a statement.
public enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob(Bytes)
    /// A blob that is copied from secret memory straight into SQLite.
    case secret(Secret)
}

/// A type that has a form in a database.
public protocol SQLBindable {
    var sqlValue: SQLValue { get }
}

extension Int64: SQLBindable {
    public var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLBindable {
    public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension UInt16: SQLBindable {
    public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLBindable {
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLBindable {
    public var sqlValue: SQLValue { .text(self) }
}

extension Array: SQLBindable where Element == UInt8 {
    public var sqlValue: SQLValue { .blob(self) }
}

extension Timestamp: SQLBindable {
    public var sqlValue: SQLValue { .integer(milliseconds) }
}

extension Secret: SQLBindable {
    public var sqlValue: SQLValue { .secret(self) }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
