import SystemIO
import TestSupport
import Testing

/// A child that reads what this process writes.
@Suite struct ReadingProcessTests {
    @Test func readsEverythingUpToTheEnd() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/read"
        let child = try ReadingProcess("/bin/sh", ["sh", "-c", "cat >\"$1\"; exit 3", "sh", file], environment: [:])
        let bytes = [UInt8](repeating: 7, count: 300_000)
        try child.input.write(bytes)
        #expect(try child.finish() == .exited(3))
        #expect(try Files.read(file, limit: 1 << 20) == bytes)
    }

    @Test func missing_program_is_reported() throws {
        #expect(throws: SystemError.self) {
            _ = try ReadingProcess("/nowhere/pager", ["pager"], environment: [:]).finish()
        }
    }

    @Test func tellsBySignalFromExit() throws {
        let child = try ReadingProcess("/bin/sh", ["sh", "-c", "kill -9 $$"], environment: [:])
        #expect(try child.finish() == .signalled(9))
    }
}
