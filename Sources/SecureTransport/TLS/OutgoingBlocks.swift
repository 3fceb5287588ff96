import ByteCoding

/// Blocks that wait to be written, of the first of which a part may have been.
struct OutgoingBlocks {
    private var blocks: [Bytes] = []
    /// The blocks before this index were written; they are dropped together, because dropping one by one moves the rest.
    private var head = 0
    private var sent = 0
    private(set) var count = 0

    var isEmpty: Bool { head == blocks.count }

    /// The first block and how much of it was written.
    var first: (Bytes, Int)? {
        head < blocks.count ? (blocks[head], sent) : nil
    }

    mutating func append(_ block: Bytes) {
        blocks.append(block)
        count += block.count
    }

    /// Takes note that so many more bytes of the first block were written.
    mutating func advance(_ written: Int) {
        sent += written
        count -= written
        guard sent == blocks[head].count else { return }
        sent = 0
        blocks[head] = []
        head += 1
        if head == blocks.count || head >= 64 {
            blocks.removeFirst(head)
            head = 0
        }
    }
}
