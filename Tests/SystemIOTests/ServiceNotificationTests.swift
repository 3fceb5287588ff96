import Glibc
import SystemIO
import TestSupport
import Testing

/// What a service manager is told, heard at a socket like its own.
@Suite struct ServiceNotificationTests {
    @Test func tellsASocketInTheFileSystem() throws {
        let folder = try TemporaryFolder()
        let manager = try Manager(at: folder.path + "/notify")
        let environment = ["NOTIFY_SOCKET": folder.path + "/notify"]
        #expect(try ServiceNotification.send(.ready, environment: environment))
        #expect(try manager.received() == "READY=1")
        #expect(try ServiceNotification.send(.stopping, environment: environment))
        #expect(try manager.received() == "STOPPING=1")
    }

    @Test func tellsAnAbstractAddress() throws {
        let name = "@tacit-test-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        let manager = try Manager(at: name)
        #expect(try ServiceNotification.send(.ready, environment: ["NOTIFY_SOCKET": name]))
        #expect(try manager.received() == "READY=1")
    }

    @Test func reload_includes_its_time() throws {
        let folder = try TemporaryFolder()
        let manager = try Manager(at: folder.path + "/notify")
        try ServiceNotification.send(.reloading, environment: ["NOTIFY_SOCKET": folder.path + "/notify"])
        let lines = try manager.received().split(separator: "\n")
        #expect(lines.first == "RELOADING=1")
        let moment = try #require(lines.last?.split(separator: "=").last.flatMap { Int64($0) })
        #expect(lines.last?.hasPrefix("MONOTONIC_USEC=") == true && moment > 0)
    }

    @Test(arguments: [[:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "relative/path"], ["NOTIFY_SOCKET": "vsock:2:1"]])
    func missing_manager_is_ignored(environment: [String: String]) throws {
        #expect(try !ServiceNotification.send(.ready, environment: environment))
    }

    private static let unreachable = [
        "/nowhere/at/all", "/" + String(repeating: "x", count: 107), "@" + String(repeating: "x", count: 200),
    ]

    @Test(arguments: unreachable)
    func unreachable_manager_is_an_error(name: String) {
        #expect(throws: SystemError.self) {
            try ServiceNotification.send(.ready, environment: ["NOTIFY_SOCKET": name])
        }
    }

    /// The socket of a service manager.
    private struct Manager: ~Copyable {
        private let socket: FileDescriptor

        init(at name: String) throws {
            let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let socket = FileDescriptor(owning: try systemCall("create a socket") { Glibc.socket(AF_UNIX, kind, 0) })
            var bytes = Array(name.utf8)
            if name.hasPrefix("@") { bytes[0] = 0 }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
            try systemCall("bind the socket") {
                unsafe withUnsafePointer(to: &address) { pointer in
                    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        unsafe bind(socket.number, $0, length)
                    }
                }
            }
            self.socket = socket
        }

        /// A datagram is there as soon as it was sent.
        func received() throws -> String {
            String(decoding: try socket.read(4096), as: UTF8.self)
        }
    }
}
