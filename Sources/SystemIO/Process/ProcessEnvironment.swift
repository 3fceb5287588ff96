import Glibc

/// What a process is born with.
public enum ProcessEnvironment {
    /// The number of this process.
    public static var processID: Int32 { getpid() }

    /// The number of the user whose rights this process has.
    public static var userID: UInt32 { geteuid() }

    /// The environment variables. Of a variable that is set twice the first value counts, as in getenv(3).
    public static func variables() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let pair = unsafe String(cString: text).utf8
            if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
                let name = String(decoding: pair[..<equals], as: UTF8.self)
                if variables[name] == nil {
                    variables[name] = String(decoding: pair[pair.index(after: equals)...], as: UTF8.self)
                }
            }
            unsafe entry += 1
        }
        return variables
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
    public static func protect() {
        umask(0o077)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
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
