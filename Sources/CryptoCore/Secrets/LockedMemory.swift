internal import CSodium
private import Synchronization

/// Memory for secrets that the system does not write to the disk. It is locked against swapping (mlock(2)) and left out
/// of core dumps (`MADV_DONTDUMP`).
///
/// Secrets are many and small, and a system call for each would cost more than the ciphers. So memory is locked in
/// chunks of 128 KiB, which are divided into blocks and never returned. Blocks are wiped before reuse. If the limit for
/// locked memory (`RLIMIT_MEMLOCK`) is reached, chunks are used without a lock, without an error. Safe to use from any
/// thread.
public enum LockedMemory {
    private static let chunkSize = 128 << 10
    private static let pageSize = 4096
    /// The block sizes are powers of two from 16 bytes to 32 KiB. A larger allocation has its own pages.
    private static let smallestBlock = 16
    private static let sizeClasses = 12

    /// The free blocks and the rest of the newest chunk.
    @safe
    private struct Pool: @unchecked Sendable {
        // Safe because all access holds the mutex.
        /// The first free block of each size, which holds the address of the next.
        var free = unsafe [UnsafeMutableRawPointer?](repeating: nil, count: sizeClasses)
        var rest = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
        var isLocked = true
    }

    private static let pool = Mutex(Pool())

    /// True if all allocated memory is locked. False if the limit of the process is too low or locking is forbidden:
    /// secrets may then be written to the swap space.
    public static var isLocked: Bool {
        _ = SecretBytes(random: SystemRandom(), count: 1)
        return pool.withLock { $0.isLocked }
    }

    /// Allocates `count` bytes, aligned to 16. Release them with ``deallocate(_:)``.
    @unsafe
    static func allocate(_ count: Int) -> UnsafeMutableRawBufferPointer {
        guard let sizeClass = sizeClass(of: count) else { return unsafe allocatePages(count) }
        let block = unsafe pool.withLock { pool in unsafe take(sizeClass, from: &pool) }
        return unsafe UnsafeMutableRawBufferPointer(start: block, count: count)
    }

    /// Wipes and releases memory.
    @unsafe
    static func deallocate(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        guard let sizeClass = sizeClass(of: memory.count) else {
            // This wipes it too.
            unsafe sodium_munlock(start, wholePages(memory.count))
            unsafe start.deallocate()
            return
        }
        unsafe sodium_memzero(start, memory.count)
        pool.withLock { pool in
            unsafe start.storeBytes(of: pool.free[sizeClass], as: UnsafeMutableRawPointer?.self)
            unsafe pool.free[sizeClass] = start
        }
    }

    private static func sizeClass(of count: Int) -> Int? {
        let blocks = (max(count, 1) - 1) / smallestBlock
        let sizeClass = Int.bitWidth - blocks.leadingZeroBitCount
        return sizeClass < sizeClasses ? sizeClass : nil
    }

    private static func wholePages(_ count: Int) -> Int { (count + pageSize - 1) & ~(pageSize - 1) }

    @unsafe
    private static func take(_ sizeClass: Int, from pool: inout Pool) -> UnsafeMutableRawPointer {
        if let block = unsafe pool.free[sizeClass] {
            unsafe pool.free[sizeClass] = block.load(as: UnsafeMutableRawPointer?.self)
            unsafe sodium_memzero(block, MemoryLayout<UnsafeMutableRawPointer?>.size)
            return unsafe block
        }
        let size = smallestBlock << sizeClass
        if unsafe pool.rest.count < size { beginChunk(&pool) }
        let block = unsafe UnsafeMutableRawBufferPointer(rebasing: pool.rest[..<size])
        unsafe pool.rest = UnsafeMutableRawBufferPointer(rebasing: pool.rest[size...])
        guard let start = block.baseAddress else { preconditionFailure("a chunk has an address") }
        return unsafe start
    }

    /// Begins a new chunk. The rest of the previous chunk becomes free blocks.
    private static func beginChunk(_ pool: inout Pool) {
        for sizeClass in (0..<sizeClasses).reversed() {
            let size = smallestBlock << sizeClass
            while unsafe pool.rest.count >= size, let start = unsafe pool.rest.baseAddress {
                unsafe start.storeBytes(of: pool.free[sizeClass], as: UnsafeMutableRawPointer?.self)
                unsafe pool.free[sizeClass] = start
                unsafe pool.rest = UnsafeMutableRawBufferPointer(rebasing: pool.rest[size...])
            }
        }
        unsafe pool.rest = UnsafeMutableRawBufferPointer(start: lockedPages(chunkSize, &pool), count: chunkSize)
    }

    @unsafe
    private static func allocatePages(_ count: Int) -> UnsafeMutableRawBufferPointer {
        let start = unsafe pool.withLock { pool in unsafe lockedPages(wholePages(count), &pool) }
        return unsafe UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    @unsafe
    private static func lockedPages(_ size: Int, _ pool: inout Pool) -> UnsafeMutableRawPointer {
        Sodium.require()
        let pages = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: pageSize)
        if unsafe sodium_mlock(pages, size) != 0 { pool.isLocked = false }
        return unsafe pages
    }
}
