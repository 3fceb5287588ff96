public import ByteCoding

/// The download of a file as a value: which chunks are there, and which copy of a chunk is tried next.
public struct FileDownload: Sendable {
    /// The state of one chunk.
    public enum ChunkState: Hashable, Sendable {
        /// The chunk is not there. The value is the copy to try.
        case missing(replica: Int)
        /// The chunk is in the staged file, from this copy, which still has to be acknowledged.
        case stored(replica: Int)
        /// The relay was told that the chunk is there.
        case acknowledged
    }

    /// A reaction to a failure.
    public enum Reaction: Hashable, Sendable {
        /// The same copy is tried again after a pause.
        case retry
        /// The next copy is tried at once.
        case otherReplica
        /// No copy is left.
        case giveUp
    }

    /// The number of attempts with wrong bytes after which a copy is given up.
    static let mostWrongBytes = 3

    /// The description.
    public let description: FileDescription
    /// The states of the chunks, in order.
    public private(set) var states: [ChunkState]
    private var wrongBytes: [Copy: Int] = [:]
    /// The copies that will not become usable.
    private var lost: Set<Copy> = []

    /// A copy of a chunk.
    private struct Copy: Hashable {
        let chunk: Int
        let replica: Int
    }

    /// Begins a download.
    public init(_ description: FileDescription) {
        self.description = description
        states = description.chunks.map { _ in .missing(replica: 0) }
    }

    /// Resumes a download.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` if the states are not those of the description.
    public init(_ description: FileDescription, states: [ChunkState]) throws(DecodeError) {
        guard states.count == description.chunks.count else { throw .invalid("chunk states") }
        for (state, chunk) in zip(states, description.chunks) {
            switch state {
            case .missing(let replica), .stored(let replica):
                guard chunk.replicas.indices.contains(replica) else { throw .invalid("chunk states") }
            case .acknowledged: break
            }
        }
        self.description = description
        self.states = states
    }

    /// The first byte of each chunk in the encrypted file.
    public var starts: [Int64] {
        var start: Int64 = 0
        return description.chunks.map { chunk in
            defer { start += Int64(chunk.size) }
            return start
        }
    }

    /// The number of bytes that are there.
    public var storedSize: Int64 {
        zip(states, description.chunks).reduce(0) { sum, pair in
            if case .missing = pair.0 { sum } else { sum + Int64(pair.1.size) }
        }
    }

    /// True if all chunks are there.
    public var hasAllChunks: Bool {
        states.allSatisfy { if case .missing = $0 { false } else { true } }
    }

    /// The chunk's copy to download; nil if the chunk is there.
    public func missingReplica(of index: Int) -> FileDescription.Replica? {
        guard case .missing(let replica) = states[index] else { return nil }
        return description.chunks[index].replicas[replica]
    }

    /// The chunk's copy to acknowledge; nil if there is none.
    public func storedReplica(of index: Int) -> FileDescription.Replica? {
        guard case .stored(let replica) = states[index] else { return nil }
        return description.chunks[index].replicas[replica]
    }

    /// Notes that a chunk is in the staged file.
    public mutating func store(_ index: Int) {
        if case .missing(let replica) = states[index] { states[index] = .stored(replica: replica) }
    }

    /// Notes that a relay was told, or will not be told, that the chunk is there.
    public mutating func acknowledge(_ index: Int) {
        if case .stored = states[index] { states[index] = .acknowledged }
    }

    /// Forgets all chunks: together they are not the file of the description.
    public mutating func restart() {
        self = FileDownload(description)
    }

    /// Decides what follows a failure.
    ///
    /// - Parameters:
    ///   - isTemporary: True if the same copy may be there later.
    ///   - hadWrongBytes: True if the relay sent bytes of another chunk.
    public mutating func fail(_ index: Int, isTemporary: Bool, hadWrongBytes: Bool) -> Reaction {
        guard case .missing(let replica) = states[index] else { return .retry }
        let copy = Copy(chunk: index, replica: replica)
        if hadWrongBytes { wrongBytes[copy, default: 0] += 1 }
        if !isTemporary || wrongBytes[copy, default: 0] >= FileDownload.mostWrongBytes { lost.insert(copy) }
        // Other relays are tried before the same one again.
        let count = description.chunks[index].replicas.count
        let next = (1...count).map { (replica + $0) % count }
            .first { !lost.contains(Copy(chunk: index, replica: $0)) }
        guard let next else { return .giveUp }
        states[index] = .missing(replica: next)
        return next > replica ? .otherReplica : .retry
    }
}
