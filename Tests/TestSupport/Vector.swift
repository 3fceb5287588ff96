public import ByteCoding
import FoundationEssentials
public import Testing

/// One recorded known answer, or a part of one: JSON with accessors for what the recordings hold.
///
/// The accessors trap when a field is missing or of another kind: a recording that changed its shape must not pass
/// silently.
public enum Vector: Sendable, Decodable, CustomTestStringConvertible {
    case null
    case boolean(Bool)
    case integer(Int64)
    case string(String)
    case array([Vector])
    case dictionary([String: Vector])

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([Vector].self) {
            self = .array(value)
        } else {
            self = .dictionary(try container.decode([String: Vector].self))
        }
    }

    /// A field that must be there, possibly as a JSON null.
    public subscript(_ key: String) -> Vector {
        guard let value = fields[key] else { fatalError("the vector has no field \(key)") }
        return value
    }

    /// A field that may be missing; a JSON null counts as missing.
    public func field(_ key: String) -> Vector? {
        guard case .dictionary(let fields) = self, let value = fields[key] else { return nil }
        if case .null = value { return nil }
        return value
    }

    public func has(_ key: String) -> Bool { field(key) != nil }

    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    public var text: String {
        guard case .string(let value) = self else { fatalError("not a text: \(self)") }
        return value
    }

    /// The bytes of a hexadecimal text.
    public var bytes: Bytes {
        guard let bytes = try? Hex.decode(text) else { fatalError("not hexadecimal: \(text)") }
        return bytes
    }

    public var int: Int { Int(int64) }

    /// A number, or the decimal text of one.
    public var int64: Int64 {
        switch self {
        case .integer(let value): return value
        case .string(let value): if let number = Int64(value) { return number }
        default: break
        }
        fatalError("not a number: \(self)")
    }

    public var bool: Bool {
        guard case .boolean(let value) = self else { fatalError("not a boolean: \(self)") }
        return value
    }

    public var list: [Vector] {
        guard case .array(let values) = self else { fatalError("not a list: \(self)") }
        return values
    }

    public var fields: [String: Vector] {
        guard case .dictionary(let fields) = self else { fatalError("not an object: \(self)") }
        return fields
    }

    /// A short name for the list of a parameterised test.
    public var testDescription: String {
        let names = ["kind", "op", "name", "what", "tag", "type", "version", "algorithm"]
        let parts = names.compactMap { name in field(name).map { "\($0)".prefix(60) } }
        return parts.isEmpty ? String("\(self)".prefix(80)) : parts.joined(separator: " ")
    }
}

extension Vector: CustomStringConvertible {
    public var description: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .string(let value): value
        case .array(let values): "\(values)"
        case .dictionary(let fields): "\(fields)"
        }
    }
}
