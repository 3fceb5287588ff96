import Glibc
import SystemIO
import TestSupport
import Testing

/// What a process leaves behind that ends by a fault of its own.
@Suite struct CrashNoteTests {
    @Test func a_fault_writes_what_was_being_done() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/crash"
        let note = CrashNote(path)
        note.during(7) {}
        #expect(try note.read() == nil)
        await #expect(processExitsWith: .failure) { [path = path as String] in
            CrashNote(path).during(1_099_511_627_781) { () -> Void in fatalError("a fault") }
        }
        #expect(try note.read() == 1_099_511_627_781)
        try note.clear()
        #expect(try note.read() == nil)
    }

    @Test func a_note_that_cannot_be_read_is_an_error() throws {
        let folder = try TemporaryFolder()
        let note = CrashNote(folder.path + "/crash")
        try Files.create(folder.path + "/crash", [1, 2, 3])
        #expect(try note.read() == nil)
        try note.clear()
        try Files.createFolder(folder.path + "/crash")
        #expect(throws: SystemError.self) { try note.read() }
    }

    @Test func work_inside_of_other_work_has_a_number_of_its_own() throws {
        let note = CrashNote(try TemporaryFolder().path + "/crash")
        #expect(note.current == nil)
        note.during(-7) {
            #expect(note.current == -7)
            note.during(8) { #expect(note.current == 8) }
            #expect(note.current == -7)
        }
        #expect(note.current == nil)
    }

    @Test func normal_exit_writes_no_note() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/crash"
        await #expect(processExitsWith: .failure) { [path = path as String] in
            CrashNote(path).during(5) { _ = kill(getpid(), SIGKILL) }
        }
        // Outside of the work that is marked, a fault is none of it.
        await #expect(processExitsWith: .failure) { [path = path as String] in
            let note = CrashNote(path)
            note.during(5) {}
            fatalError("a fault")
        }
        #expect(try CrashNote(path).read() == nil)
    }
}
