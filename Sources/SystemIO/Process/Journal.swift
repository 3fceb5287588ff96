import Glibc

/// The journal of systemd.
public enum Journal {
    /// True if what is written to a descriptor goes straight to the journal, which has times of its own and reads the level of a line
    /// from its beginning (`<4>`, sd-daemon(3)).
    ///
    /// - Parameter environment: `JOURNAL_STREAM` names the device and the inode of the stream (systemd.exec(5)).
    public static func receives(_ descriptor: Int32, environment: [String: String]) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"] else { return false }
        var status = Glibc.stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
