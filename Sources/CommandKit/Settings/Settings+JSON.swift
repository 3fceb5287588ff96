public import JSONCoding

extension Settings {
    /// Everything that is set, for another process that carries out commands of this one.
    public var json: JSONValue {
        .array(
            files.map { path, entries in
                let lines = entries.values.joined().sorted { $0.line < $1.line }
                return .object(["file": .string(path), "entries": .array(lines.map(\.json))])
            })
    }

    /// What another process has sent; nil if it is malformed.
    public init?(json: JSONValue) {
        guard let values = json.array else { return nil }
        var files: [(path: String, entries: [String: [SettingsText.Entry]])] = []
        for value in values {
            guard let fields = value.object, let path = fields["file"]?.string, let lines = fields["entries"]?.array
            else { return nil }
            let entries = lines.compactMap(SettingsText.Entry.init(json:))
            guard entries.count == lines.count else { return nil }
            files.append((path, Dictionary(grouping: entries, by: \.key)))
        }
        self.init(files)
    }
}

extension SettingsText.Entry {
    fileprivate var json: JSONValue {
        .object(["key": .string(key), "value": .string(value), "line": .integer(Int64(line))])
    }

    fileprivate init?(json: JSONValue) {
        guard let fields = json.object, let key = fields["key"]?.string, let value = fields["value"]?.string,
            let line = fields["line"]?.integer
        else { return nil }
        self.init(key: key, value: value, line: Int(clamping: line))
    }
}
