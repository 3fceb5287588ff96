internal import Glibc

/// Memory in which a block is put together or taken apart, wiped at the end of its life.
@safe
final class Scratch {
    @unsafe let start: UnsafeMutablePointer<UInt8>
    private let count: Int

    /// `count` zero bytes.
    init(_ count: Int) {
        unsafe start = .allocate(capacity: count)
        unsafe start.initialize(repeating: 0, count: count)
        self.count = count
    }

    deinit {
        unsafe explicit_bzero(start, count)
        unsafe start.deallocate()
    }

    /// All of it.
    @unsafe var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }
}
