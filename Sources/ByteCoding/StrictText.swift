extension String {
    /// Text whose bytes are UTF-8; nil if they are not. Nothing is repaired.
    ///
    /// The library's `String(validating:as:)` is for all encodings: each call costs a thousand instructions before the
    /// first byte is looked at.
    @inlinable
    public init?(validUTF8 bytes: Span<UInt8>) {
        guard let text = try? UTF8Span(validating: bytes) else { return nil }
        self = String(copying: text)
    }
}
