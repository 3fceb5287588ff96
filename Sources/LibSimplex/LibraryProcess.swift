import COpenSSL
import Glibc
import Synchronization

/// The process that loaded the library.
enum LibraryProcess {
    /// The id of the process that opened the first store; 0 before.
    private static let owner = Atomic<pid_t>(0)

    /// OpenSSL frees its tables when the process exits, while sessions may still use them. The process ends without it.
    private static let keepsTables: Void = {
        _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }()

    /// Prepares the first call.
    static func prepare() {
        _ = keepsTables
    }

    /// Notes that this process has a store open.
    static func own() {
        _ = owner.compareExchange(expected: 0, desired: getpid(), ordering: .sequentiallyConsistent)
    }

    /// True in a child that was made with fork(2) after a store was opened. Only the thread that called fork exists in it, so
    /// no command would ever be answered, and a lock that another thread held stays locked.
    static var isForked: Bool {
        let owner = owner.load(ordering: .sequentiallyConsistent)
        return owner != 0 && owner != getpid()
    }
}
