import ByteCoding
import Glibc
import JSONCoding
import SystemIO
import TerminalKit
import TestSupport
import Testing

@Suite struct OutputTests {
    @Test func memoryCollectsEverything() throws {
        let output = Output()
        try output.write(verbatim: "a")
        try output.write([0, 255])
        try output.write(line: StyledText("b", .error))
        try output.flush()
        #expect(output.collected == [0x61, 0, 255, 0x62, 0x0a])
        let colored = Output(collecting: StreamTraits(isTerminal: true, width: 80, usesColor: true))
        try colored.write(lines: [StyledText("b", .error), "c"])
        #expect(String(decoding: colored.collected, as: UTF8.self) == "\u{1b}[1;31mb\u{1b}[0m\nc\n")
    }

    @Test func objectsAndRecordsAreLines() throws {
        let output = Output(collecting: StreamTraits(isTerminal: true, width: 8, usesColor: true))
        try output.write(json: JSONObject(type: "message"))
        try output.write(PlainRecord(["a", "b"]))
        try output.write(PlainRecord(["c"]), endingWith: .nul)
        #expect(String(decoding: output.collected, as: UTF8.self) == "{\"v\":1,\"type\":\"message\"}\na\tb\nc\0")
    }

    @Test func aFileGetsEverythingInOrder() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/file"
        let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT)
        let output = Output(descriptor: file.number, traits: .pipe)
        try output.write(verbatim: "short ")
        #expect(try Files.read(path, limit: 10).isEmpty)
        let long = String(repeating: "0123456789", count: 10_000)
        try output.write(verbatim: long)
        try output.write(verbatim: " end")
        try output.flush()
        #expect(try Files.read(path, limit: 1_000_000) == Bytes("short \(long) end".utf8))
        #expect(output.collected.isEmpty)
    }

    @Test func aTerminalGetsEachLineAtOnce() throws {
        let terminal = try PseudoTerminal()
        let traits = StreamTraits(descriptor: terminal.user, color: .always, environment: [:])
        let output = Output(descriptor: terminal.user, traits: traits)
        try output.write(line: StyledText("hi", .name))
        #expect(terminal.look() == "\u{1b}[1;36mhi\u{1b}[0m\r\n")
    }

    @Test func aClosedPipeIsAnErrorAndStaysOne() throws {
        let output = try Self.brokenPipe()
        try output.write(verbatim: "text")
        #expect(throws: OutputError.closed) { try output.flush() }
        #expect(throws: OutputError.closed) { try output.write(verbatim: "more") }
        #expect(throws: OutputError.closed) { try output.flush() }
    }

    @Test func aClosedPipeDoesNotEndTheProcessEvenIfTheSignalWould() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGPIPE, SIG_DFL)
            let output = try OutputTests.brokenPipe()
            try output.write(verbatim: "text")
            do throws(OutputError) {
                try output.flush()
            } catch {
                // The signal is neither pending nor held back any more.
                var pending = sigset_t(), held = sigset_t()
                unsafe sigpending(&pending)
                unsafe pthread_sigmask(SIG_BLOCK, nil, &held)
                let isClean = unsafe sigismember(&pending, SIGPIPE) == 0 && sigismember(&held, SIGPIPE) == 0
                exit(error == .closed && isClean ? 7 : 8)
            }
        }
    }

    @Test func aFullDiskIsAnError() throws {
        let full = try FileDescriptor(opening: "/dev/full", O_WRONLY)
        let output = Output(descriptor: full.number, traits: .pipe)
        try output.write(verbatim: "text")
        #expect(throws: OutputError.full) { try output.flush() }
        #expect(throws: OutputError.full) { try output.write(verbatim: "more") }
    }

    @Test func anyOtherErrorNamesItsReason() throws {
        let reading = try FileDescriptor(opening: "/dev/null", O_RDONLY)
        let output = Output(descriptor: reading.number, traits: .pipe)
        try output.write(verbatim: "text")
        #expect(throws: OutputError.failed(SystemError("write the output", number: EBADF))) { try output.flush() }
    }

    @Test func aNonblockingPipeIsWaitedFor() throws {
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        let reader = FileDescriptor(owning: ends[0]), number = ends[1]
        #expect(fcntl(number, F_SETFL, O_NONBLOCK) == 0)
        let text = Bytes(repeating: 0x61, count: 1_000_000)
        let writing = Background { () throws(OutputError) in
            defer { close(number) }
            try Output(descriptor: number, traits: .pipe).write(text)
        }
        #expect(try reader.readAll(limit: 2_000_000) == text)
        #expect(writing.isFinished())
    }

    private static func brokenPipe() throws -> Output {
        var ends: [Int32] = [0, 0]
        try systemCall("create a pipe") { unsafe pipe(&ends) }
        close(ends[0])
        return Output(descriptor: ends[1], traits: .pipe)
    }
}
