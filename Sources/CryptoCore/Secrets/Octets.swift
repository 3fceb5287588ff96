import ByteCoding

// C declares its byte pointers as never null, even for a count of zero.

extension UnsafeRawBufferPointer {
    /// The start of the memory; a valid dummy pointer if it is empty.
    @unsafe
    var octets: UnsafePointer<UInt8> {
        guard let start = unsafe baseAddress ?? UnsafeRawPointer(bitPattern: 1) else {
            preconditionFailure("address 1 is not null")
        }
        return unsafe start.assumingMemoryBound(to: UInt8.self)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The start of the memory; a valid dummy pointer if it is empty.
    @unsafe
    var octets: UnsafeMutablePointer<UInt8> {
        unsafe UnsafeMutablePointer(mutating: UnsafeRawBufferPointer(self).octets)
    }
}

extension Array where Element == UInt8 {
    /// Creates an array of `count` bytes that `fill` writes.
    @unsafe
    init(count: Int, filledBy fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        unsafe self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
            unsafe fill(UnsafeMutableRawBufferPointer(buffer).octets)
            initialized = count
        }
    }
}
