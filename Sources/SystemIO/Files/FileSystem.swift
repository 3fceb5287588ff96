import CLinux
import Glibc

/// The file system of a file.
public struct FileSystem: Hashable, Sendable {
    /// The kernel's number of its kind (statfs(2)).
    public let kind: UInt32

    /// The kinds whose files other machines change without our locks and shared memory: NFS, CIFS, SMB, SMB2, AFS
    /// (two), Coda, Ceph, GFS2, OCFS2, Lustre.
    private static let remoteKinds: Set<UInt32> = [
        0x6969, 0xff53_4d42, 0x517b, 0xfe53_4d42, 0x5346_414f, 0x6b41_4653, 0x7375_7245, 0x00c3_6400, 0x0116_1970,
        0x7461_636f, 0x0bd0_0bd0,
    ]

    /// Reads the file system of an open file.
    ///
    /// - Throws: ``SystemError``.
    public init(of file: borrowing FileDescriptor) throws(SystemError) {
        var status = statfs()
        let number = file.number
        try systemCall("look at the file system") { unsafe fstatfs(number, &status) }
        kind = UInt32(truncatingIfNeeded: status.f_type)
    }

    /// True if other machines may access the same files.
    public var isRemote: Bool { FileSystem.remoteKinds.contains(kind) }
}
