public import ByteCoding
import FoundationEssentials
public import JSONCoding

/// JSON read by somebody else's reader, to compare ours with.
public struct ForeignJSON: Decodable {
    public let value: JSONValue

    public init(_ bytes: Bytes) throws {
        self = try JSONDecoder().decode(ForeignJSON.self, from: Data(bytes))
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(String.self) {
            self.value = .string(value)
        } else if let fields = try? container.decode([String: ForeignJSON].self) {
            var object = JSONObject()
            for (name, field) in fields { object[name] = field.value }
            value = .object(object)
        } else if let values = try? container.decode([ForeignJSON].self) {
            value = .array(values.map(\.value))
        } else if container.decodeNil() {
            value = .null
        } else if let value = try? container.decode(Bool.self) {
            self.value = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self.value = .integer(value)
        } else if let value = JSONNumber(try container.decode(Double.self)) {
            self.value = .number(value)
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a JSON number")
        }
    }
}
