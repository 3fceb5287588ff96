import CLinux
import Glibc

/// The inputs of the process: arguments, environment, user.
public enum ProcessEnvironment {
    /// The number of this process.
    public static var processID: Int32 { getpid() }

    /// The number of the effective user.
    public static var userID: UInt32 { geteuid() }

    /// Returns the home of the effective user in the user database (getpwuid_r(3)), or nil without an absolute path
    /// there.
    ///
    /// The database may be a server on the network: call this only if `HOME` is not set.
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

    /// Returns the arguments after the program's name. Nil stands for an argument that is not UTF-8.
    public static func arguments() -> [String?] {
        (1..<max(Int(CommandLine.argc), 1)).map { index in
            unsafe CommandLine.unsafeArgv[index].flatMap { unsafe String(validatingCString: $0) }
        }
    }

    /// The last part of the name by which the program was started: that of a link, if it is one.
    public static var programName: String {
        guard CommandLine.argc > 0, let name = unsafe CommandLine.unsafeArgv[0] else { return "" }
        return unsafe String(cString: name).split(separator: "/").last.map(String.init) ?? ""
    }

    /// Lends the value of an option to `body` (`-k KEY`, `-kKEY`, `--key KEY`, `--key=KEY`), and overwrites it in the command line,
    /// which other users can read in `/proc`. The last of several counts. Must be called before ``arguments()``.
    public static func overwriteOption<Result>(
        _ letter: Character, _ name: String, _ body: (RawSpan) -> Result
    ) -> Result? {
        var result: Result?
        var isValue = false
        for index in 1..<max(Int(CommandLine.argc), 1) {
            guard let word = unsafe CommandLine.unsafeArgv[index] else { continue }
            let text = unsafe String(cString: word)
            let start: Int
            if isValue {
                start = 0
            } else if text.hasPrefix("--\(name)=") {
                start = name.utf8.count + 3
            } else if text.hasPrefix("-\(letter)"), text.utf8.count > 2 {
                start = 2
            } else {
                isValue = text == "-\(letter)" || text == "--\(name)"
                continue
            }
            isValue = false
            let value = unsafe word + start
            let size = unsafe strlen(value)
            result = unsafe body(UnsafeRawBufferPointer(start: value, count: size).bytes)
            unsafe memset(value, Int32(UInt8(ascii: "x")), size)
        }
        return result
    }

    /// Returns a path that is the same in every folder.
    public static func absolutePath(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        let folder = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = unsafe getcwd(buffer.baseAddress, buffer.count) else { return "" }
            return unsafe String(cString: start)
        }
        return folder.isEmpty ? path : folder == "/" ? "/\(path)" : "\(folder)/\(path)"
    }

    /// Returns the environment variables with values in UTF-8.
    public static func variables() -> [String: String] { allVariables().compactMapValues(\.self) }

    /// Returns the environment variables; nil stands for a value that is not UTF-8. The first of repeated variables
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

    /// Lends the value of a variable to `body`, without a copy. Returns nil for an unset variable, or one that is not
    /// UTF-8.
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

    /// Removes a variable, for this process and its children, and overwrites its value, which the user's other
    /// processes could read in `/proc`. Must not be called while other threads run.
    public static func remove(_ name: String) {
        while let value = unsafe getenv(name) {
            unsafe explicit_bzero(value, strlen(value))
            guard unsafe unsetenv(name) == 0 else { return }
        }
    }

    /// Restricts new files and folders to the user, and disables core dumps.
    ///
    /// Other processes of the user cannot read the memory of this one or attach to it (`PR_SET_DUMPABLE` in prctl(2)),
    /// except in a debug build, which is open to debuggers.
    public static func protect() {
        umask(0o077)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #if !DEBUG
            _ = tacit_forbid_dumps()
        #endif
    }

    /// Occupies the standard streams that the process was started without. Otherwise an opened file could get such a
    /// number, and output would go into the file. Reading and writing there fail as before.
    public static func occupyStandardStreams() {
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Makes the heap grow in large steps and release little: most commands end soon, and requesting memory again costs
    /// more than all their other system calls.
    public static func keepFreedMemory() {
        mallopt(M_TOP_PAD, 1 << 20)
        // Large arrays too: otherwise each growth requests all memory again.
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        mallopt(M_TRIM_THRESHOLD, 16 << 20)
    }

    /// Returns the path of the running program.
    public static func executable() -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = unsafe readlink("/proc/self/exe", start, Int(PATH_MAX))
            guard count > 0 else { return nil }
            return String(decoding: unsafe buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
