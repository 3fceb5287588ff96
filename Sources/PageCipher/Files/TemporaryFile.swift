internal import CSQLite
internal import CryptoCore
internal import Glibc

/// A private file that disappears when closed: data of a sort, a temporary table or a statement journal that exceeds
/// the memory.
///
/// Its key is discarded with it. SQLite writes any number of bytes at any offset, so one block is held in plain text.
@safe
final class TemporaryFile: OpenFile {
    private static let textSize = 4096
    private static let blockSize = textSize + FileBlockCipher.overhead

    private let cipher = FileBlockCipher(key: Secret(random: SystemRandom(), count: XChaCha20Poly1305.keySize))
    private let text = Scratch(textSize)
    private let block = Scratch(blockSize)
    private var end: Int64 = 0
    /// The number of the block in ``text``.
    private var current: Int64?
    private var isChanged = false

    @unsafe
    override func read(_ target: UnsafeMutablePointer<UInt8>, _ count: Int, at offset: Int64) -> Int32 {
        let known = Int(max(0, min(Int64(count), end - offset)))
        let status = unsafe forEachPart(known, at: offset) { part, start, done in
            unsafe (target + done).update(from: part, count: start)
        }
        unsafe memset(target + known, 0, count - known)
        return status == SQLITE_OK && known < count ? SQLiteIOError.shortRead : status
    }

    @unsafe
    override func write(_ source: UnsafePointer<UInt8>, _ count: Int, at offset: Int64) -> Int32 {
        let status = unsafe forEachPart(count, at: offset) { part, size, done in
            unsafe part.update(from: source + done, count: size)
            isChanged = true
        }
        if status == SQLITE_OK { end = max(end, offset + Int64(count)) }
        return status
    }

    /// Loads the blocks of a range into ``text``, one after the other. `body` gets the address, the size of the part,
    /// and the size of all parts before.
    @unsafe
    private func forEachPart(
        _ count: Int, at offset: Int64, _ body: (UnsafeMutablePointer<UInt8>, Int, Int) -> Void
    ) -> Int32 {
        var done = 0
        while done < count {
            let (number, start) = (offset + Int64(done)).quotientAndRemainder(dividingBy: Int64(TemporaryFile.textSize))
            let status = load(number)
            guard status == SQLITE_OK else { return status }
            let size = min(count - done, TemporaryFile.textSize - Int(start))
            unsafe body(text.start + Int(start), size, done)
            done += size
        }
        return SQLITE_OK
    }

    private func load(_ number: Int64) -> Int32 {
        if current == number { return SQLITE_OK }
        var status = flush()
        guard status == SQLITE_OK else { return status }
        current = nil
        status = unsafe readBelow(block.start, TemporaryFile.blockSize, at: number * Int64(TemporaryFile.blockSize))
        switch status {
        case SQLITE_OK where unsafe block.bytes.allSatisfy { $0 == 0 }, SQLiteIOError.shortRead:
            // No data was written there yet.
            unsafe memset(text.start, 0, TemporaryFile.textSize)
        case SQLITE_OK:
            guard
                unsafe cipher.open(
                    block.start, into: text.start, count: TemporaryFile.textSize, number: UInt64(bitPattern: number))
            else { return SQLiteIOError.data }
        default: return status
        }
        current = number
        return SQLITE_OK
    }

    private func flush() -> Int32 {
        guard isChanged, let current else { return SQLITE_OK }
        unsafe cipher.seal(text.bytes, into: block.start, number: UInt64(bitPattern: current))
        let status = unsafe writeBelow(
            block.start, TemporaryFile.blockSize, at: current * Int64(TemporaryFile.blockSize))
        if status == SQLITE_OK { isChanged = false }
        return status
    }

    override func truncate(to size: Int64) -> Int32 {
        guard size < end else { return SQLITE_OK }
        let (number, start) = size.quotientAndRemainder(dividingBy: Int64(TemporaryFile.textSize))
        var status = SQLITE_OK
        if start > 0 {
            // Bytes after the end read as zeros when the file grows again.
            status = load(number)
            guard status == SQLITE_OK else { return status }
            unsafe memset(text.start + Int(start), 0, TemporaryFile.textSize - Int(start))
            isChanged = true
            status = flush()
        } else if let current, current >= number {
            self.current = nil
            isChanged = false
        }
        guard status == SQLITE_OK else { return status }
        end = size
        return truncateBelow(to: (number + (start > 0 ? 1 : 0)) * Int64(TemporaryFile.blockSize))
    }

    override func synchronize(_ flags: Int32) -> Int32 { SQLITE_OK }

    override func size(_ size: inout Int64) -> Int32 {
        size = end
        return SQLITE_OK
    }

    @unsafe
    override func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 { SQLITE_NOTFOUND }
}
