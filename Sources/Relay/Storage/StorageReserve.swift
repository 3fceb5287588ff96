/// How much the relay may write, so that its disk never becomes so full that it cannot be emptied.
///
/// Below the reserve nothing that grows the database is written; below half of it nothing is rewritten in place, which needs room
/// in the log; below a sixteenth nothing is written. Between these the relay can be emptied: ACK, DEL, OFF.
struct StorageReserve {
    /// What is to be written.
    enum Purpose {
        /// The file may grow.
        case growth
        /// The file stays as large as it is.
        case rewriting
        /// Something is removed.
        case removal
    }

    /// The reserve in bytes.
    var size: Int
    /// The free bytes of the disk.
    private let freeSpace: () -> Int
    /// What is left in this turn; nil until it is needed.
    private var left: Int?

    init(size: Int, freeSpace: @escaping () -> Int) {
        self.size = size
        self.freeSpace = freeSpace
    }

    /// True if everything may be written.
    var isOff: Bool { size == 0 }

    /// Begins a new turn, in which the free space is looked up again.
    mutating func beginTurn() {
        left = nil
    }

    /// Takes `bytes` for a purpose; false if they must not be written.
    ///
    /// - Parameter limit: How many bytes the file can still grow, where something other than the disk limits it.
    mutating func take(_ bytes: Int, for purpose: Purpose, limit: (free: Int, total: Int)?) -> Bool {
        let free = left ?? freeSpace()
        left = free
        guard free - bytes >= share(of: size, purpose) else { return false }
        if purpose == .growth, let limit, limit.free - bytes < min(size, limit.total / 8) { return false }
        left = free - bytes
        return true
    }

    private func share(of size: Int, _ purpose: Purpose) -> Int {
        switch purpose {
        case .growth: size
        case .rewriting: size / 2
        case .removal: size / 16
        }
    }
}
