import CLinux
import Glibc

/// Short secrets in the kernel for the processes of this user, with an expiry time (keyrings(7)). They are never
/// written to a disk, except with the whole memory on hibernation.
public enum KernelKeyring {
    /// The keyring of the user, shared by all sessions (`KEY_SPEC_USER_KEYRING`).
    private static let user: Int32 = -4
    /// The permissions of the owner to view, read, write, search and set the timeout of the key, also from a session
    /// without a link to the keyring, such as cron's.
    private static let permissions: UInt = 0x3f2f_0000
    private static let largest = 1024

    /// Stores a secret for `duration`, replacing one of the same name.
    ///
    /// - Throws: A ``SystemError``, with ENOSYS or EPERM if the keyring is not accessible, as in many containers.
    @unsafe
    public static func keep(
        _ secret: UnsafeRawBufferPointer, as name: String, for duration: Duration
    ) throws(SystemError) {
        let operation: StaticString = "use the kernel keyring"
        let key = try systemCall(operation) {
            unsafe Int32(truncatingIfNeeded: tacit_add_key(name, secret.baseAddress, secret.count, user))
        }
        do throws(SystemError) {
            try systemCall(operation) { Int(tacit_keyctl(KEYCTL_SETPERM, key, permissions)) }
            let seconds = min(max(1, duration.components.seconds), Int64(UInt32.max))
            try systemCall(operation) { Int(tacit_keyctl(KEYCTL_SET_TIMEOUT, key, UInt(seconds))) }
        } catch {
            // SECURITY: without an expiry time the key would stay permanently.
            forget(name)
            throw error
        }
    }

    /// Lends the secret of a name to `body`, or returns nil without the secret or a keyring.
    public static func withSecret<Result>(_ name: String, _ body: (RawSpan) -> Result) -> Result? {
        let key = unsafe tacit_search_key(user, name)
        guard key > 0 else { return nil }
        return unsafe withUnsafeTemporaryAllocation(byteCount: largest, alignment: 16) { buffer in
            defer { if let start = buffer.baseAddress { unsafe explicit_bzero(start, buffer.count) } }
            let count = unsafe tacit_read_key(Int32(truncatingIfNeeded: key), buffer.baseAddress, buffer.count)
            guard count >= 0, count <= largest else { return nil }
            return unsafe body(UnsafeRawBufferPointer(rebasing: buffer[..<Int(count)]).bytes)
        }
    }

    /// Removes the secret of a name. Returns true if there was one.
    @discardableResult
    public static func forget(_ name: String) -> Bool {
        let key = unsafe tacit_search_key(user, name)
        guard key > 0 else { return false }
        let number = Int32(truncatingIfNeeded: key)
        // Invalidating removes the key from all keyrings at once; older kernels revoke.
        if tacit_keyctl(KEYCTL_INVALIDATE, number, 0) == 0 { return true }
        return tacit_keyctl(KEYCTL_REVOKE, number, 0) == 0
    }
}
