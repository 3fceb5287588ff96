/// What a database is made of.
extension Database {
    /// The tables, indices, views and triggers that there are, without those of SQLite itself.
    public func schemaObjects() throws(StoreError) -> Set<[String]> {
        Set(
            try rows(
                "SELECT type, name, tbl_name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            ) { row throws(StoreError) in [try row.text(), try row.text(), try row.text()] })
    }
}
