/// The fields of a JSON object, in the order in which they were added.
///
/// The order is for people who read the text, and means nothing: objects with the same fields are equal. As everywhere
/// in Swift, names are the same when they are canonically equivalent.
public struct JSONObject: Hashable, Sendable {
    /// The names in their order.
    public private(set) var names: [String] = []
    private var values: [String: JSONValue] = [:]

    /// No fields.
    public init() {}

    public var isEmpty: Bool { names.isEmpty }

    /// A field. A new one goes to the end, a known one stays in its place; nil takes the field out.
    public subscript(name: String) -> JSONValue? {
        get { values[name] }
        set {
            let oldValue = values[name]
            values[name] = newValue
            if oldValue == nil, newValue != nil {
                names.append(name)
            } else if oldValue != nil, newValue == nil {
                names.removeAll { $0 == name }
            }
        }
    }

    /// Sets a field to a text; nil leaves it out.
    public mutating func set(_ name: String, _ value: String?) {
        self[name] = value.map { .string($0) }
    }

    /// Sets a field to a number, or to the nearest of 64 bits; nil leaves it out.
    public mutating func set(_ name: String, _ value: (some BinaryInteger)?) {
        self[name] = value.map { .integer(Int64(clamping: $0)) }
    }

    /// Sets a field to true or false; nil leaves it out.
    public mutating func set(_ name: String, _ value: Bool?) {
        self[name] = value.map { .bool($0) }
    }

    /// Sets a field to a list of texts.
    public mutating func set(_ name: String, _ values: [String]) {
        self[name] = .array(values.map { .string($0) })
    }

    /// Sets a field to an inner object; nil leaves it out.
    public mutating func set(_ name: String, _ value: (some JSONObjectCodable)?) {
        self[name] = value?.json
    }

    /// The object with the fields of another one, whose values win.
    public func merging(_ other: JSONObject) -> JSONObject {
        var merged = self
        for name in other.names { merged[name] = other[name] }
        return merged
    }

    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.values == right.values
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Of several values for one name the last counts.
    public init(dictionaryLiteral fields: (String, JSONValue)...) {
        for (name, value) in fields { self[name] = value }
    }
}
