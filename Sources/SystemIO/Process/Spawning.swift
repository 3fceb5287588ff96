import CLinux
import Glibc

/// What all child processes have in common.
enum Spawning {
    /// Starts `path` with exactly these arguments (the first is the program's name) and environment.
    ///
    /// - Parameters:
    ///   - input: What the child reads; nothing if nil.
    ///   - output: Where its standard output goes.
    ///   - errors: Where its standard error goes.
    ///   - leadsGroup: Whether it is the first of a new process group, which can be ended with all that it starts.
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
        // Signals that this process ignores or blocks are none of the child's business.
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

/// A pipe that no child inherits unless it is given to it.
public enum Pipe {
    /// Makes one. Both ends are the caller's to close.
    public static func make() throws(SystemError) -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        // At once, not with a second call: a child that another thread starts in between would inherit the ends, and the
        // reader would wait for that child too.
        try systemCall("create a pipe") { unsafe pipe2(&ends, O_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
