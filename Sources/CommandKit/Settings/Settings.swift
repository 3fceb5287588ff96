public import JSONCoding

/// The values of the configuration files, highest priority first.
public struct Settings: Sendable {
    /// The location of a value.
    public struct Place: Hashable, Sendable {
        /// The key.
        public let key: String
        /// The path of the file.
        public let file: String
        /// The number of the line, from 1.
        public let line: Int

        /// Creates a place from its parts.
        public init(key: String, file: String, line: Int) {
            self.key = key
            self.file = file
            self.line = line
        }
    }

    /// The values of a key in a file.
    public struct Found: Hashable, Sendable {
        /// The values in the order of their lines; never empty.
        public let values: [String]
        /// The location of the last value.
        public let place: Place

        /// Returns the value in the form of its declaration: the last one, or all of them on separate lines.
        public func text(for setting: SettingDeclaration) -> String { text(isRepeatable: setting.isRepeatable) }

        func text(isRepeatable: Bool) -> String {
            isRepeatable ? values.joined(separator: "\n") : values.last ?? ""
        }
    }

    let files: [(path: String, entries: [String: [SettingsText.Entry]])]

    /// Settings without files.
    public static let none = Settings([(path: String, text: SettingsText)]())

    /// Reads files, highest priority first.
    public init(_ files: [(path: String, text: SettingsText)]) {
        self.init(files.map { ($0.path, Dictionary(grouping: $0.text.entries, by: \.key)) })
    }

    init(_ files: [(path: String, entries: [String: [SettingsText.Entry]])]) {
        self.files = files.filter { !$0.entries.isEmpty }
    }

    /// True if there are no files.
    public var isEmpty: Bool { files.isEmpty }

    /// All effective values, by key.
    public var all: [Found] {
        let keys = Set(files.flatMap(\.entries.keys)).sorted()
        return keys.compactMap { found([$0]) }
    }

    /// Returns the value of a setting from its variables, the files, or its default.
    ///
    /// - Throws: ``UsageError`` for an invalid value.
    public func value<Value>(
        of setting: Setting<Value>, environment: [String: String]
    ) throws(UsageError) -> Value {
        let declaration = setting.declaration
        let (text, origin) = effective(declaration, environment: environment)
        guard let text else { return setting.value(nil) }
        guard !declaration.accepts(text), let source = UsageError.Source(origin) else { return setting.value(text) }
        let suggestions = Suggestion.closest(to: text, among: declaration.choices)
        throw .invalidValue(
            source, word: declaration.isSecret ? nil : text, expected: declaration.expected,
            suggestions: declaration.isSecret ? [] : suggestions)
    }

    /// Returns the text of a setting with its origin; no text if it is not set. The text may be invalid.
    ///
    /// An empty variable counts only if the empty text is a value.
    public func effective(
        _ setting: SettingDeclaration, environment: [String: String]
    ) -> (text: String?, origin: Parsed.Origin) {
        func text(of variable: String) -> String? {
            environment[variable].flatMap { $0.isEmpty && !setting.accepts("") ? nil : $0 }
        }
        for variable in setting.variables {
            if let text = text(of: variable) { return (text, .variable(variable)) }
        }
        if let found = found([setting.key]) { return (found.text(for: setting), .setting(found.place)) }
        if let variable = setting.fallbackVariable, let text = text(of: variable) { return (text, .variable(variable)) }
        return (nil, .builtIn)
    }

    /// Returns the settings without some keys.
    public func without(_ keys: Set<String>) -> Settings {
        Settings(files.map { ($0.path, $0.entries.filter { !keys.contains($0.key) }) })
    }

    /// Returns the value of the first of several keys that is set. The file with the highest priority takes precedence
    /// for all keys.
    public func found(_ keys: [String]) -> Found? {
        for (path, entries) in files {
            for key in keys {
                guard let found = entries[key], let last = found.last else { continue }
                return Found(values: found.map(\.value), place: Place(key: key, file: path, line: last.line))
            }
        }
        return nil
    }
}

extension UsageError.Source {
    fileprivate init?(_ origin: Parsed.Origin) {
        switch origin {
        case .variable(let name): self = .variable(name)
        case .setting(let place): self = .setting(place)
        case .commandLine, .builtIn: return nil
        }
    }
}

extension Settings {
    /// All values, for another process that runs commands of this one.
    public var json: JSONValue {
        .array(
            files.map { path, entries in
                let lines = entries.values.joined().sorted { $0.line < $1.line }
                return .object(["file": .string(path), "entries": .array(lines.map(\.json))])
            })
    }

    /// Reads the values of another process, or returns nil for malformed ones.
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
