import ByteCoding
import Glibc

/// Texts that cross the C interface.
@unsafe
enum CText {
    /// Returns a copy of a text of the caller; an empty text for a null pointer. Invalid UTF-8 is repaired.
    static func read(_ text: UnsafePointer<CChar>?) -> String {
        guard let text = unsafe text else { return "" }
        return unsafe String(cString: text)
    }

    /// Returns a copy of a text for the caller, who frees it with free(3). Null only without memory.
    static func make(_ text: String) -> UnsafeMutablePointer<CChar>? {
        unsafe make(Bytes(text.utf8))
    }

    /// Returns a copy of bytes without zeros, and a zero.
    static func make(_ bytes: Bytes) -> UnsafeMutablePointer<CChar>? {
        guard let copy = unsafe allocate(bytes.count + 1) else { return nil }
        unsafe bytes.withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(start: copy, count: source.count).copyMemory(from: source)
        }
        unsafe copy[bytes.count] = 0
        return unsafe UnsafeMutableRawPointer(copy).assumingMemoryBound(to: CChar.self)
    }

    /// Returns memory for the caller, who frees it with free(3). Null only without memory.
    static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
        unsafe malloc(count)?.bindMemory(to: UInt8.self, capacity: count)
    }
}
