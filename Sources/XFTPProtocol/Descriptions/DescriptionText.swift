import ByteCoding

/// The fields of the text of a description, before their values are checked.
///
/// This is not a reader of YAML but of the one shape that descriptions have: fields with simple values, a list of relays
/// with lists of chunks, and the two fields of a redirect. Anchors, aliases, flow collections, blocks, tags, comments
/// and escapes are refused, and the depth is fixed, so no text is expanded.
struct DescriptionText {
    /// A relay and the texts of its chunks.
    struct Replica {
        let server: String
        let chunks: [String]
    }

    private let fields: [String: String]
    let replicas: [Replica]
    let redirect: [String: String]?

    init(_ text: String) throws(FileDescriptionError) {
        guard text.utf8.count <= FileDescription.maximumText else { throw .syntax("length") }
        var lines = try LineReader(text)
        var fields: [String: String] = [:], replicas: [Replica]?, redirect: [String: String]?
        while let line = lines.next {
            guard line.indent == 0, !line.isItem else { throw .syntax("indentation") }
            lines.advance()
            let field = try Field(line.content)
            switch (field.name, field.value) {
            case ("replicas", nil) where replicas == nil: replicas = try DescriptionText.replicas(from: &lines)
            case ("redirect", nil) where redirect == nil: redirect = try DescriptionText.mapping(from: &lines)
            case ("replicas", _): throw .syntax("replicas")
            // Writers of other programs may spell out a missing redirect.
            case ("redirect", "null"?) where redirect == nil: break
            case ("redirect", _): throw .syntax("redirect")
            case (_, let value?) where fields[field.name] == nil: fields[field.name] = value
            default: throw .syntax("field")
            }
        }
        guard let replicas else { throw .syntax("replicas") }
        self.fields = fields
        self.replicas = replicas
        self.redirect = redirect
    }

    func required(_ name: String) throws(FileDescriptionError) -> String {
        guard let value = fields[name] else { throw .syntax("missing field") }
        return value
    }

    /// Reads indented fields with simple values.
    private static func mapping(from lines: inout LineReader) throws(FileDescriptionError) -> [String: String] {
        guard let indent = lines.next?.indent, indent > 0 else { throw .syntax("indentation") }
        var fields: [String: String] = [:]
        while let line = lines.next, line.indent == indent, !line.isItem {
            lines.advance()
            let field = try Field(line.content)
            guard let value = field.value, fields.updateValue(value, forKey: field.name) == nil else {
                throw .syntax("field")
            }
        }
        return fields
    }

    /// Reads a list of relays. The list may have the indentation of its name, as YAML allows.
    private static func replicas(from lines: inout LineReader) throws(FileDescriptionError) -> [Replica] {
        var replicas: [Replica] = []
        guard let indent = lines.next?.indent else { throw .syntax("replicas") }
        while let line = lines.next, line.indent == indent, line.isItem {
            lines.openItem()
            replicas.append(try replica(from: &lines, indent: lines.next?.indent ?? 0))
        }
        guard !replicas.isEmpty else { throw .syntax("replicas") }
        return replicas
    }

    private static func replica(
        from lines: inout LineReader, indent: Int
    ) throws(FileDescriptionError) -> Replica {
        var server: String?, chunks: [String]?
        while let line = lines.next, line.indent == indent, !line.isItem {
            lines.advance()
            let field = try Field(line.content)
            switch (field.name, field.value) {
            case ("server", let value?) where server == nil: server = value
            case ("chunks", nil) where chunks == nil: chunks = try items(from: &lines, atLeast: indent)
            default: throw .syntax("replicas")
            }
        }
        guard let server, let chunks else { throw .syntax("replicas") }
        return Replica(server: server, chunks: chunks)
    }

    private static func items(
        from lines: inout LineReader, atLeast minimum: Int
    ) throws(FileDescriptionError) -> [String] {
        guard let indent = lines.next?.indent, indent >= minimum else { throw .syntax("indentation") }
        var items: [String] = []
        while let line = lines.next, line.indent == indent, line.isItem {
            lines.advance()
            items.append(try Field.simpleValue(line.content))
        }
        guard !items.isEmpty else { throw .syntax("chunks") }
        return items
    }
}

/// A cursor over the lines of a description.
private struct LineReader {
    struct Line {
        /// The number of spaces before the content, or before the dash of a list item.
        var indent: Int
        /// True if the line begins a list item.
        var isItem: Bool
        /// The line without indentation and dash.
        var content: ArraySlice<UInt8>
        /// The number of spaces before the content, for the fields of a list item.
        var contentIndent: Int
    }

    private var lines: ArraySlice<Line>

    init(_ text: String) throws(FileDescriptionError) {
        var lines: [Line] = []
        for line in Bytes(text.utf8).split(separator: UInt8(ascii: "\n")) {
            guard line.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else { throw .syntax("character") }
            let content = line.drop { $0 == UInt8(ascii: " ") }
            guard !content.isEmpty else { continue }
            let indent = line.count - content.count
            guard content.starts(with: [UInt8(ascii: "-"), UInt8(ascii: " ")]) else {
                lines.append(Line(indent: indent, isItem: false, content: content, contentIndent: indent))
                continue
            }
            let item = content.dropFirst().drop { $0 == UInt8(ascii: " ") }
            lines.append(Line(indent: indent, isItem: true, content: item, contentIndent: line.count - item.count))
        }
        self.lines = lines[...]
    }

    var next: Line? { lines.first }

    mutating func advance() {
        lines = lines.dropFirst()
    }

    /// Turns the first line of a list item into the first field of its content.
    mutating func openItem() {
        guard var line = lines.first else { return }
        line.indent = line.contentIndent
        line.isItem = false
        lines[lines.startIndex] = line
    }
}

/// A line `name: value` or `name:`.
private struct Field {
    let name: String
    /// The value; nil if it is on the next lines.
    let value: String?

    init(_ line: ArraySlice<UInt8>) throws(FileDescriptionError) {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        let rest = line.dropFirst(name.count + 1)
        guard !name.isEmpty, name.count < line.count, name.allSatisfy(Field.isLetter) else { throw .syntax("field") }
        self.name = String(decoding: name, as: UTF8.self)
        let value = rest.drop { $0 == UInt8(ascii: " ") }
        guard !value.isEmpty else {
            self.value = nil
            return
        }
        guard rest.first == UInt8(ascii: " ") else { throw .syntax("field") }
        self.value = try Field.simpleValue(value)
    }

    /// Reads a value that is plain, or in single or double quotes without escapes.
    static func simpleValue(_ text: ArraySlice<UInt8>) throws(FileDescriptionError) -> String {
        let end = text.lastIndex { $0 != UInt8(ascii: " ") } ?? text.startIndex
        var value = text[..<min(end + 1, text.endIndex)]
        guard let first = value.first else { throw .syntax("value") }
        if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
            guard value.count >= 2, value.last == first else { throw .syntax("quotes") }
            value = value.dropFirst().dropLast()
            guard !value.contains(first), !value.contains(UInt8(ascii: "\\")) else { throw .syntax("quotes") }
        } else {
            // YAML gives these characters a meaning at the start of a value.
            guard !Bytes("&*!|>%@`{}[],#?".utf8).contains(first) else { throw .syntax("value") }
            guard !value.contains(UInt8(ascii: " ")) else { throw .syntax("value") }
        }
        return String(decoding: value, as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
