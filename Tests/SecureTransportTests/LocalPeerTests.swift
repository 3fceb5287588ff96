import Glibc
import SystemIO
import Testing

@testable import SecureTransport

/// Who made a connection within this machine.
@Suite struct LocalPeerTests {
    private typealias Endpoint = LocalPeer.Endpoint

    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1469 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0000 100 0 0 10 0
           1: 0100007F:1469 0100007F:C350 01 00000000:00000000 00:00000000 00000000     7        0 2 1 0000 20 4 0 10 -1
           2: 0100007F:C350 0100007F:1469 01 00000000:00000000 00:00000000 00000000  1000        0 3 1 0000 20 4 0 10 -1
           3: 0000000000000000FFFF00000100007F:C351 0000000000000000FFFF00000100007F:1469 01 0:0 0:0 0  1001  0 4
           4: 00000000000000000000000001000000:C352 00000000000000000000000001000000:1469 01 0:0 0:0 0  1002  0 5
        """
    private static let own: [UInt8] = [127, 0, 0, 1]

    @Test func the_user_stands_in_the_line_of_the_other_end() {
        let server = Endpoint(Self.own, 5225)
        #expect(LocalPeer.user(in: Self.table, from: Endpoint(Self.own, 50000), to: server) == 1000)
        #expect(LocalPeer.user(in: Self.table, from: Endpoint(Self.own, 50001), to: server) == 1001, "IPv4 in IPv6")
        #expect(LocalPeer.user(in: Self.table, from: Endpoint(Self.own, 50009), to: server) == nil)
        let six = [UInt8](repeating: 0, count: 15) + [1]
        #expect(LocalPeer.user(in: Self.table, from: Endpoint(six, 50002), to: Endpoint(six, 5225)) == 1002)
    }

    @Test func other_lines_do_no_harm() {
        for text in [
            "", "\n\n", "a\nb c d e f g h i", "x\n0: zz:1 yy:2 01 0 0 0 5", "x\n0: 0100007F 0100007F:1 01 0 0 0 5",
        ] {
            #expect(LocalPeer.user(in: text, from: Endpoint(Self.own, 1), to: Endpoint(Self.own, 2)) == nil)
        }
    }

    @Test func a_connection_of_this_process_is_of_this_user() throws {
        let loop = try EventLoop()
        var accepted: Int32?
        let listener = try Listener(host: "127.0.0.1", port: 0, loop: loop) { accepted = $0 }
        let client = FileDescriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = listener.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(client.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0)
        var isOver = false
        loop.after(.seconds(5)) { isOver = true }
        loop.run { accepted != nil || isOver }
        let number = try #require(accepted)
        defer { _ = FileDescriptor(owning: number) }
        #expect(LocalPeer.user(of: number) == ProcessEnvironment.userID)
        #expect(LocalPeer.user(of: client.number) == ProcessEnvironment.userID)
        #expect(LocalPeer.user(of: -1) == nil)
    }
}
