/// The tables of another program's database, of any known version: a column that a version lacks is NULL, and a table that
/// it lacks is empty.
public final class ForeignTables {
    /// The database, which was opened and checked as foreign.
    public let database: Database
    private var columns: [String: Set<String>] = [:]

    /// Reads the tables of a database.
    public init(_ database: Database) {
        self.database = database
    }

    /// True if a table has a column.
    public func has(_ column: String, in table: String) throws(StoreError) -> Bool {
        try columns(of: table).contains(column)
    }

    /// Returns rows of a table.
    ///
    /// - Parameters:
    ///   - names: The columns, separated by commas.
    ///   - clause: What follows the name of the table: conditions and the order, which may name existing columns only.
    public func rows<Value>(
        _ names: String, from table: String, _ clause: String = "", _ values: (any SQLBindable)?...,
        read: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        let known = try columns(of: table)
        guard !known.isEmpty else { return [] }
        let sql = "SELECT \(list(names, known)) FROM \(table) \(clause)"
        return try database.rows(sql, values: values, read: read)
    }

    /// Returns the first row of ``rows(_:from:_:_:read:)``.
    public func first<Value>(
        _ names: String, from table: String, _ clause: String = "", _ values: (any SQLBindable)?...,
        read: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        let known = try columns(of: table)
        guard !known.isEmpty else { return nil }
        let sql = "SELECT \(list(names, known)) FROM \(table) \(clause) LIMIT 1"
        return try database.rows(sql, values: values, read: read).first
    }

    /// The number of rows of a table that fulfil a condition.
    public func count(_ table: String, where condition: String = "true") throws(StoreError) -> Int {
        try first("count(*)", from: table, "WHERE \(condition)") { row throws(StoreError) in try row.count() } ?? 0
    }

    /// Returns the rows of a table that fulfil a condition, with all columns. Each value is an SQL literal, so that blobs and
    /// numbers differ from texts.
    public func literals(
        _ table: String, where condition: String, _ values: (any SQLBindable)?...
    ) throws(StoreError) -> [[String: String]] {
        let known = try columns(of: table).sorted()
        guard !known.isEmpty else { return [] }
        let fields = known.map { "quote(\($0))" }.joined(separator: ", ")
        return try database.rows("SELECT \(fields) FROM \(table) WHERE \(condition)", values: values) {
            row throws(StoreError) in
            var literals: [String: String] = [:]
            for name in known { literals[name] = try row.text() }
            return literals
        }
    }

    private func columns(of table: String) throws(StoreError) -> Set<String> {
        if let known = columns[table] { return known }
        let found = try database.columns(of: table)
        columns[table] = found
        return found
    }

    private func list(_ names: String, _ known: Set<String>) -> String {
        names.split(separator: ",").map { name in
            let name = name.trimmed
            return known.contains(name) || name.contains("(") ? name : "NULL"
        }.joined(separator: ", ")
    }
}

extension Substring {
    /// The text without spaces and line breaks at both ends.
    fileprivate var trimmed: String {
        var text = self
        while let first = text.first, first.isWhitespace { text = text.dropFirst() }
        while let last = text.last, last.isWhitespace { text = text.dropLast() }
        return String(text)
    }
}
