import CLinux
import Glibc

/// Runs calls that wait (looking up a host name) on a thread of their own, so that neither the loop nor Swift's
/// cooperative threads stand still.
public enum WorkerThread {
    /// Calls `body` on a new thread.
    public static func start(_ body: @escaping @Sendable () -> Void) {
        let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, box)
        guard status != 0 else { return }
        // Without a thread the call is made here: slower for everybody, but nobody waits for ever.
        unsafe Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body()
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
