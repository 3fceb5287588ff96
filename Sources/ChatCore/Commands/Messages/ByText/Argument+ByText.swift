import ByteCoding

// Commands of people name a message by how it begins. What cannot be read back cannot be made: these commands are only read.

extension Argument where Value == String {
    /// `(text)`: the beginning of a message.
    static func beginning(_ value: @escaping @Sendable (Command) -> String) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard let text = reader.parenthesized() else { throw .invalid("text") }
                return text
            }, write: { "(\(value($0)))" })
    }

    /// The beginning of a message, to the end of the text; nothing for the last message.
    static func lastBeginning(_ value: @escaping @Sendable (Command) -> String) -> Argument {
        Argument(read: { reader throws(DecodeError) in reader.rest() }, write: { value($0) })
    }
}

extension Argument where Value == String? {
    /// `(text)`, or nothing.
    static func beginning(_ value: @escaping @Sendable (Command) -> String?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in reader.parenthesized() },
            write: { command in value(command).map { "(\($0))" } ?? "" })
    }
}
