import CLinux
import Glibc

/// Bytes that carry an open descriptor to the process at the other end of a Unix socket (SCM_RIGHTS in unix(7)).
public enum PassedDescriptor {
    /// The size of a control header in bytes: its length, the level and the type (cmsg(3)).
    private static let headerSize = 16
    /// The room for control data in bytes: 253 descriptors, the most that one message passes (SCM_MAX_FD in unix(7)), and
    /// what else the kernel may add.
    private static let controlSize = 2048

    /// Writes bytes, of which there is at least one, and with the first of them descriptors. Returns how many bytes were taken.
    public static func send(
        _ bytes: [UInt8], with descriptors: [Int32], on socket: Int32
    ) throws(SystemError) -> Int {
        let length = headerSize + 4 * descriptors.count
        var bytes = bytes, control = [UInt8](repeating: 0, count: (length + 7) & ~7)
        unsafe control.withUnsafeMutableBytes { buffer in
            unsafe buffer.storeBytes(of: length, as: Int.self)
            unsafe buffer.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
            unsafe buffer.storeBytes(of: Int32(SCM_RIGHTS), toByteOffset: 12, as: Int32.self)
            for (index, descriptor) in descriptors.enumerated() {
                unsafe buffer.storeBytes(of: descriptor, toByteOffset: headerSize + 4 * index, as: Int32.self)
            }
        }
        return try unsafe exchange(&bytes, &control) { message in
            unsafe sendmsg(socket, message, Int32(MSG_NOSIGNAL))
        }.count
    }

    /// Reads up to `limit` bytes; none at the end of the stream. The caller owns the descriptor that came with them.
    ///
    /// SECURITY: every descriptor that arrives occupies a place in the table of this process. Those that are not returned are
    /// closed.
    ///
    /// - Throws: ``SystemError`` with the number ``SystemError/protocolViolation`` if several descriptors came with the bytes,
    ///   or one that the kernel could not deliver.
    public static func receive(
        _ limit: Int, on socket: Int32
    ) throws(SystemError) -> (bytes: [UInt8], descriptor: Int32?) {
        var bytes = [UInt8](repeating: 0, count: limit)
        var control = [UInt8](repeating: 0, count: controlSize)
        let result = try unsafe exchange(&bytes, &control) { message in
            unsafe recvmsg(socket, message, Int32(MSG_CMSG_CLOEXEC))
        }
        let numbers = descriptors(in: control, length: result.controlLength)
        guard numbers.count <= 1, result.flags & Int32(MSG_CTRUNC) == 0 else {
            for number in numbers { _ = FileDescriptor(owning: number) }
            throw SystemError("read from the socket", number: SystemError.protocolViolation)
        }
        bytes.removeLast(limit - result.count)
        return (bytes, numbers.first)
    }

    /// The descriptors in control data, which is a list of headers with what belongs to them, each at a multiple of 8 bytes.
    private static func descriptors(in control: [UInt8], length: Int) -> [Int32] {
        let length = min(length, control.count)
        func integer(_ offset: Int) -> Int32 {
            control[offset..<offset + 4].reversed().reduce(into: Int32(0)) { $0 = $0 << 8 | Int32($1) }
        }
        var found: [Int32] = [], start = 0
        while length - start >= headerSize {
            // The upper half of the length is zero: no control data is that long.
            let size = Int(integer(start))
            guard size >= headerSize, size <= length - start else { break }
            if integer(start + 8) == SOL_SOCKET, integer(start + 12) == Int32(SCM_RIGHTS) {
                found += stride(from: start + headerSize, to: start + size - 3, by: 4).map(integer)
            }
            start += (size + 7) & ~7
        }
        return found
    }

    private static func exchange(
        _ bytes: inout [UInt8], _ control: inout [UInt8], _ call: (UnsafeMutablePointer<msghdr>) -> Int
    ) throws(SystemError) -> (count: Int, controlLength: Int, flags: Int32) {
        var controlLength = 0, flags: Int32 = 0
        let count = try systemCall("use the socket") {
            unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe control.withUnsafeMutableBytes { control in
                    var part = unsafe iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
                    return unsafe withUnsafeMutablePointer(to: &part) { part in
                        var message = unsafe msghdr()
                        unsafe message.msg_iov = part
                        unsafe message.msg_iovlen = 1
                        unsafe message.msg_control = control.baseAddress
                        unsafe message.msg_controllen = control.count
                        let count = unsafe call(&message)
                        controlLength = unsafe Int(message.msg_controllen)
                        flags = unsafe message.msg_flags
                        return count
                    }
                }
            }
        }
        return (count, controlLength, flags)
    }
}
