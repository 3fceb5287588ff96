extension Collection<UInt8> {
    /// Returns true if these bytes contain a part.
    ///
    /// It also searches texts by their UTF-8: `String.contains` with a text links the library for regular expressions, 1.3 MB.
    public func contains(part: some Collection<UInt8>) -> Bool {
        indices.contains { self[$0...].starts(with: part) }
    }
}
