public import ByteCoding
import CryptoCore
import FoundationEssentials

/// The folder of known answers: `TACIT_VECTORS`, or `Tests/Vectors` of this repository.
public enum VectorFile {
    static let folder: String = ProcessInfo.processInfo.environment["TACIT_VECTORS"] ?? repositoryPath("Tests/Vectors")

    /// All cases of a recorded JSON file.
    public static func cases(_ name: String) -> [Vector] {
        struct File: Decodable { let cases: [Vector] }
        let path = "\(folder)/\(name).json"
        do {
            return try JSONDecoder().decode(File.self, from: Data(contentsOf: URL(filePath: path))).cases
        } catch {
            fatalError("cannot read the known answers \(path): \(error)")
        }
    }

    /// The cases of one kind (field `kind` or `op`). There must be some.
    public static func cases(_ name: String, kind: String) -> [Vector] {
        let found = cases(name).filter { ($0.field("kind") ?? $0.field("op"))?.text == kind }
        precondition(!found.isEmpty, "\(name).json has no cases of kind \(kind)")
        return found
    }

    /// The lines of `smp-agent-vectors.tsv` by name. Of lines with the same name (errors are numbered by position) the
    /// values are kept in order.
    public static let lines: [String: [TSVValue]] = {
        let path = "\(folder)/smp-agent-vectors.tsv"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { fatalError("cannot read \(path)") }
        var lines: [String: [TSVValue]] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { fatalError("a line of \(path) has no value: \(line)") }
            lines[String(parts[0]), default: []].append(TSVValue(text: String(parts[1])))
        }
        return lines
    }()

    /// The value of the only line with this name.
    public static func line(_ name: String) -> TSVValue {
        guard let values = lines[name], values.count == 1 else {
            fatalError("smp-agent-vectors.tsv has \(lines[name]?.count ?? 0) lines named \(name)")
        }
        return values[0]
    }

    /// The columns of the lines of any other tab-separated file.
    public static func rows(_ name: String) -> [[String]] {
        let path = "\(folder)/\(name).tsv"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { fatalError("cannot read \(path)") }
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }

    /// The bytes of a recorded file.
    public static func bytes(_ path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(filePath: "\(folder)/\(path)")))
    }

    /// A path inside of this repository.
    public static func repositoryPath(_ path: String, file: String = #filePath) -> String {
        file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/") + "/" + path
    }
}

/// A value of the tab-separated file: hexadecimal bytes, or a text in double quotes.
public struct TSVValue: Sendable {
    let text: String

    /// The bytes of the value; a quoted text stands for its UTF-8 bytes.
    public var bytes: Bytes {
        if text.hasPrefix("\"") { return Bytes(quoted.utf8) }
        guard let bytes = try? Hex.decode(text) else { fatalError("not hexadecimal: \(text)") }
        return bytes
    }

    /// The text between the quotes.
    public var quoted: String {
        precondition(text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\""), "not a quoted text: \(text)")
        return String(text.dropFirst().dropLast())
    }

    /// Some lines give a length as the hexadecimal ASCII of its digits.
    public var asciiNumber: Int {
        guard let number = Int(String(decoding: bytes, as: UTF8.self)) else { fatalError("not a number: \(text)") }
        return number
    }
}

/// A long byte string that a recording keeps as its length, hash and ends.
public struct LongBytes: Sendable {
    public let length: Int
    public let sha256: Bytes
    private let first: Bytes

    public init(_ vector: Vector) {
        length = vector["length"].int
        sha256 = vector["sha256"].bytes
        first = vector.field("first64")?.bytes ?? []
    }

    /// Whether these are the recorded bytes.
    public func matches(_ bytes: Bytes) -> Bool {
        bytes.count == length && SHA256.hash(bytes) == sha256
    }

    /// The whole string, where all of it after the start is one repeated byte; the hash says whether that is so.
    public var repeating: Bytes {
        guard let last = first.last else { fatalError("the start of the bytes is not recorded") }
        let bytes = first + Bytes(repeating: last, count: length - first.count)
        precondition(SHA256.hash(bytes) == sha256, "the recorded bytes are not a repetition")
        return bytes
    }
}

extension Vector {
    /// Bytes that are recorded in full, or as the ends of a repetition.
    public var wholeBytes: Bytes {
        if case .string = self { bytes } else { LongBytes(self).repeating }
    }
}
