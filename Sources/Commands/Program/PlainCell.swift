package import JSONCoding

/// What one column of a plain record holds: the value of a field as text, never as JSON.
///
/// A list has a line for each of its elements. An object has a line `NAME=VALUE` for each of its fields, with the names of inner
/// objects before a dot, and an empty line between the objects of a list. The record itself writes line breaks as `\n`.
package enum PlainCell {
    /// The text of a field of an object; empty if it is missing. A name such as `lock.pid` leads to a field of an inner object,
    /// and of each object of a list.
    package static func text(of name: String, in object: JSONObject) -> String {
        if let value = object[name] { return text(of: value) }
        var values: [JSONValue] = [.object(object)]
        for step in name.split(separator: ".", omittingEmptySubsequences: false) {
            values = values.flatMap { $0.array ?? [$0] }.compactMap { $0.object?[String(step)] }
        }
        return values.map(text).joined(separator: "\n")
    }

    private static func text(of value: JSONValue) -> String {
        if let elements = value.array {
            let areObjects = elements.contains { $0.object != nil }
            return elements.map(text).joined(separator: areObjects ? "\n\n" : "\n")
        }
        guard value.object != nil else { return scalar(value) }
        return lines(of: value, below: "").joined(separator: "\n")
    }

    /// A line for each value inside of another one.
    private static func lines(of value: JSONValue, below path: String) -> [String] {
        if let object = value.object {
            return object.names.flatMap { name in
                object[name].map { lines(of: $0, below: path.isEmpty ? name : "\(path).\(name)") } ?? []
            }
        }
        if let elements = value.array { return elements.flatMap { lines(of: $0, below: path) } }
        return ["\(path)=\(scalar(value))"]
    }

    private static func scalar(_ value: JSONValue) -> String { value.string ?? value.line }
}
