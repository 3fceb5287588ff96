public import ByteCoding
internal import CSQLite

/// Values as the official programs store them: some texts stand in blobs, and times are texts.
extension Row {
    /// Reads a text, which may stand in a blob.
    ///
    /// - Throws: ``StoreError/Code/damaged`` for another type, and for invalid UTF-8.
    public mutating func foreignText() throws(StoreError) -> String {
        guard try holdsBlob() else { return try text() }
        guard let text = String(validating: try bytes(), as: UTF8.self) else { throw StoreError(.damaged) }
        return text
    }

    /// Reads bytes, which may stand in a text.
    ///
    /// - Throws: ``StoreError/Code/damaged`` for another type.
    public mutating func foreignBytes() throws(StoreError) -> Bytes {
        try holdsBlob() ? try bytes() : Bytes(try text().utf8)
    }

    /// Reads a time.
    ///
    /// - Throws: ``StoreError/Code/damaged``.
    public mutating func foreignTime() throws(StoreError) -> Timestamp {
        guard let time = ForeignTime.read(try text()) else { throw StoreError(.damaged) }
        return time
    }

    /// Reads a Boolean; NULL is false.
    ///
    /// - Throws: ``StoreError/Code/damaged`` for something else than 0 and 1.
    public mutating func foreignBool() throws(StoreError) -> Bool {
        try optional { row throws(StoreError) in try row.bool() } ?? false
    }
}
