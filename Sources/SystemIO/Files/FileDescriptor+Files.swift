import Glibc

extension FileDescriptor {
    /// What the system knows about the open file.
    public borrowing func status() throws(SystemError) -> FileStatus {
        var status = Glibc.stat()
        try systemCall("look at the file") { unsafe fstat(number, &status) }
        return FileStatus(status)
    }

    /// The size of the open file in bytes.
    public borrowing func size() throws(SystemError) -> Int {
        try status().size
    }

    /// Up to `count` bytes from `offset` on, wherever the descriptor stands (see pread(2)); fewer only at the end.
    public borrowing func read(
        _ count: Int, at offset: Int, _ operation: StaticString = "read the file"
    ) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemError) {
                while filled < count {
                    let rest = unsafe UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                    let part = try systemCall(operation) {
                        unsafe pread(number, rest.baseAddress, rest.count, offset + filled)
                    }
                    if part == 0 { return }
                    filled += part
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
