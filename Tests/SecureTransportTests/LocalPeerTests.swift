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
           5: 0100007F:C353 0100007F:1469 06 00000000:00000000 03:00000F52 00000000     0        0 0 3 0000
           6: 0100007F:C354 0100007F:1469 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0000 20 4 0 10 -1
           7: 0100007F:C355 0100007F:1469 04 00000000:00000000 00:00000000 00000000  1000        0 3 1 0000 20 4 0 10 -1
        """
    private static let own: [UInt8] = [127, 0, 0, 1]

    @Test func the_user_stands_in_the_line_of_the_other_end() {
        let server = Endpoint(Self.own, 5225)
        #expect(LocalPeer.user(in: Self.table, from: Endpoint(Self.own, 50000), to: server) == 1000)
        #expect(LocalPeer.user(in: Self.table, from: Endpoint(Self.own, 50001), to: server) == 1001, "IPv4 in IPv6")
        #expect(LocalPeer.user(in: Self.table, from: Endpoint(Self.own, 50009), to: server) == nil)
        for port in [50003, 50004, 50005] as [UInt16] {
            #expect(
                LocalPeer.user(in: Self.table, from: Endpoint(Self.own, port), to: server) == nil, "not open: \(port)")
        }
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

    /// A socket in the family of an address, and the other end at the server.
    private final class Line {
        let client: FileDescriptor
        let server: FileDescriptor

        init(host: String) throws {
            let loop = try EventLoop()
            var accepted: Int32?
            let listener = try Listener(host: host, port: 0, loop: loop) { accepted = $0 }
            let address = try #require(try SocketAddress.local(host: host, port: listener.port).get().first)
            client = FileDescriptor(
                owning: socket(address.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
            let number = client.number
            try #require(unsafe address.withPointer { unsafe connect(number, $0, $1) } == 0)
            var isOver = false
            loop.after(.seconds(5)) { isOver = true }
            loop.run { accepted != nil || isOver }
            server = FileDescriptor(owning: try #require(accepted))
        }
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func a_connection_of_this_process_is_of_this_user(host: String) throws {
        let user = ProcessEnvironment.userID
        let line = try Line(host: host)
        #expect(LocalPeer.isConnected(line.server.number, to: user))
        #expect(LocalPeer.isConnected(line.client.number, to: user))
        #expect(!LocalPeer.isConnected(line.server.number, to: user + 1))
        #expect(!LocalPeer.isConnected(-1, to: user))
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func a_connection_that_its_process_has_ended_is_of_no_user(host: String) throws {
        for linger in [nil, 0] as [Int32?] {
            let line = try Line(host: host)
            if let linger {
                var option = Glibc.linger(l_onoff: 1, l_linger: linger)
                let size = socklen_t(MemoryLayout<Glibc.linger>.size)
                try #require(unsafe setsockopt(line.client.number, SOL_SOCKET, SO_LINGER, &option, size) == 0)
            }
            // Another descriptor takes its number, and the socket is closed.
            let replacement = unsafe open("/dev/null", O_RDONLY)
            try #require(dup2(replacement, line.client.number) >= 0)
            close(replacement)
            for user in [0, ProcessEnvironment.userID] {
                #expect(!LocalPeer.isConnected(line.server.number, to: user), "\(String(describing: linger))")
            }
        }
        let line = try Line(host: host)
        _ = shutdown(line.client.number, Int32(SHUT_WR))
        #expect(!LocalPeer.isConnected(line.server.number, to: ProcessEnvironment.userID), "half closed")
    }

    @Test func answers_of_the_kernel_are_checked() throws {
        let line = try Line(host: "127.0.0.1")
        let (peer, own) = (
            try #require(LocalPeer.endpoint(of: line.server.number, isPeer: true)),
            try #require(LocalPeer.endpoint(of: line.server.number, isPeer: false))
        )
        var answer = [UInt8](repeating: 0, count: 88)
        answer[4] = 20
        answer[17] = 1
        answer.replaceSubrange(20..<24, with: LocalPeer.SocketQuery.request(from: peer, to: own)[24..<28])
        answer.replaceSubrange(80..<84, with: [0xe8, 3, 0, 0])
        #expect(LocalPeer.SocketQuery.user(in: answer, from: peer, to: own) == 1000)
        for count in 0..<88 {
            #expect(LocalPeer.SocketQuery.user(in: Array(answer.prefix(count)), from: peer, to: own) == nil)
        }
        for place in [4, 5, 17, 20, 21, 22, 23] {
            var changed = answer
            changed[place] ^= 1
            #expect(LocalPeer.SocketQuery.user(in: changed, from: peer, to: own) == nil, "\(place)")
        }
    }
}
