public import ByteCoding

/// A place in what a profile has, under a name: how far a program has read.
public struct Cursor: Hashable, Sendable {
    public let name: String
    /// The only conversation that it goes through; nil for all of the profile.
    public let chat: Chat?
    /// The last entry before the place; nil for the beginning.
    public let place: ChatItemID?
    public let movedAt: Timestamp
    /// How many entries are behind the place.
    public let waiting: Int
    /// The entry behind the place for which a program failed last, and how often in a row.
    public var failure: Failure?

    /// A program that failed for an entry.
    public struct Failure: Hashable, Sendable {
        public let item: ChatItemID
        public let count: Int

        public init(item: ChatItemID, count: Int) {
            self.item = item
            self.count = count
        }
    }
}

/// Where a cursor is put.
public enum CursorMove: Hashable, Sendable {
    /// Before everything.
    case start
    /// Behind everything that is there.
    case end
    /// Behind an entry, unless the cursor is further already.
    case past(ChatItemID)
    /// Behind an entry, also if that is back.
    case to(ChatItemID)
    /// Where it is; a new one before everything.
    case nowhere
    /// Where it is; one more failure of a program is counted for an entry behind it.
    case failed(ChatItemID)
}
