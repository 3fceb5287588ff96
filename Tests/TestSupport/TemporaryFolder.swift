import SystemIO

/// A private folder that is removed at the end of its life.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        path = try Files.createTemporaryFolder(in: "/tmp", prefix: "tacit-test-")
    }

    /// Writes a new file.
    public static func write(_ bytes: [UInt8], to path: String) throws {
        try Files.create(path, bytes)
    }

    deinit {
        try? Files.removeTree(path)
    }
}
