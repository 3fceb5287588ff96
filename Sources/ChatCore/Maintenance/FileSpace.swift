public import ByteCoding
public import JSONCoding
import SystemIO

/// The number of files in a folder, and the space that they use.
public struct FileSpace: Hashable, Sendable, JSONObjectCodable {
    public let count: Int
    /// In bytes.
    public let size: Int

    public init(count: Int, size: Int) {
        self.count = count
        self.size = size
    }

    /// Looks at a folder, which may not exist. A file that is removed meanwhile does not count.
    init(of folder: String) throws(SystemError) {
        var count = 0, size = 0
        for name in Files.isFolder(folder) ? try Files.names(in: folder) : [] {
            guard let status = try? Files.status("\(folder)/\(name)"), status.isRegular else { continue }
            count += 1
            size += status.size
        }
        self.init(count: count, size: size)
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(count: try fields.count("count"), size: try fields.count("size"))
    }

    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("count", count)
        fields.set("size", size)
        return fields
    }
}
