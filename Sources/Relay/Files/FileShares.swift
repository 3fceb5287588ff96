import SecureTransport

/// The space that the chunks of each address (``IPNetwork``) and range (``IPAddress/range``) use.
///
/// Only memory has the addresses: the relay stores none of its clients. Chunks from before its start belong to no address.
struct FileShares {
    private var sources: [Int64: UploadPlaces.Source] = [:]
    private var networks: [IPNetwork: Int] = [:]
    private var ranges: [IPRange: Int] = [:]

    /// The number of shares of an address in the share of a range.
    private static let addressesPerRange = 2

    /// Returns true if a source may use so many bytes more.
    ///
    /// - Parameter limit: The space for the chunks of one address, in bytes.
    func hasRoom(_ bytes: Int, for source: UploadPlaces.Source, limit: Int) -> Bool {
        networks[source.network, default: 0] + bytes <= limit
            && ranges[source.range, default: 0] + bytes <= limit * FileShares.addressesPerRange
    }

    /// Counts a stored chunk.
    mutating func add(_ chunk: StoredChunk, of source: UploadPlaces.Source?) {
        guard let source, sources[chunk.number] == nil else { return }
        sources[chunk.number] = source
        networks[source.network, default: 0] += Int(chunk.size)
        ranges[source.range, default: 0] += Int(chunk.size)
    }

    /// Ends the count of a chunk that is removed.
    mutating func remove(_ chunk: StoredChunk) {
        guard let source = sources.removeValue(forKey: chunk.number) else { return }
        networks[source.network] = FileShares.rest(networks[source.network], Int(chunk.size))
        ranges[source.range] = FileShares.rest(ranges[source.range], Int(chunk.size))
    }

    /// The space without that of a chunk; nil for none.
    private static func rest(_ bytes: Int?, _ size: Int) -> Int? {
        guard let bytes, bytes > size else { return nil }
        return bytes - size
    }
}
