import CLinux
import Glibc

/// Notifications for a service manager (sd_notify(3)).
public enum ServiceNotification {
    /// The state of the service.
    public enum State: String, Sendable {
        /// The service has started.
        case ready = "READY=1"
        /// The service is reloading its configuration; ``ready`` follows.
        case reloading = "RELOADING=1"
        /// The service is about to end.
        case stopping = "STOPPING=1"
    }

    /// Sends one datagram to the socket in `NOTIFY_SOCKET` of `environment`: a path, or an abstract address after `@`.
    /// Has no effect without the variable.
    ///
    /// There is no response. The caller may ignore the error, which concerns the manager only.
    ///
    /// - Returns: True if the datagram was sent.
    /// - Throws: ``SystemError``.
    @discardableResult
    public static func send(_ state: State, environment: [String: String]) throws(SystemError) -> Bool {
        guard let name = environment["NOTIFY_SOCKET"], name.hasPrefix("/") || name.hasPrefix("@") else { return false }
        var lines = [state.rawValue]
        // Without the time a manager could take the readiness after a reload for the one before (sd_notify(3)).
        if state == .reloading { lines.append("MONOTONIC_USEC=\(monotonicMicroseconds())") }
        try send(lines.joined(separator: "\n"), to: name)
        return true
    }

    private static func send(_ text: String, to name: String) throws(SystemError) {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = FileDescriptor(
            owning: try systemCall("reach the service manager") { Glibc.socket(AF_UNIX, kind, 0) })
        var bytes = Array(name.utf8)
        if name.hasPrefix("@") { bytes[0] = 0 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < room else { throw SystemError("reach the service manager", number: ENAMETOOLONG) }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        // An abstract address ends with its last byte (unix(7)), so the length is that of the name, not of the buffer.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let message = Array(text.utf8)
        try systemCall("reach the service manager") {
            unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe sendto(socket.number, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
                }
            }
        }
    }

    private static func monotonicMicroseconds() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

/// The journal of systemd.
public enum Journal {
    /// Returns true if a descriptor is connected to the journal, which adds times and reads the level at the start of a
    /// line (`<4>`, sd-daemon(3)).
    ///
    /// - Parameter environment: `JOURNAL_STREAM` is the device and inode of the stream (systemd.exec(5)).
    public static func receives(_ descriptor: Int32, environment: [String: String]) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"] else { return false }
        var status = Glibc.stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
