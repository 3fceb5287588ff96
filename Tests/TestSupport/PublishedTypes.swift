import ByteCoding
import FoundationEssentials
public import JSONCoding

/// The types of the official API, as `Tests/Vectors/api-types.json` has them: records, unions by `type`, and closed lists of words.
///
/// What the pages of the official core describe is in `types`, `responses` and `events`; `recorded` are answers that they leave out,
/// after real ones. Fields that are not listed are allowed everywhere: clients ignore them.
public struct PublishedTypes: Sendable {
    private enum Definition: Sendable {
        case record([String: String])
        case union([String: [String: String]])
        case words(Set<String>)
    }

    public static let official = PublishedTypes()

    /// Unions of which the official core passes on what it does not know, as it came.
    private static let open: Set = ["MsgContent", "MsgReaction"]

    private let types: [String: Definition]
    private let messages: [String: [[String: String]]]

    private init() {
        struct Kind: Decodable {
            let record: [String: String]?, union: [String: [String: String]]?, `enum`: [String]?
        }
        struct File: Decodable {
            let types: [String: Kind]
            let responses, events, recorded: [String: [String: String]]
        }
        let path = "\(VectorFile.folder)/api-types.json"
        guard let data = try? Data(contentsOf: URL(filePath: path)),
            let file = try? JSONDecoder().decode(File.self, from: data)
        else {
            fatalError("cannot read the published types \(path)")
        }
        types = file.types.mapValues { kind in
            if let record = kind.record { return .record(record) }
            if let union = kind.union { return .union(union) }
            return .words(Set(kind.enum ?? []))
        }
        var messages: [String: [[String: String]]] = [:]
        for list in [file.responses, file.events, file.recorded] {
            for (type, fields) in list { messages[type, default: []].append(fields) }
        }
        self.messages = messages
    }

    /// Whether clients know a response or event of this type.
    public func knows(_ type: String) -> Bool { messages[type] != nil }

    /// What is wrong with a response or an event, with the path to it; nil for one that is as clients expect, and for one that no client
    /// knows.
    public func problem(with message: JSONObject) -> String? {
        guard let type = message["type"]?.string, let forms = messages[type] else { return nil }
        // Some names stand for a response and for an event with other fields.
        let problems = forms.map { problem(with: message, $0, type) }
        return problems.contains(nil) ? nil : problems.compactMap(\.self).first
    }

    /// What is wrong with a value of a type; nil if nothing is.
    public func problem(with value: JSONValue?, as type: String) -> String? {
        problem(with: value, type, type)
    }

    private func problem(with object: JSONObject, _ fields: [String: String], _ path: String) -> String? {
        for (name, type) in fields.sorted(by: { $0.key < $1.key }) {
            if let problem = problem(with: object[name], type, "\(path).\(name)") { return problem }
        }
        return nil
    }

    private func problem(with value: JSONValue?, _ type: String, _ path: String) -> String? {
        if type.hasSuffix("?") {
            return value == nil || value == .null ? nil : problem(with: value, String(type.dropLast()), path)
        }
        guard let value, value != .null else { return "\(path) is missing" }
        if type.hasPrefix("[") {
            guard let elements = value.array else { return "\(path) is no list" }
            let element = String(type.dropFirst().dropLast())
            return elements.indices.lazy.compactMap { problem(with: elements[$0], element, "\(path)[\($0)]") }.first
        }
        if type.hasPrefix("{string : ") {
            guard let object = value.object else { return "\(path) is no object" }
            let element = String(type.dropFirst("{string : ".count).dropLast())
            return object.names.lazy.compactMap { problem(with: object[$0], element, "\(path).\($0)") }.first
        }
        switch type {
        case "int", "int64", "word32": return value.integer == nil ? "\(path) is no integer" : nil
        case "double":
            if case .number = value { return nil }
            return value.integer == nil ? "\(path) is no number" : nil
        case "bool": return value.bool == nil ? "\(path) is neither true nor false" : nil
        case "string": return value.string == nil ? "\(path) is no text" : nil
        case "UTCTime":
            guard let text = value.string, (try? Timestamp(text: text)) != nil else { return "\(path) is no time" }
            return nil
        case "JSONObject": return value.object == nil ? "\(path) is no object" : nil
        default: break
        }
        switch types[type] {
        case nil: return "\(path) is of the unknown type \(type)"
        case .words(let words)?:
            return value.string.map(words.contains) == true ? nil : "\(path) is no \(type): \(value.line)"
        case .record(let fields)?:
            guard let object = value.object else { return "\(path) is no \(type)" }
            return problem(with: object, fields, path)
        case .union(let members)?:
            if PublishedTypes.open.contains(type), let tag = value.object?["type"]?.string, members[tag] == nil {
                return nil
            }
            guard let object = value.object, let tag = object["type"]?.string, let fields = members[tag] else {
                return "\(path) is no \(type): \(String(value.line.prefix(200)))"
            }
            return problem(with: object, fields, path)
        }
    }
}
