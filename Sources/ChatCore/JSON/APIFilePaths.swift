public import JSONCoding
import Synchronization

/// The paths of files for a program that uses the API: absolute until the program sets a folder for files, as in the official
/// core.
public final class APIFilePaths: Sendable {
    private let folder: String
    private let isRelative = Mutex(false)

    /// - Parameter folder: The store whose folder for files counts.
    public init(_ folder: StoreFolder) {
        self.folder = folder.files
    }

    /// Takes note of a command that was carried out.
    public func note(_ command: any ChatCommand) {
        guard command is SetFilesFolder || command is SetFilePaths else { return }
        isRelative.withLock { $0 = true }
    }

    /// Returns an answer or an event with the paths for the program.
    public func apply(to object: JSONObject) -> JSONObject {
        isRelative.withLock { $0 } ? object : absolute(object)
    }

    private func absolute(_ object: JSONObject) -> JSONObject {
        var object = object
        for name in object.names {
            guard let value = object[name] else { continue }
            if name == "fileSource", var source = value.object, let path = source["filePath"]?.string, !path.isEmpty {
                if !path.hasPrefix("/") { source["filePath"] = .string("\(folder)/\(path)") }
                object[name] = .object(source)
            } else {
                object[name] = absolute(value)
            }
        }
        return object
    }

    private func absolute(_ value: JSONValue) -> JSONValue {
        if let object = value.object { return .object(absolute(object)) }
        if let array = value.array { return .array(array.map(absolute)) }
        return value
    }
}
