import CLinux
import Glibc

/// What a process is born with.
public enum ProcessEnvironment {
    /// The number of this process.
    public static var processID: Int32 { getpid() }

    /// The number of the user whose rights this process has.
    public static var userID: UInt32 { geteuid() }

    /// The home of the user whose rights this process has, as the user database names it (getpwuid_r(3)); nil if the database
    /// does not know the user, or names no absolute path.
    ///
    /// The database may be a server in the network: ask only if `HOME` is not set.
    public static func homeInUserDatabase() -> String? {
        var size = 1 << 10
        while size <= 1 << 20 {
            var buffer = [CChar](repeating: 0, count: size)
            let (code, home): (Int32, String?) = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
                guard let memory = buffer.baseAddress else { return (ENOMEM, nil) }
                var entry = unsafe passwd(), found: UnsafeMutablePointer<passwd>?
                let code = unsafe getpwuid_r(geteuid(), &entry, memory, buffer.count, &found)
                guard code == 0, unsafe found != nil, let text = unsafe entry.pw_dir else { return (code, nil) }
                return (code, unsafe String(validatingCString: text))
            }
            if code == ERANGE {
                size *= 4
                continue
            }
            return home.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        return nil
    }

    /// The words of the command line behind the name of the program. Nil stands for one that is not UTF-8.
    public static func arguments() -> [String?] {
        (1..<max(Int(CommandLine.argc), 1)).map { index in
            unsafe CommandLine.unsafeArgv[index].flatMap { unsafe String(validatingCString: $0) }
        }
    }

    /// The environment variables with values in UTF-8.
    public static func variables() -> [String: String] { allVariables().compactMapValues(\.self) }

    /// The environment variables; nil stands for a value that is not UTF-8. Of a variable that is set twice the first value
    /// counts, as in getenv(3).
    public static func allVariables() -> [String: String?] {
        var variables: [String: String?] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let value = unsafe strchr(text, Int32(UInt8(ascii: "=")))
            if let value = unsafe value {
                let size = unsafe value - text
                let name = unsafe String(decoding: UnsafeRawBufferPointer(start: text, count: size), as: UTF8.self)
                if variables[name] == nil {
                    variables.updateValue(unsafe String(validatingCString: value + 1), forKey: name)
                }
            }
            unsafe entry += 1
        }
        return variables
    }

    /// Lends the value of a variable to `body`, without a copy; nil if it is not set, or not UTF-8.
    public static func withValue<Result>(of name: String, _ body: (RawSpan) -> Result) -> Result? {
        guard let value = unsafe getenv(name) else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: value, count: strlen(value))
        var decoder = UTF8(), iterator = unsafe bytes.makeIterator()
        while true {
            switch unsafe decoder.decode(&iterator) {
            case .scalarValue: continue
            case .emptyInput: return unsafe body(bytes.bytes)
            case .error: return nil
            }
        }
    }

    /// Removes a variable, for this process and all that it starts, and overwrites its value, which others of this user could
    /// read in `/proc` as long as the process runs. Not while other threads run.
    public static func remove(_ name: String) {
        while let value = unsafe getenv(name) {
            unsafe explicit_bzero(value, strlen(value))
            guard unsafe unsetenv(name) == 0 else { return }
        }
    }

    /// Files and folders created from now on are the user's alone, and a crash leaves no memory behind on the disk.
    ///
    /// Other processes of the user cannot read the memory of this one or attach to it (`PR_SET_DUMPABLE` in prctl(2)), except
    /// in a debug build, which a debugger must be able to attach to.
    public static func protect() {
        umask(0o077)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #if !DEBUG
            _ = tacit_forbid_dumps()
        #endif
    }

    /// Has a file that is opened never take the place of a standard stream that the process was started without: what is
    /// printed would go into it. Reading from what stands there instead, and writing to it, fails as it did.
    public static func occupyStandardStreams() {
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Has the heap grow in large steps, and give little back: most commands end before the system could do anything with
    /// what was freed, and asking for it again costs more than all else that they ask of the system.
    public static func keepFreedMemory() {
        mallopt(M_TOP_PAD, 1 << 20)
        // Large arrays too: otherwise each time one grows all of its memory is asked for anew.
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        mallopt(M_TRIM_THRESHOLD, 16 << 20)
    }

    /// The path of the running program.
    public static func executable() -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = unsafe readlink("/proc/self/exe", start, Int(PATH_MAX))
            guard count > 0 else { return nil }
            return String(decoding: unsafe buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
