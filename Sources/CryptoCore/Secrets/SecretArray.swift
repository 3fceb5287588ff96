internal import CSodium

/// Working memory of a computation on secrets: numbers that change, one owner, wiped at the end of its life.
///
/// The array is written through a borrow, because a computation passes several of them to its parts.
@safe
struct SecretArray<Element: BitwiseCopyable>: ~Copyable {
    private let elements: UnsafeMutableBufferPointer<Element>

    /// `count` times `element`.
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

    /// The memory, for a function that borrows the array: the pointer must not be kept longer than the array.
    @unsafe
    var start: UnsafeMutablePointer<Element> {
        guard let start = unsafe elements.baseAddress else { preconditionFailure("the array has elements") }
        return unsafe start
    }
}

extension SecretArray<UInt8> {
    /// A copy of a secret.
    init(copying secret: Secret) {
        self.init(repeating: 0, count: secret.count)
        unsafe secret.withUnsafeBytes { unsafe start.update(from: $0.octets, count: $0.count) }
    }

    /// The bytes as they are, for what may be seen.
    borrowing func copyBytes() -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// A copy that is kept.
    borrowing func secret() -> Secret {
        unsafe Secret(
            SecretBytes(count: count) { unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: start, count: count)) }
        )
    }

    /// The first `count` bytes, of which there must be so many.
    borrowing func prefix(_ count: Int) -> SecretArray<UInt8> {
        let prefix = SecretArray<UInt8>(repeating: 0, count: count)
        for index in 0..<count {
            prefix[index] = self[index]
        }
        return prefix
    }

    /// One behind the other.
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

    /// 255 if the bytes are others than these, or else 0, in a time that depends on the number only, which must be the
    /// same.
    borrowing func differs(from bytes: [UInt8]) -> UInt8 {
        precondition(bytes.count == count, "as many bytes")
        var difference: UInt8 = 0
        for index in 0..<count {
            difference |= self[index] ^ bytes[index]
        }
        return UInt8(truncatingIfNeeded: (0 &- Int(difference)) >> 63)
    }

    /// Takes the other bytes, of which there must be as many, if the mask is 255, and stays as it is if it is 0.
    borrowing func exchange(for other: borrowing SecretArray<UInt8>, where mask: UInt8) {
        precondition(other.count == count, "as many bytes")
        for index in 0..<count {
            self[index] ^= mask & (self[index] ^ other[index])
        }
    }
}
