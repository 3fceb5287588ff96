import Glibc
import SystemIO
import TestSupport
import Testing

@Suite struct ConnectionAcceptorTests {
    /// A listener without descriptors for connections waits, and does not ask for them all the time.
    @Test func a_lack_of_descriptors_costs_no_time() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        await #expect(processExitsWith: .success) { [path = path as String] in
            let loop = try EventLoop()
            let listener = try UnixSocket.listen(at: path)
            var accepted: [Int32] = []
            let acceptor = try ConnectionAcceptor(listener.number, on: loop) { accepted.append($0) }
            func run(until isDone: () -> Bool) {
                var isLate = false
                let timer = loop.after(.seconds(20)) { isLate = true }
                loop.run { isLate || isDone() }
                timer.cancel()
            }
            let first = try UnixSocket.connect(to: path, within: .seconds(5))
            run { accepted.count == 1 }
            guard accepted.count == 1 else { exit(3) }
            let second = try UnixSocket.connect(to: path, within: .seconds(5))
            var limit = rlimit(rlim_cur: 64, rlim_max: 64)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var others: [Int32] = []
            while case let number = dup(0), number >= 0 { others.append(number) }
            let before = clock()
            var isOver = false
            loop.after(.seconds(1)) { isOver = true }
            run { isOver }
            // A tenth of the time, and nothing was accepted.
            guard accepted.count == 1, clock() - before < CLOCKS_PER_SEC / 10, let last = others.last else { exit(1) }
            close(last)
            run { accepted.count == 2 }
            guard accepted.count == 2 else { exit(2) }
            withExtendedLifetime(acceptor) {}
            _ = consume first
            _ = consume second
            _ = consume listener
            exit(0)
        }
    }
}
