import SystemIO

/// A private folder that is removed at the end of its life.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        path = try Files.createTemporaryFolder(in: "/tmp", prefix: "tacit-test-")
    }

    deinit {
        try? Files.removeTree(path)
    }
}
