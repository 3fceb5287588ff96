import CLinux
import Glibc

/// The start of child processes.
enum Spawning {
    /// Starts `path` with exactly these arguments (the first is the program's name) and environment.
    ///
    /// - Parameters:
    ///   - input: The standard input; nil for an empty one.
    ///   - output: The standard output.
    ///   - errors: The standard error.
    ///   - leadsGroup: True to lead a new process group, which can be ended with all its processes.
    static func start(
        _ path: String, _ arguments: [String], environment: [String: String], input: Int32?, output: Int32,
        errors: Int32, leadsGroup: Bool = false
    ) throws(SystemError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if let input {
            unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
        let argv = unsafe CStrings(arguments), envp = unsafe CStrings(environment.map { "\($0.key)=\($0.value)" })
        // The child does not inherit ignored or blocked signals.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var all = sigset_t(), none = sigset_t()
        unsafe sigfillset(&all)
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group))
        var pid: pid_t = 0
        let status = unsafe posix_spawn(&pid, path, &actions, &attributes, argv.pointers, envp.pointers)
        guard status == 0 else { throw SystemError("start the program", number: status) }
        return pid
    }

}

/// A null-terminated list of C strings, freed at the end of its life.
@unsafe
private final class CStrings {
    private(set) var pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) {
        unsafe pointers = strings.map { unsafe strdup($0) } + [nil]
    }

    deinit {
        unsafe pointers.forEach { unsafe free($0) }
    }
}

/// A pipe that children do not inherit by default.
public enum Pipe {
    /// Creates a pipe. The caller closes both ends.
    ///
    /// - Throws: ``SystemError``.
    public static func make() throws(SystemError) -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        // With one call, not two: a child that another thread starts in between would inherit the ends, and the reader
        // would wait for that child.
        try systemCall("create a pipe") { unsafe pipe2(&ends, O_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
