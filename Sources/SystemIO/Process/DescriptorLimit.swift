import Glibc

/// The limit of open descriptors in this process.
public enum DescriptorLimit {
    /// Raises the limit as far as the system allows without privileges (getrlimit(2)), and returns the limit.
    ///
    /// The initial limit, often 1024, is low for the sake of select(2), which tacit does not use.
    public static func raise() -> Int {
        var limits = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limits) == 0 else { return 1024 }
        let former = limits.rlim_cur
        limits.rlim_cur = limits.rlim_max
        if unsafe setrlimit(resource, &limits) != 0 { limits.rlim_cur = former }
        return Int(clamping: limits.rlim_cur)
    }
}
