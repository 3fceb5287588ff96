import CLinux
import Glibc

/// Bytes that carry an open descriptor to the process at the other end of a Unix socket (SCM_RIGHTS in unix(7)).
public enum PassedDescriptor {
    /// The control data for one descriptor: its header, the number, and what makes it end at a multiple of 8 bytes.
    private struct Control {
        var length = MemoryLayout<Control>.offset(of: \.descriptor).map { $0 + 4 } ?? 20
        var level = SOL_SOCKET
        var type = Int32(SCM_RIGHTS)
        var descriptor: Int32 = -1
        var padding: Int32 = 0
    }

    /// Writes bytes, of which there is at least one, and with the first of them a descriptor. Returns how many were taken.
    public static func send(_ bytes: [UInt8], with descriptor: Int32, on socket: Int32) throws(SystemError) -> Int {
        var control = Control(), bytes = bytes
        control.descriptor = descriptor
        return try unsafe exchange(&bytes, &control) { message in
            unsafe sendmsg(socket, message, Int32(MSG_NOSIGNAL))
        }.count
    }

    /// Reads up to `limit` bytes; none at the end of the stream. Of several descriptors that come with them, which nobody
    /// sends who keeps to the rules, one is kept.
    public static func receive(
        _ limit: Int, on socket: Int32
    ) throws(SystemError) -> (bytes: [UInt8], descriptor: Int32?) {
        var control = Control()
        var bytes = [UInt8](repeating: 0, count: limit)
        let (count, controlLength) = try unsafe exchange(&bytes, &control) { message in
            unsafe recvmsg(socket, message, Int32(MSG_CMSG_CLOEXEC))
        }
        bytes.removeLast(limit - count)
        let isPassed = controlLength >= control.length && control.type == Int32(SCM_RIGHTS)
        return (bytes, isPassed && control.level == SOL_SOCKET && control.descriptor >= 0 ? control.descriptor : nil)
    }

    private static func exchange(
        _ bytes: inout [UInt8], _ control: inout Control, _ call: (UnsafeMutablePointer<msghdr>) -> Int
    ) throws(SystemError) -> (count: Int, controlLength: Int) {
        var controlLength = 0
        let count = try systemCall("use the socket") {
            unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe withUnsafeMutablePointer(to: &control) { control in
                    var part = unsafe iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
                    return unsafe withUnsafeMutablePointer(to: &part) { part in
                        var message = unsafe msghdr()
                        unsafe message.msg_iov = part
                        unsafe message.msg_iovlen = 1
                        unsafe message.msg_control = UnsafeMutableRawPointer(control)
                        unsafe message.msg_controllen = MemoryLayout<Control>.stride
                        let count = unsafe call(&message)
                        controlLength = unsafe Int(message.msg_controllen)
                        return count
                    }
                }
            }
        }
        return (count, controlLength)
    }
}
