public import Glibc

/// A file descriptor with one owner, closed at the end of its life.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The number, for calls that borrow the descriptor.
    public let number: Int32

    /// Takes ownership of an open descriptor.
    public init(owning number: Int32) {
        self.number = number
    }

    /// Opens a file (open(2)) with `O_CLOEXEC`, so that no child inherits the descriptor.
    ///
    /// - Throws: ``SystemError``.
    public init(
        opening path: String, _ flags: Int32, mode: mode_t = 0o600, _ operation: StaticString = "open the file"
    ) throws(SystemError) {
        number = try systemCall(operation) { unsafe open(path, flags | O_CLOEXEC, mode) }
    }

    /// Opens an existing file for reading.
    ///
    /// - Throws: ``SystemError``.
    public init(reading path: String) throws(SystemError) {
        try self.init(opening: path, O_RDONLY)
    }

    /// Opens an existing file for reading, without waiting for the writer of a named pipe.
    ///
    /// - Throws: ``SystemError``.
    public init(readingAtOnce path: String, _ operation: StaticString = "open the file") throws(SystemError) {
        try self.init(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY, operation)
    }

    /// Opens a file for appending, and creates it, for this user only, if it does not exist.
    ///
    /// - Throws: ``SystemError``.
    public init(appendingTo path: String) throws(SystemError) {
        try self.init(opening: path, O_WRONLY | O_APPEND | O_CREAT)
    }

    /// Opens a file for reading and writing anywhere, and creates it, for this user only, if it does not exist. The
    /// content of an existing file stays.
    ///
    /// - Throws: ``SystemError``.
    public init(creating path: String) throws(SystemError) {
        try self.init(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, "create the file")
    }

    /// Duplicates a descriptor with another owner (dup(2)).
    ///
    /// - Throws: ``SystemError``.
    public init(copying number: Int32) throws(SystemError) {
        self.number = try systemCall("copy the descriptor") { fcntl(number, F_DUPFD_CLOEXEC, 0) }
    }

    deinit {
        close(number)
    }

    /// Releases ownership without closing, and returns the number.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Writes all of `bytes`. Blocks if the file does.
    ///
    /// - Throws: ``SystemError``.
    public borrowing func write(_ bytes: [UInt8], _ operation: StaticString = "write") throws(SystemError) {
        var written = 0
        while written < bytes.count {
            written += try systemCall(operation) {
                unsafe bytes[written...].withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            }
        }
    }

    /// Reads up to `limit` bytes; empty at the end of the file.
    ///
    /// - Throws: ``SystemError``.
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

    /// Reads up to the end of the file.
    ///
    /// - Throws: ``SystemError``, with ``SystemError/tooLong`` above `limit` bytes.
    public borrowing func readAll(limit: Int, _ operation: StaticString = "read") throws(SystemError) -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let part = try read(min(65536, limit + 1 - all.count), operation)
            if part.isEmpty { return all }
            all += part
            guard all.count <= limit else { throw SystemError(operation, number: EFBIG) }
        }
    }

    /// Lends the bytes up to the end of the file to `body` and wipes the memory afterwards. For secrets.
    ///
    /// - Throws: ``SystemError``, with ``SystemError/tooLong`` above `limit` bytes.
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

    /// Waits until all written bytes are on the disk (fsync(2)).
    ///
    /// - Throws: ``SystemError``.
    public borrowing func synchronize() throws(SystemError) {
        try systemCall("write to the disk") { fsync(number) }
    }
}

extension FileDescriptor {
    /// Returns the status of the open file (fstat(2)).
    ///
    /// - Throws: ``SystemError``.
    public borrowing func status() throws(SystemError) -> FileStatus {
        var status = Glibc.stat()
        try systemCall("look at the file") { unsafe fstat(number, &status) }
        return FileStatus(status)
    }

    /// Returns the size of the open file in bytes.
    ///
    /// - Throws: ``SystemError``.
    public borrowing func size() throws(SystemError) -> Int {
        try status().size
    }

    /// Reads up to `count` bytes from `offset` on, without moving the position (pread(2)); fewer only at the end.
    ///
    /// - Throws: ``SystemError``.
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

extension FileDescriptor {
    /// Writes all of `bytes` from `offset` on, without moving the position (pwrite(2)).
    ///
    /// - Throws: ``SystemError``.
    public borrowing func write(
        _ bytes: [UInt8], at offset: Int, _ operation: StaticString = "write the file"
    ) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            written += try systemCall(operation) {
                unsafe bytes[written...].withUnsafeBytes {
                    unsafe pwrite(number, $0.baseAddress, $0.count, offset + written)
                }
            }
        }
    }

    /// Sets the size of the file (ftruncate(2)); a larger file has zero bytes at its end.
    ///
    /// - Throws: ``SystemError``.
    public borrowing func resize(to size: Int) throws(SystemError) {
        try systemCall("set the size of the file") { ftruncate(number, size) }
    }
}
