/// A JSON object with the order of its fields.
///
/// The order is for human readers: objects with the same fields are equal. As everywhere in Swift, canonically
/// equivalent names are equal.
public struct JSONObject: Hashable, Sendable {
    /// The names in order.
    public private(set) var names: [String] = []
    /// The values in the order of their names.
    private var values: [JSONValue] = []
    /// The indices of the names in an object with many fields. Most objects are small, and comparing a few names costs
    /// less than hashing one.
    private var places: [String: Int]?

    private static let manyNames = 16

    /// Creates an empty object.
    public init() {}

    /// True if there are no fields.
    public var isEmpty: Bool { names.isEmpty }

    /// The value of a field. Setting appends a new field, replaces a known one in place, or removes it with nil.
    public subscript(name: String) -> JSONValue? {
        get { place(of: name).map { values[$0] } }
        set {
            switch (place(of: name), newValue) {
            case (let place?, let value?): values[place] = value
            case (let place?, nil): remove(at: place)
            case (nil, let value?): append(name, value)
            case (nil, nil): break
            }
        }
    }

    /// Returns a field with its index.
    func field(_ name: String) -> (place: Int, value: JSONValue)? {
        place(of: name).map { ($0, values[$0]) }
    }

    /// Returns the fields at the included indices.
    func filter(_ isIncluded: (Int) -> Bool) -> JSONObject {
        var filtered = JSONObject()
        for place in names.indices where isIncluded(place) { filtered.append(names[place], values[place]) }
        return filtered
    }

    private func place(of name: String) -> Int? {
        if let places { places[name] } else { names.firstIndex(of: name) }
    }

    private mutating func append(_ name: String, _ value: JSONValue) {
        names.append(name)
        values.append(value)
        if places != nil {
            places?[name] = names.count - 1
        } else if names.count > JSONObject.manyNames {
            indexNames()
        }
    }

    private mutating func remove(at place: Int) {
        names.remove(at: place)
        values.remove(at: place)
        if places != nil { indexNames() }
    }

    private mutating func indexNames() {
        places = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    }

    /// Sets a field to a text; nil omits it.
    public mutating func set(_ name: String, _ value: String?) {
        self[name] = value.map { .string($0) }
    }

    /// Sets a field to a number, or to the nearest 64-bit integer; nil omits it.
    public mutating func set(_ name: String, _ value: (some BinaryInteger)?) {
        self[name] = value.map { .integer(Int64(clamping: $0)) }
    }

    /// Sets a field to a Boolean; nil omits it.
    public mutating func set(_ name: String, _ value: Bool?) {
        self[name] = value.map { .bool($0) }
    }

    /// Sets a field to a list of texts.
    public mutating func set(_ name: String, _ values: [String]) {
        self[name] = .array(values.map { .string($0) })
    }

    /// Sets a field to an inner object; nil omits it.
    public mutating func set(_ name: String, _ value: (some JSONObjectCodable)?) {
        self[name] = value?.json
    }

    /// Returns the object with the fields of another one, which take precedence.
    public func merging(_ other: JSONObject) -> JSONObject {
        var merged = self
        for name in other.names { merged[name] = other[name] }
        return merged
    }

    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.names.count == right.names.count
            && zip(left.names, left.values).allSatisfy { name, value in right[name] == value }
    }

    public func hash(into hasher: inout Hasher) {
        // The hash does not depend on the order of the fields.
        var sum = 0
        for (name, value) in zip(names, values) {
            var inner = hasher
            inner.combine(name)
            inner.combine(value)
            sum &+= inner.finalize()
        }
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object. The last of repeated names counts.
    public init(dictionaryLiteral fields: (String, JSONValue)...) {
        for (name, value) in fields { self[name] = value }
    }
}
