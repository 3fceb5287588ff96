extension String {
    /// Creates a text from UTF-8 bytes, or returns nil for other bytes. Nothing is repaired.
    ///
    /// The library's `String(validating:as:)` supports all encodings and costs a thousand instructions before the first
    /// byte.
    @inlinable
    public init?(validUTF8 bytes: Span<UInt8>) {
        guard let text = try? UTF8Span(validating: bytes) else { return nil }
        self = String(copying: text)
    }
}
