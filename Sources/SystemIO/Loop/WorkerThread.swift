import CLinux
import Glibc

/// Blocking calls (such as resolving a host) on separate threads, so that neither the loop nor Swift's cooperative
/// threads block.
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
        // Without a thread the call is made here: slower, but without blocking permanently.
        unsafe Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body()
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
