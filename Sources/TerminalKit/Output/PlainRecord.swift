public import JSONCoding

/// One record of the `--plain` format: fields separated by tabs, escaped so that no field can break out of its place.
///
/// Tab, line break and backslash are `\t`, `\n` and `\\`, carriage return is `\r`, and every other control character is
/// `\x` and two digits, so the format is safe on a terminal and every byte can be told.
public struct PlainRecord: Hashable, Sendable {
    private let fields: [String]

    /// What ends a record: a line break, or the NUL byte of `-0`.
    public enum Terminator: String, Hashable, Sendable {
        case newline = "\n"
        case nul = "\0"
    }

    public init(_ fields: [String]) {
        self.fields = fields
    }

    /// The record with its end.
    public func text(endingWith terminator: Terminator = .newline) -> String {
        fields.map(PlainRecord.escape).joined(separator: "\t") + terminator.rawValue
    }

    private static func escape(_ field: String) -> String {
        var result = ""
        for scalar in field.unicodeScalars {
            if scalar == "\\" {
                result += "\\\\"
            } else if scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value) {
                result += Escaping.escape(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension JSONObject {
    /// An object of the contract with scripts: its version and its type come first.
    public init(type: String) {
        self = ["v": 1, "type": .string(type)]
    }
}
