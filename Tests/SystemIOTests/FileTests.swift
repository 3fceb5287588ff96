import Glibc
import SystemIO
import TestSupport
import Testing

@Suite struct FileTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func foldersAndFilesArePrivate() throws {
        let path = "\(folder.path)/a/b/c"
        try Files.createFolder(path)
        try Files.createFolder(path)
        try Files.create("\(path)/file", [1, 2, 3])
        #expect(try Files.status(path).mode == 0o700)
        #expect(try !Files.status("\(path)/file").isOpenToOthers)
        #expect(try Files.read("\(path)/file", limit: 3) == [1, 2, 3])
    }

    @Test func nothingIsOverwrittenByAccident() throws {
        let path = "\(folder.path)/file"
        try Files.create(path, [1])
        #expect(throws: SystemError("create the file", number: EEXIST)) { try Files.create(path, [2]) }
        try Files.replace(path, [3])
        #expect(try Files.read(path, limit: 10) == [3])
        #expect(try Files.names(in: folder.path) == ["file"])
    }

    @Test func aFileLargerThanItsLimitIsRefused() throws {
        let path = "\(folder.path)/file"
        try Files.create(path, [UInt8](repeating: 7, count: 100))
        #expect(throws: SystemError("read the file", number: EFBIG)) { try Files.read(path, limit: 99) }
        #expect(try Files.read(path, limit: 100).count == 100)
    }

    @Test func removingATreeFollowsNoLinks() throws {
        try Files.createFolder("\(folder.path)/keep")
        try Files.create("\(folder.path)/keep/file", [1])
        try Files.createFolder("\(folder.path)/tree/inner")
        #expect(unsafe symlink("\(folder.path)/keep", "\(folder.path)/tree/inner/link") == 0)
        try Files.removeTree("\(folder.path)/tree")
        #expect(!Files.exists("\(folder.path)/tree"))
        #expect(Files.exists("\(folder.path)/keep/file"))
    }

    @Test func aLockHasOneHolderAndNamesIt() throws {
        let path = "\(folder.path)/lock"
        var first: FileLock? = try FileLock(path, note: Array("first".utf8))
        #expect(throws: FileLock.Failure.held(note: Array("first".utf8))) {
            _ = try FileLock(path, note: Array("second".utf8))
        }
        #expect(FileLock.holder(of: path) == Array("first".utf8))
        first = nil
        _ = first
        // A child that another test starts has copies of all descriptors until its program begins.
        #expect(Deadline.reached { FileLock.holder(of: path) == nil })
        var second: FileLock?
        #expect(
            Deadline.reached {
                second = try? FileLock(path, note: Array("2".utf8))
                return second != nil
            })
        #expect(FileLock.holder(of: path) == Array("2".utf8))
        _ = consume second
    }

    @Test func aLockIsNotInherited() throws {
        let path = "\(folder.path)/inherited"
        let lock = try FileLock(path, note: Array("parent".utf8))
        let script = "ls -l /proc/self/fd; cat"
        let child = try Subprocess("/bin/sh", ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
        let result = try child.finish()
        #expect(result.ending == .exited(0))
        #expect(!String(decoding: result.output, as: UTF8.self).contains("inherited"))
        _ = consume lock
    }

    @Test func lock_under_test_is_taken_after_retry() throws {
        let path = "\(folder.path)/lock"
        let other = try FileDescriptor(opening: path, O_RDWR | O_CREAT)
        #expect(flock(other.number, LOCK_SH) == 0)
        let number = other.release()
        WorkerThread.start {
            SystemClock.pause(.milliseconds(10))
            close(number)
        }
        let lock = try FileLock(path, note: Array("me".utf8))
        #expect(FileLock.holder(of: path) == Array("me".utf8))
        _ = consume lock
        // A holder that stays is one, even without a note.
        let silent = try FileDescriptor(opening: path, O_RDWR)
        #expect(flock(silent.number, LOCK_EX) == 0)
        #expect(throws: FileLock.Failure.held(note: [])) { _ = try FileLock(path, note: [1]) }
    }

    @Test func lock_follows_no_link_and_empties_nothing() throws {
        let path = "\(folder.path)/lock", target = "\(folder.path)/diary"
        try Files.create(target, Array("dear diary".utf8))
        #expect(unsafe symlink(target, path) == 0)
        #expect(throws: FileLock.Failure.system(SystemError("open the lock", number: ELOOP))) {
            _ = try FileLock(path, note: [1])
        }
        #expect(try Files.read(target, limit: 100) == Array("dear diary".utf8))
        #expect(FileLock.holder(of: path) == nil)
        // A pipe would let who reads the note wait without limit.
        try Files.remove(path)
        #expect(unsafe mkfifo(path, 0o600) == 0)
        #expect(throws: FileLock.Failure.system(SystemError("open the lock", number: EISDIR))) {
            _ = try FileLock(path, note: [1])
        }
        #expect(FileLock.holder(of: path) == nil)
    }

    @Test func aLockEndsWithItsProcess() throws {
        let path = "\(folder.path)/lock"
        let script = "exec 9>'\(path)'; flock 9; echo somebody >&9; echo locked; exec sleep 60"
        let child = try Subprocess("/bin/sh", ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
        let pid = child.pid
        #expect(try child.output.read(100) == Array("locked\n".utf8))
        #expect(FileLock.holder(of: path) == Array("somebody\n".utf8))
        #expect(!FileLock.isHeld(path, by: Int64(getpid())))
        kill(pid, SIGKILL)
        #expect(try child.finish().ending == .signalled(SIGKILL))
        #expect(FileLock.holder(of: path) == nil)
        let own = try FileLock(path, note: [1])
        #expect(FileLock.isHeld(path, by: Int64(getpid())) && !FileLock.isHeld(path, by: Int64(getppid())))
        _ = consume own
        #expect(!FileLock.isHeld(path, by: Int64(getpid())))
    }

    @Test func aChildGetsExactlyItsArgumentsAndEnvironment() throws {
        let script = #"printf '%s|' "$0" "$@"; env | sort; echo oops >&2; exit 7"#
        let child = try Subprocess("/bin/sh", ["sh", "-c", script, "a b", "c"], environment: ["X": "1", "PWD": "/"])
        let result = try child.finish()
        #expect(result.ending == .exited(7))
        let output = String(decoding: result.output, as: UTF8.self)
        #expect(output.hasPrefix("a b|c|"))
        #expect(output.contains("X=1\n"))
        #expect(!output.contains("HOME="))
        #expect(result.errors == Array("oops\n".utf8))
    }

    @Test func aChildThatWritesOrWaitsTooLongIsEnded() throws {
        let path = ["PATH": "/usr/bin:/bin"]
        let result = try Subprocess("/bin/sh", ["sh", "-c", "echo 123; echo too much >&2"], environment: path)
            .finish(limit: 4)
        #expect(result.output == Array("123\n".utf8) && result.errors == Array("too ".utf8))
        #expect(throws: SystemError("wait for the program", number: SystemError.tooLong)) {
            _ = try Subprocess("/bin/sh", ["sh", "-c", "echo 1234"], environment: path).finish(limit: 4)
        }
        #expect(throws: SystemError("wait for the program", number: SystemError.tooLong)) {
            _ = try Subprocess("/bin/sh", ["sh", "-c", "exec yes"], environment: path).finish(limit: 4)
        }
        #expect(throws: SystemError("wait for the program", number: SystemError.timedOut)) {
            _ = try Subprocess("/bin/sh", ["sh", "-c", "exec sleep 100"], environment: path)
                .finish(within: .milliseconds(50))
        }
    }

    /// A program that has closed its output can still go on for ever.
    @Test(arguments: [true, false]) func a_child_without_output_is_ended_in_time(leadsGroup: Bool) throws {
        let path = ["PATH": "/usr/bin:/bin"]
        func start(_ script: String) throws -> Subprocess {
            try Subprocess(
                "/bin/sh", ["sh", "-c", "exec >&- 2>&-; \(script)"], environment: path, leadsGroup: leadsGroup)
        }
        let begin = ContinuousClock.now
        #expect(throws: SystemError("wait for the program", number: SystemError.timedOut)) {
            _ = try start("exec sleep 100").finish(within: .milliseconds(100))
        }
        #expect(throws: SystemError("wait for the program", number: SystemError.timedOut)) {
            _ = try start("exec sleep 100").finish(within: .milliseconds(100), limit: 100) { _ in }
        }
        #expect(.now - begin < .seconds(50))
        #expect(try start("sleep 0.2; exit 3").finish(within: .seconds(60)).ending == .exited(3))
        #expect(try start("sleep 0.2; exit 3").finish(within: .seconds(60), limit: 9) { _ in }.ending == .exited(3))
    }

    @Test(arguments: [true, false]) func descendants_of_late_child_are_killed(leadsGroup: Bool) throws {
        let note = "\(folder.path)/pids"
        let script = "(sleep 1000 & echo $! >> '\(note)'; wait) & sleep 1000 & echo $! >> '\(note)'; wait"
        let child = try Subprocess(
            "/bin/sh", ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], leadsGroup: leadsGroup)
        func started() -> [Int32] {
            let text = (try? Files.read(note, limit: 1000)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return text.split(separator: "\n").compactMap { Int32($0) }
        }
        #expect(Deadline.reached { started().count == 2 })
        var reason: SystemError?
        do { _ = try child.finish(within: .milliseconds(50)) } catch { reason = error }
        #expect(reason == SystemError("wait for the program", number: SystemError.timedOut))
        for pid in started() { #expect(Deadline.reached { !isRunning(pid) }, "process \(pid)") }
    }

    /// True if there is such a process, and not only its ending.
    private func isRunning(_ pid: Int32) -> Bool {
        guard let text = try? Files.read("/proc/\(pid)/stat", limit: 4096) else { return false }
        return String(decoding: text, as: UTF8.self).split(separator: " ").dropFirst(2).first != "Z"
    }

    @Test func missingProgramsAreReported() {
        #expect(throws: SystemError("start the program", number: ENOENT)) {
            _ = try Subprocess("/nonexistent", ["x"], environment: [:])
        }
    }

    @Test func directoriesFollowTheEnvironment() {
        #expect(Directories(environment: [:]) == nil)
        #expect(Directories(environment: ["TACIT_DIR": "/t", "HOME": "/h"])?.data == "/t")
        let xdg = Directories(environment: ["HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "relative"])
        #expect(xdg?.data == "/d/tacit")
        #expect(xdg?.config == "/h/.config/tacit")
        #expect(xdg?.state == "/h/.local/state/tacit")
    }
}
