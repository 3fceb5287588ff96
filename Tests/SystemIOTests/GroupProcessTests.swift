import Glibc
import SystemIO
import TestSupport
import Testing

/// Programs beside a loop.
@Suite struct GroupProcessTests {
    /// Runs lines of sh to their end, and returns what became of them and what they wrote.
    private static func run(
        _ script: String, input: String = "", limit: Duration = .seconds(60)
    ) throws -> (outcome: GroupProcess.Outcome?, output: String) {
        let folder = try TemporaryFolder()
        let path = folder.path + "/output"
        let output = try FileDescriptor(opening: path, O_WRONLY | O_CREAT)
        let loop = try EventLoop()
        var outcome: GroupProcess.Outcome?
        let process = try GroupProcess(
            "/bin/sh", ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], input: Array(input.utf8),
            output: output.number, limit: limit, on: loop
        ) { outcome = $0 }
        loop.run { outcome != nil }
        withExtendedLifetime(process) {}
        return (outcome, String(decoding: try Files.read(path, limit: 1 << 20), as: UTF8.self))
    }

    @Test func readsItsInputAndSaysHowItEnded() throws {
        let (outcome, output) = try GroupProcessTests.run("cat; echo oops >&2; exit 3", input: "an event\n")
        #expect(outcome == .ended(.exited(3)))
        #expect(output == "an event\noops\n")
    }

    @Test func unread_input_does_not_block() throws {
        let input = String(repeating: "x", count: 1 << 20)
        #expect(try GroupProcessTests.run("exit 0", input: input).outcome == .ended(.exited(0)))
    }

    @Test func tellsBySignalFromExit() throws {
        #expect(try GroupProcessTests.run("kill -9 $$").outcome == .ended(.signalled(9)))
    }

    @Test func leadsAGroupOfItsOwn() throws {
        let output = try GroupProcessTests.run("ps -o pgid= -p $$ || cut -d ' ' -f 5 /proc/$$/stat; echo $$").output
        let numbers = output.split(whereSeparator: \.isWhitespace)
        #expect(numbers.count == 2 && numbers.first == numbers.last)
    }

    /// The program ends at once, what it has started does not want to.
    @Test func time_limit_ends_descendants() throws {
        let script = "(trap '' TERM; echo $BASHPID; while :; do sleep 0.05; done) & echo $!; wait"
        let (outcome, output) = try GroupProcessTests.run(script, limit: .milliseconds(200))
        #expect(outcome == .late)
        let pid = try #require(output.split(whereSeparator: \.isWhitespace).first.flatMap { Int32($0) })
        let deadline = ContinuousClock.now + .seconds(10)
        while GroupProcessTests.isRunning(pid), ContinuousClock.now < deadline { SystemClock.pause(.milliseconds(5)) }
        #expect(!GroupProcessTests.isRunning(pid))
    }

    /// Whether there is such a process, and not only its ending, which the system's first process has to ask for.
    private static func isRunning(_ pid: Int32) -> Bool {
        guard let text = try? Files.read("/proc/\(pid)/stat", limit: 4096) else { return false }
        return String(decoding: text, as: UTF8.self).split(separator: " ").dropFirst(2).first != "Z"
    }

    @Test func missing_program_is_an_error() throws {
        let loop = try EventLoop()
        #expect(throws: SystemError.self) {
            _ = try GroupProcess(
                "/nowhere/hook", ["hook"], environment: [:], input: [], output: 2, limit: .seconds(1), on: loop
            ) { _ in }
        }
    }

    @Test func locksAFolderOnce() throws {
        let folder = try TemporaryFolder()
        #expect(
            try GroupProcessTests.locked(folder.path) { try GroupProcessTests.locked(folder.path) { true } }
                == .some(nil))
        #expect(try GroupProcessTests.locked(folder.path) { true } == true)
        #expect(try Files.names(in: folder.path).isEmpty)
    }

    /// What `body` returns while the folder is locked; nil if somebody else has the lock.
    private static func locked<Value>(_ path: String, _ body: () throws -> Value) throws -> Value? {
        guard let lock = try FolderLock(path) else { return nil }
        let value = try body()
        _ = consume lock
        return value
    }
}
