import CLinux
import Glibc

/// Tells a service manager how far this process has come (sd_notify(3)).
public enum ServiceNotification {
    /// What a manager can be told.
    public enum State: String, Sendable {
        /// The service does what it is there for.
        case ready = "READY=1"
        /// The configuration is being read anew; ``ready`` follows.
        case reloading = "RELOADING=1"
        /// The service is about to end.
        case stopping = "STOPPING=1"
    }

    /// Sends one datagram to the socket that `NOTIFY_SOCKET` in `environment` names: a path, or an abstract address behind
    /// `@`. Does nothing where there is none.
    ///
    /// Nobody waits for an answer, and a manager that does not listen is none of the service's business: the caller may
    /// ignore the error.
    ///
    /// - Returns: Whether the manager was told.
    @discardableResult
    public static func send(_ state: State, environment: [String: String]) throws(SystemError) -> Bool {
        guard let name = environment["NOTIFY_SOCKET"], name.hasPrefix("/") || name.hasPrefix("@") else { return false }
        var lines = [state.rawValue]
        // Without the moment a manager could take the readiness after a reload for the one before (sd_notify(3)).
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
        // An abstract address ends with its last byte (unix(7)), so the length is that of the name and not of the room.
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
    /// True if what is written to a descriptor goes straight to the journal, which has times of its own and reads the level of a line
    /// from its beginning (`<4>`, sd-daemon(3)).
    ///
    /// - Parameter environment: `JOURNAL_STREAM` names the device and the inode of the stream (systemd.exec(5)).
    public static func receives(_ descriptor: Int32, environment: [String: String]) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"] else { return false }
        var status = Glibc.stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
