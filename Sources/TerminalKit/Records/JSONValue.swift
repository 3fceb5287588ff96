/// A value of JSON as tacit writes it. There is no null, for what is unknown is left out, and no fractions.
public enum JSONValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case boolean(Bool)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    public init(booleanLiteral value: Bool) {
        self = .boolean(value)
    }

    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }
}

/// A JSON object that keeps the order of its fields.
public struct JSONObject: Hashable, Sendable {
    private var fields: [(name: String, value: JSONValue)] = []

    /// No fields.
    public init() {}

    /// An object of the contract: its version and its type come first.
    public init(type: String) {
        self["v"] = 1
        self["type"] = .string(type)
    }

    public var isEmpty: Bool { fields.isEmpty }

    /// The names in their order.
    public var names: [String] { fields.map(\.name) }

    /// A field. A new one goes to the end; nil takes the field out.
    public subscript(name: String) -> JSONValue? {
        get { fields.first { $0.name == name }?.value }
        set {
            let index = fields.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): fields[index].value = value
            case (let index?, nil): fields.remove(at: index)
            case (nil, let value?): fields.append((name, value))
            case (nil, nil): break
            }
        }
    }

    /// Sets a field to a text; nil leaves it out.
    public mutating func set(_ name: String, _ value: String?) {
        self[name] = value.map { .string($0) }
    }

    /// Sets a field to a number; nil leaves it out.
    public mutating func set(_ name: String, _ value: (some BinaryInteger)?) {
        self[name] = value.map { .integer(Int64(clamping: $0)) }
    }

    /// Sets a field to true or false; nil leaves it out.
    public mutating func set(_ name: String, _ value: Bool?) {
        self[name] = value.map { .boolean($0) }
    }

    /// Sets a field to a list of texts.
    public mutating func set(_ name: String, _ values: [String]) {
        self[name] = .array(values.map { .string($0) })
    }

    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.fields.elementsEqual(right.fields) { $0 == $1 }
    }

    public func hash(into hasher: inout Hasher) {
        for field in fields {
            hasher.combine(field.name)
            hasher.combine(field.value)
        }
    }

    /// Calls `body` for each field in order.
    func forEach(_ body: (String, JSONValue) -> Void) {
        for field in fields { body(field.name, field.value) }
    }
}
