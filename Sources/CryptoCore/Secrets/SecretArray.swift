internal import CSodium

/// Working memory of a computation on secrets: mutable numbers with one owner, wiped at the end of their life.
///
/// The array is written through a borrow, because a computation passes several arrays to its parts.
@safe
struct SecretArray<Element: BitwiseCopyable>: ~Copyable {
    private let elements: UnsafeMutableBufferPointer<Element>

    /// Creates an array of `count` times `element`.
    init(repeating element: Element, count: Int) {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: count)
        unsafe memory.initialize(repeating: element)
        unsafe elements = memory
    }

    deinit {
        guard let start = unsafe elements.baseAddress else { return }
        unsafe sodium_memzero(start, elements.count * MemoryLayout<Element>.stride)
        unsafe elements.deallocate()
    }

    var count: Int { unsafe elements.count }

    subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count, "inside of the array")
            return unsafe elements[index]
        }
        nonmutating set {
            precondition(index >= 0 && index < count, "inside of the array")
            unsafe elements[index] = newValue
        }
    }

    /// The memory, for a function that borrows the array. The pointer is valid as long as the array.
    @unsafe
    var start: UnsafeMutablePointer<Element> {
        guard let start = unsafe elements.baseAddress else { preconditionFailure("the array has elements") }
        return unsafe start
    }
}

extension SecretArray<UInt8> {
    /// Creates a copy of a secret.
    init(copying secret: Secret) {
        self.init(repeating: 0, count: secret.count)
        unsafe secret.withUnsafeBytes { unsafe start.update(from: $0.octets, count: $0.count) }
    }

    /// Returns a copy of bytes that are not secret.
    borrowing func copyBytes() -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// Returns a copy as a shared secret.
    borrowing func secret() -> Secret {
        unsafe Secret(
            SecretBytes(count: count) { unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: start, count: count)) }
        )
    }

    /// Returns the first `count` bytes. The array must have that many.
    borrowing func prefix(_ count: Int) -> SecretArray<UInt8> {
        let prefix = SecretArray<UInt8>(repeating: 0, count: count)
        for index in 0..<count {
            prefix[index] = self[index]
        }
        return prefix
    }

    /// Joins two arrays.
    static func + (left: borrowing SecretArray<UInt8>, right: borrowing SecretArray<UInt8>) -> SecretArray<UInt8> {
        let whole = SecretArray<UInt8>(repeating: 0, count: left.count + right.count)
        for index in 0..<left.count {
            whole[index] = left[index]
        }
        for index in 0..<right.count {
            whole[left.count + index] = right[index]
        }
        return whole
    }

    /// Returns 0 if the bytes are equal, else 255. The time depends only on the count, which must be equal.
    borrowing func differs(from bytes: [UInt8]) -> UInt8 {
        precondition(bytes.count == count, "as many bytes")
        var difference: UInt8 = 0
        for index in 0..<count {
            difference |= self[index] ^ bytes[index]
        }
        return UInt8(truncatingIfNeeded: (0 &- Int(difference)) >> 63)
    }

    /// Copies the other bytes, of the same count, if the mask is 255, and changes nothing if it is 0.
    borrowing func exchange(for other: borrowing SecretArray<UInt8>, where mask: UInt8) {
        precondition(other.count == count, "as many bytes")
        for index in 0..<count {
            self[index] ^= mask & (self[index] ^ other[index])
        }
    }
}
