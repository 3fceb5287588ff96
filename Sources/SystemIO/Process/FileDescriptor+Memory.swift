import CLinux
import Glibc

extension FileDescriptor {
    /// A file that is in memory only, has these contents and is read from its beginning (see memfd_create(2)).
    public init(inMemory bytes: [UInt8]) throws(SystemError) {
        let number = try systemCall("lend the input") { unsafe memfd_create("input", MFD_CLOEXEC) }
        let file = FileDescriptor(owning: number)
        try file.write(bytes, "lend the input")
        try systemCall("lend the input") { lseek(number, 0, SEEK_SET) }
        self.init(owning: file.release())
    }
}
