import ByteCoding
import JSONCoding
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import Host

/// A server and its clients, over a real socket in a folder whose path is longer than an address of a socket can be.
@Suite struct ControlConnectionTests {
    /// Answers each line with itself, until one asks to stop.
    private static func serve(_ path: String, _ started: BlockingResult<Bool>) throws {
        let loop = try EventLoop()
        var connections: [ControlConnection] = [], isDone = false
        let server = try ControlServer(at: path, loop: loop) { connection in
            connections.append(connection)
            try? connection.start(
                onLine: { connection, line in
                    guard let line, let request = (try? JSONValue(decoding: line))?.object else { return }
                    connection.send(request)
                    if request["stop"] != nil { isDone = true }
                },
                onEnd: { connection.close() },
                onClose: { connections.removeAll { $0 === connection } })
        }
        started.deliver(true)
        loop.run { isDone }
        withExtendedLifetime(server) {}
    }

    /// What comes back for each object, in order; nil stands for a line that was too long.
    private static func answers(to objects: [JSONObject], at path: String) throws -> [JSONObject?] {
        let loop = try EventLoop()
        let connection = try ControlConnection(to: path, loop: loop, within: .seconds(20))
        var answers: [JSONObject?] = [], isClosed = false
        try connection.start(
            onLine: { line in answers.append(line.flatMap { (try? JSONValue(decoding: $0))?.object }) },
            onClose: { isClosed = true })
        for object in objects { connection.send(object) }
        let deadline = ContinuousClock.now + .seconds(20)
        loop.run { answers.count == objects.count || isClosed || ContinuousClock.now > deadline }
        connection.close()
        return answers
    }

    @Test func lines_of_any_length_come_back_in_order() throws {
        let folder = try TemporaryFolder()
        let long = folder.path + "/" + String(repeating: "long/", count: 30)
        try Files.createFolder(long)
        let path = long + "control.sock"
        let started = try BlockingResult<Bool>()
        WorkerThread.start { try? ControlConnectionTests.serve(path, started) }
        _ = started.wait()
        let numbered: [JSONObject] = (0..<100).map { ["number": .integer($0)] }
        #expect(try ControlConnectionTests.answers(to: numbered, at: path) == numbered)
        // A line of a megabyte takes several pieces both ways.
        let large: [JSONObject] = [["text": .string(String(repeating: "x", count: 1 << 20))]]
        #expect(try ControlConnectionTests.answers(to: large, at: path) == large)
        #expect(try ControlConnectionTests.answers(to: [["stop": true]], at: path) == [["stop": true]])
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
        let folder = try TemporaryFolder(), loop = try EventLoop()
        #expect(throws: SystemError.self) {
            _ = try ControlConnection(to: folder.path + "/control.sock", loop: loop, within: .seconds(1))
        }
    }
}
