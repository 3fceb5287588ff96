public import Glibc

/// A file descriptor with one owner. It is closed at the end of its life.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The number, for calls that lend it.
    public let number: Int32

    /// Takes over an open descriptor.
    public init(owning number: Int32) {
        self.number = number
    }

    /// Opens a file (see open(2)); always with `O_CLOEXEC`, so that no child inherits it.
    public init(
        opening path: String, _ flags: Int32, mode: mode_t = 0o600, _ operation: StaticString = "open the file"
    ) throws(SystemError) {
        number = try systemCall(operation) { unsafe open(path, flags | O_CLOEXEC, mode) }
    }

    /// Opens an existing file for reading.
    public init(reading path: String) throws(SystemError) {
        try self.init(opening: path, O_RDONLY)
    }

    /// Opens an existing file for reading, without waiting for who writes into a pipe of that name.
    public init(readingAtOnce path: String, _ operation: StaticString = "open the file") throws(SystemError) {
        try self.init(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY, operation)
    }

    /// Opens a file for writing behind its end, and makes it, for this user only, if it is not there.
    public init(appendingTo path: String) throws(SystemError) {
        try self.init(opening: path, O_WRONLY | O_APPEND | O_CREAT)
    }

    /// Another descriptor for what a descriptor of somebody else stands for (see dup(2)).
    public init(copying number: Int32) throws(SystemError) {
        self.number = try systemCall("copy the descriptor") { fcntl(number, F_DUPFD_CLOEXEC, 0) }
    }

    deinit {
        close(number)
    }

    /// Gives up ownership without closing.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Writes all of `bytes`.
    public borrowing func write(_ bytes: [UInt8], _ operation: StaticString = "write") throws(SystemError) {
        var written = 0
        while written < bytes.count {
            written += try systemCall(operation) {
                unsafe bytes[written...].withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            }
        }
    }

    /// Up to `limit` bytes; empty at the end of the file.
    public borrowing func read(_ limit: Int, _ operation: StaticString = "read") throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            do throws(SystemError) {
                count = try systemCall(operation) { unsafe Glibc.read(number, buffer.baseAddress, limit) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Everything up to the end of the file, if that is at most `limit` bytes.
    public borrowing func readAll(limit: Int, _ operation: StaticString = "read") throws(SystemError) -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let part = try read(min(65536, limit + 1 - all.count), operation)
            if part.isEmpty { return all }
            all += part
            guard all.count <= limit else { throw SystemError(operation, number: EFBIG) }
        }
    }

    /// Lends everything up to the end of the file, at most `limit` bytes, to `body`, and wipes the memory afterwards. For
    /// secrets.
    public borrowing func withContents<Result>(
        limit: Int, _ operation: StaticString = "read", _ body: (RawSpan) -> Result
    ) throws(SystemError) -> Result {
        var failure: SystemError?
        let result: Result? = unsafe withUnsafeTemporaryAllocation(byteCount: limit + 1, alignment: 16) { buffer in
            defer { if let start = buffer.baseAddress { unsafe explicit_bzero(start, buffer.count) } }
            do throws(SystemError) {
                var filled = 0
                while filled <= limit {
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                    let count = try systemCall(operation) { unsafe Glibc.read(number, rest.baseAddress, rest.count) }
                    if count == 0 { return unsafe body(UnsafeRawBufferPointer(rebasing: buffer[..<filled]).bytes) }
                    filled += count
                }
                throw SystemError(operation, number: EFBIG)
            } catch {
                failure = error
                return nil
            }
        }
        guard let result else { throw failure ?? SystemError(operation, number: EIO) }
        return result
    }

    /// Waits until everything written is on the disk.
    public borrowing func synchronize() throws(SystemError) {
        try systemCall("write to the disk") { fsync(number) }
    }
}

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
