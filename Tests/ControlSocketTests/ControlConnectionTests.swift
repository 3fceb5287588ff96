import ByteCoding
import ControlSocket
import Glibc
import JSONCoding
import Synchronization
import SystemIO
import TestSupport
import Testing

/// A server and its clients, over a real socket in a folder whose path is longer than an address of a socket can be.
@Suite struct ControlConnectionTests {
    /// Answers each request with its method and what is in the file that came with it, until one asks to stop. What is slow
    /// is answered after a while, and what is ignored never.
    private static func serve(_ path: String, _ started: Handover<Bool>, ignoring ignored: String? = nil) throws {
        let loop = try EventLoop()
        var connections: [ControlConnection] = [], isDone = false
        let server = try ControlServer(at: path, loop: loop) { connection in
            connections.append(connection)
            try? connection.start(
                onLine: { connection, line, file in
                    guard let line, let request = try? RPCRequest(decoding: line), let id = request.id else { return }
                    let content = (try? file?.file.readAll(limit: 1000)).flatMap { $0 } ?? []
                    let text = request.method + String(decoding: content, as: UTF8.self)
                    if request.method == ignored { return }
                    let isHuge = request.method == "huge"
                    let answer = RPCReply.result(
                        .string(isHuge ? String(repeating: "x", count: LineSplitter.limit) : text), to: id)
                    guard request.method != "slow" else {
                        loop.after(.milliseconds(200)) { connection.send(answer) }
                        return
                    }
                    connection.send(answer)
                    if request.method == "stop" { isDone = true }
                },
                onEnd: { connection.close() },
                onClose: { connections.removeAll { $0 === connection } })
        }
        started.give(true)
        loop.run { isDone }
        withExtendedLifetime(server) {}
    }

    @Test func answersAndTakesFiles() throws {
        let folder = try TemporaryFolder()
        let long = folder.path + "/" + String(repeating: "long/", count: 30)
        try Files.createFolder(long)
        let path = long + "control.sock"
        let started = try Handover<Bool>()
        WorkerThread.start { try? ControlConnectionTests.serve(path, started) }
        _ = started.take()
        var client = try ControlClient(to: path)
        for number in 0..<100 {
            let id = JSONValue.integer(Int64(number))
            try client.send(RPCRequest(id: id, method: "m\(number)", params: nil).json)
            #expect(try client.next() == .result(.string("m\(number)"), id: id))
        }
        let file = SharedFile(try FileDescriptor(inMemory: Bytes(" with a file".utf8)))
        try client.send(RPCRequest(id: 1, method: "m", params: nil).json, passing: file.file.number)
        #expect(try client.next() == .result("m with a file", id: 1))
        // A line of a megabyte takes several pieces both ways.
        let large = String(repeating: "x", count: 1 << 20)
        try client.send(RPCRequest(id: 2, method: large, params: nil).json)
        #expect(try client.next() == .result(.string(large), id: 2))
        // A line that is too long is an error, and not waited for.
        try client.send(RPCRequest(id: 4, method: "huge", params: nil).json)
        #expect(throws: SystemError.self) { try client.next() }
        var other = try ControlClient(to: path)
        try other.send(RPCRequest(id: 3, method: "stop", params: nil).json)
        #expect(try other.next() == .result("stop", id: 3))
    }

    /// The descriptors of this process that lead to `file`.
    private static func count(of file: FileStatus) -> Int {
        let names = (try? Files.names(in: "/proc/self/fd")) ?? []
        return names.count { (try? Files.status("/proc/self/fd/\($0)"))?.isSameFile(as: file) == true }
    }

    /// True if the other side closes the connection within 20 s.
    private static func isClosed(_ number: Int32) -> Bool {
        do throws(SystemError) {
            try UnixSocket.limitReading(.seconds(20), on: number)
            return try FileDescriptor(copying: number).read(100).isEmpty
        } catch {
            return error.number == SystemError.disconnected
        }
    }

    @Test func second_passed_file_is_refused_and_none_stays_open() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/control.sock"
        let started = try Handover<Bool>()
        WorkerThread.start { try? ControlConnectionTests.serve(path, started) }
        _ = started.take()
        let file = SharedFile(try FileDescriptor(inMemory: Bytes("file".utf8)))
        let number = file.file.number, status = try file.file.status()
        func line(_ id: Int64, _ method: String) -> Bytes {
            RPCRequest(id: .integer(id), method: method, params: nil).json.encoded + [UInt8(ascii: "\n")]
        }
        // Two, and as many as the kernel passes, with one message.
        for (id, count) in [(Int64(1), 2), (2, 253)] {
            let socket = try UnixSocket.connect(to: path, within: .seconds(20))
            let numbers = [Int32](repeating: number, count: count)
            #expect(try PassedDescriptor.send(line(id, "m"), with: numbers, on: socket.number) == line(id, "m").count)
            #expect(ControlConnectionTests.isClosed(socket.number))
        }
        // Two with parts of one line.
        let socket = try UnixSocket.connect(to: path, within: .seconds(20))
        for _ in 1...2 { _ = try PassedDescriptor.send(Bytes("{".utf8), with: [number], on: socket.number) }
        #expect(ControlConnectionTests.isClosed(socket.number))
        // One with a line that is answered without it, and one with a line that never ends.
        var client = try ControlClient(to: path)
        for id in Int64(1)...20 {
            try client.send(RPCRequest(id: .integer(id), method: "m", params: nil).json, passing: number)
            #expect(try client.next() == .result("mfile", id: .integer(id)))
            #expect(try FileDescriptor(copying: number).status().isSameFile(as: status))
            _ = lseek(number, 0, SEEK_SET)
        }
        do {
            let socket = try UnixSocket.connect(to: path, within: .seconds(20))
            _ = try PassedDescriptor.send(Bytes("{".utf8), with: [number], on: socket.number)
        }
        #expect(Deadline.reached { ControlConnectionTests.count(of: status) == 1 })
        try client.send(RPCRequest(id: 3, method: "stop", params: nil).json)
        #expect(try client.next() == .result("stop", id: 3))
    }

    @Test func whoWorksIsWaitedFor() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/control.sock"
        let started = try Handover<Bool>()
        WorkerThread.start { try? ControlConnectionTests.serve(path, started) }
        _ = started.take()
        var client = try ControlClient(to: path, within: .seconds(20))
        try client.ping(within: .seconds(20))
        try client.keepAsking(after: .milliseconds(10), patience: .seconds(20))
        try client.send(RPCRequest(id: 1, method: "slow", params: nil).json)
        #expect(try client.next() == .result("slow", id: 1))
        try client.send(RPCRequest(id: 2, method: "stop", params: nil).json)
        #expect(try client.next() == .result("stop", id: 2))
    }

    @Test func whoDoesNotAnswerIsNoticed() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/control.sock"
        let started = try Handover<Bool>()
        WorkerThread.start {
            try? ControlConnectionTests.serve(path, started, ignoring: ControlClient.pingMethod)
        }
        _ = started.take()
        var client = try ControlClient(to: path, within: .seconds(20))
        do throws(SystemError) {
            try client.ping(within: .milliseconds(20))
            Issue.record("nobody answered")
        } catch {
            #expect(error.isRetry)
        }
        client = try ControlClient(to: path)
        try client.send(RPCRequest(id: 1, method: "m", params: nil).json)
        #expect(try client.next() == .result("m", id: 1))
        try client.keepAsking(after: .milliseconds(10), patience: .milliseconds(20))
        do throws(SystemError) {
            _ = try client.next()
            Issue.record("nobody answered")
        } catch {
            #expect(error.isRetry)
        }
        try client.send(RPCRequest(id: 2, method: "stop", params: nil).json)
    }

    @Test func whoDoesNotAcceptIsNoticed() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/control.sock"
        let listener = try UnixSocket.listen(at: path)
        var crowd: [SharedFile] = []
        do throws(SystemError) {
            // The system takes connections for a listener that has stopped, as many as may wait for it.
            for _ in 0..<200 { crowd.append(SharedFile(try UnixSocket.connect(to: path, within: .milliseconds(20)))) }
            Issue.record("there is no limit")
        } catch {
            #expect(error.isRetry && !crowd.isEmpty)
        }
        withExtendedLifetime(listener) {}
    }

    @Test func theSocketIsItsUsersAlone() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/control.sock"
        let loop = try EventLoop()
        let server = try ControlServer(at: path, loop: loop) { _ in }
        #expect(try !Files.status(path).isOpenToOthers)
        withExtendedLifetime(server) {}
    }

    @Test func aPlaceWithoutAServerRefuses() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SystemError.self) { _ = try ControlClient(to: folder.path + "/control.sock") }
    }
}
