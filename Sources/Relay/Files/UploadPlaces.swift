import SecureTransport

/// The unfinished uploads of a file relay, with a share for each address (``IPNetwork``) and range (``IPAddress/range``).
///
/// When a share is full, a new upload takes the place of the one in it that was silent for longest. So uploads that were
/// begun and abandoned lock out neither other addresses nor later uploads of their own.
struct UploadPlaces {
    /// The origin of an upload.
    struct Source: Hashable {
        let network: IPNetwork
        let range: IPRange
    }

    /// The decision on a new upload.
    enum Decision {
        /// The upload is accepted.
        case accepted
        /// The upload is accepted, and this one has to end.
        case replaced(ChunkUpload)
        /// The upload is rejected: all others of its share receive bytes.
        case refused
    }

    private struct Entry {
        let upload: ChunkUpload
        let source: Source?
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var networks: [IPNetwork: Set<ObjectIdentifier>] = [:]
    /// The sizes of the chunks that an address uploads, in bytes.
    private var sizes: [IPNetwork: Int] = [:]
    private var ranges: [IPRange: Set<ObjectIdentifier>] = [:]

    /// The number of shares of an address in the share of a range.
    private static let addressesPerRange = 4

    /// Returns the size of all chunks that an address uploads, in bytes.
    func bytes(of network: IPNetwork) -> Int { sizes[network, default: 0] }

    /// All uploads.
    var all: [ChunkUpload] { entries.values.map(\.upload) }

    /// Decides on a new upload, and adds it unless it is rejected. ``remove(_:)`` must follow for a replaced one.
    ///
    /// - Parameters:
    ///   - limit: The largest number of uploads from one address.
    ///   - silence: The time without bytes after which an upload gives its place to a new one.
    mutating func add(
        _ upload: ChunkUpload, from source: Source?, limit: Int, silence: Duration, at time: ContinuousClock.Instant
    ) -> Decision {
        var decision = Decision.accepted
        if let source {
            let share: Set<ObjectIdentifier>?
            if let own = networks[source.network], own.count >= limit {
                share = own
            } else if let wider = ranges[source.range], wider.count >= limit * UploadPlaces.addressesPerRange {
                share = wider
            } else {
                share = nil
            }
            if let share {
                let silent = share.compactMap { entries[$0]?.upload }.min { $0.lastActive < $1.lastActive }
                guard let silent, time - silent.lastActive >= silence else { return .refused }
                decision = .replaced(silent)
            }
        }
        let id = ObjectIdentifier(upload)
        entries[id] = Entry(upload: upload, source: source)
        if let source {
            networks[source.network, default: []].insert(id)
            sizes[source.network, default: 0] += Int(upload.chunk.size)
            ranges[source.range, default: []].insert(id)
        }
        return decision
    }

    /// The origin of an upload; nil for one without an address, or that has ended.
    func source(of upload: ChunkUpload) -> Source? { entries[ObjectIdentifier(upload)]?.source }

    /// Removes an upload that ends. Returns false if it has ended before.
    mutating func remove(_ upload: ChunkUpload) -> Bool {
        let id = ObjectIdentifier(upload)
        guard let entry = entries.removeValue(forKey: id) else { return false }
        guard let source = entry.source else { return true }
        networks[source.network]?.remove(id)
        sizes[source.network, default: 0] -= Int(upload.chunk.size)
        if networks[source.network]?.isEmpty == true {
            (networks[source.network], sizes[source.network]) = (nil, nil)
        }
        ranges[source.range]?.remove(id)
        if ranges[source.range]?.isEmpty == true { ranges[source.range] = nil }
        return true
    }
}
